#pragma once

#include <cstdint>

namespace nunatak {

/// The columns of position delete files, by their field ids (specification, "Position Delete
/// Files").

/// `file_path`, required string: the data file.
inline constexpr int32_t kDeletePathColumnId = 2147483546;
/// `pos`, required long: the position of the deleted row in it, from 0.
inline constexpr int32_t kDeletePositionColumnId = 2147483545;
/// `row`, a struct of the table's columns: the deleted row, in files that keep it.
inline constexpr int32_t kDeletedRowColumnId = 2147483544;

}  // namespace nunatak
