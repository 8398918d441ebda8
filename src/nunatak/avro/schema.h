#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nunatak/base/export.h"

namespace nunatak::avro {

/// The types of the Avro specification.
enum class Type : uint8_t {
  kNull,
  kBoolean,
  kInt,
  kLong,
  kFloat,
  kDouble,
  kBytes,
  kString,
  kRecord,
  kEnum,
  kArray,
  kMap,
  kUnion,
  kFixed,
};

/// The type's name in a schema: "long", "record", ….
NUNATAK_EXPORT std::string_view ToString(Type type);

/// The logical types that Iceberg writers use. A logical type that is unknown, or that its base
/// type does not allow, is `kNone`: the value is then read as the base type.
enum class LogicalType : uint8_t {
  kNone,
  kDecimal,
  kUuid,
  kDate,
  kTimeMillis,
  kTimeMicros,
  kTimestampMillis,
  kTimestampMicros,
  kTimestampNanos,
  kLocalTimestampMillis,
  kLocalTimestampMicros,
  kLocalTimestampNanos,
  kMap,  ///< An array of two-field records: key, value.
};

struct Node;

/// A field of a record.
struct Field {
  std::string name;
  std::vector<std::string> aliases;
  /// The attribute `field-id` of the Iceberg specification.
  std::optional<int32_t> id;
  /// The attribute `iceberg-field-name`: the column's name where Avro does not allow it as a name.
  std::string iceberg_name;
  /// Never null.
  const Node* type = nullptr;
};

/// One type of a schema. Nodes form a graph: a named type may be referred to from several places,
/// and from within itself.
struct Node {
  Type type = Type::kNull;
  LogicalType logical = LogicalType::kNone;
  /// `adjust-to-utc`: the timestamp is a point in time (Iceberg's timestamptz).
  bool adjust_to_utc = false;
  /// Of a decimal.
  int32_t precision = 0;
  int32_t scale = 0;
  /// Of a fixed: bytes per value.
  int64_t size = 0;
  /// Full name of a record, an enum or a fixed; empty for all others.
  std::string name;
  std::vector<std::string> aliases;
  /// Of a record, in the order of encoding.
  std::vector<Field> fields;
  /// Of an enum.
  std::vector<std::string> symbols;
  /// Of a union.
  std::vector<const Node*> branches;
  /// Of an array: its items; of a map: its values.
  const Node* item = nullptr;
  /// The Iceberg ids of an array's element, and of a map's key and value.
  std::optional<int32_t> element_id;
  std::optional<int32_t> key_id;
  std::optional<int32_t> value_id;
};

/// A parsed Avro schema; immutable and thread-safe. Names need not match Avro's grammar (some
/// writers use column names as they are), and two equal definitions of one fixed are accepted.
class NUNATAK_EXPORT Schema {
 public:
  /// Parses the JSON form. Throws `ErrorCode::kInvalid` with the place in the schema.
  static std::shared_ptr<const Schema> Parse(std::string_view json);

  Schema(const Schema&) = delete;
  Schema& operator=(const Schema&) = delete;

  const Node& root() const { return *root_; }

 private:
  Schema() = default;

  std::deque<Node> nodes_;
  const Node* root_ = nullptr;
};

}  // namespace nunatak::avro
