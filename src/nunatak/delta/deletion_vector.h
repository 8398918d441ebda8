#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "nunatak/base/export.h"
#include "nunatak/plan/file_scan_task.h"

namespace nunatak::delta {

/// Where a deletion vector lies (specification, "Deletion Vector Descriptor Schema"); views.
struct DeletionVectorDescriptor {
  /// 'u': in a file of the table that is named by a UUID; 'p': in the file of a path; 'i': here.
  char storage_type = 'u';
  std::string_view path_or_inline;
  std::optional<int32_t> offset;
  int32_t size_in_bytes = 0;
  int64_t cardinality = 0;
};

/// Appends what tells the vector from others of the same data file ("uniqueId").
void AppendUniqueId(const DeletionVectorDescriptor& vector, std::string* out);

/// The vector as a delete file of `data_path`, which scan tasks carry. Inline vectors become
/// "data:" locations. `root` is the table's location. Throws `ErrorCode::kInvalid` for a descriptor
/// that says nothing sensible.
NUNATAK_EXPORT std::shared_ptr<DeleteFile> DeleteFileOf(const DeletionVectorDescriptor& vector,
                                                        std::string_view root,
                                                        std::string_view data_path);

/// Decodes Z85 (https://rfc.zeromq.org/spec/32/): five characters for four bytes. A last group that
/// begins with "#", which no number below 2^32 does, has a byte less for each, as some writers have
/// it. Nullopt when the text is anything else.
NUNATAK_EXPORT std::optional<std::string> DecodeZ85(std::string_view text);

}  // namespace nunatak::delta
