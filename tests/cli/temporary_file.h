#pragma once

#include <cstdio>
#include <string>

namespace nunatak::cli {

/// What was written to a temporary file, which it closes.
inline std::string ContentOf(std::FILE* file) {
  std::rewind(file);
  std::string text(1 << 20, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  return text;
}

}  // namespace nunatak::cli
