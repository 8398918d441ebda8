#pragma once

#include <cstdint>

namespace nunatak {

/// Field ids of the specification, "Data File Fields".
enum class ContentFileId : int32_t {
  kFilePath = 100,
  kFileFormat = 101,
  kPartition = 102,
  kRecordCount = 103,
  kFileSize = 104,
  kColumnSizes = 108,
  kValueCounts = 109,
  kNullValueCounts = 110,
  kLowerBounds = 125,
  kUpperBounds = 128,
  kKeyMetadata = 131,
  kSplitOffsets = 132,
  kContent = 134,
  kEqualityIds = 135,
  kNanValueCounts = 137,
  kSortOrderId = 140,
  kSpecId = 141,
  kFirstRowId = 142,
  kReferencedDataFile = 143,
  kContentOffset = 144,
  kContentSize = 145,
};

}  // namespace nunatak
