#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace nunatak {

/// The binary form of scan tasks (docs/plan-binary.md), as far as its writer and its reader must
/// agree: the magic, a byte for the version, then records, each of a kind byte, a length, the
/// content, and the CRC-32 of the three.
inline constexpr std::string_view kTaskSetMagic = "NNTASKS";
inline constexpr uint8_t kTaskSetVersion = 1;

enum class TaskRecord : uint8_t {
  kHeader = 'H',
  kResidual = 'R',
  kDeleteFile = 'D',
  kTask = 'T',
  kEnd = 'E',
};

/// How many data files back a task can refer to.
inline constexpr size_t kTaskSetFileWindow = 64;

}  // namespace nunatak
