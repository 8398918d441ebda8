#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "nunatak/avro/decode_program.h"
#include "nunatak/avro/schema.h"
#include "nunatak/base/export.h"

namespace nunatak::avro {

/// Compiles what is not wanted. A node becomes at most one instruction, and neighbours that can be
/// skipped together are merged. Each record is compiled once, however often it is referred to, so
/// that programs stay as small as the schema, and recursive schemas end.
class NUNATAK_EXPORT SkipCompiler {
 public:
  explicit SkipCompiler(Programs& programs) : programs_(programs) {}

  /// Appends to `out` what skips one value of `node`. Appends nothing when it takes no bytes.
  void Append(const Node& node, const Field* field, Program& out);
  /// An instruction that passes over the items of an array or a map.
  Op ItemsOp(const Node& collection, const Field* field);

 private:
  struct Compiled {
    uint32_t program = 0;
    /// False while it is being compiled, which is when a recursive type meets itself.
    bool is_complete = false;
  };
  void AppendRecord(const Node& node, const Field* field, Program& out);
  void AppendUnion(const Node& node, const Field* field, Program& out);
  Compiled CompileItem(const Node& collection);

  Programs& programs_;
  std::unordered_map<const Node*, Compiled> records_;
  std::unordered_map<const Node*, Compiled> items_;
  int depth_ = 0;
};

/// Appends `op`, or merges it with the last instruction.
void AppendMerged(const Op& op, Program& out);
/// A new and empty program; returns its number.
NUNATAK_EXPORT uint32_t NewProgram(Programs& programs);
/// Appends the instruction that chooses among `branches`, each the program of one branch.
void AppendUnionOp(const std::vector<Program>& branches, const Op& prototype, Programs& programs,
                   Program& out);

}  // namespace nunatak::avro
