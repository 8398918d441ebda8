#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "test_data.h"

namespace nunatak::iceberg {

/// The tables of other engines, with what those engines say of them: $NUNATAK_CORPUS, or "corpus"
/// in a directory "shared" beside the checkout. Empty when there is none: such tests are skipped.
inline std::filesystem::path CorpusDirectory() {
  const char* given = std::getenv("NUNATAK_CORPUS");
  std::filesystem::path corpus =
      given && *given ? std::filesystem::path(given) : TestData() / "../../../shared/corpus";
  corpus = (corpus / "iceberg").lexically_normal();
  return std::filesystem::is_directory(corpus) ? corpus : std::filesystem::path();
}

/// The names of the corpus's tables, sorted.
inline std::vector<std::string> CorpusTables() {
  constexpr std::string_view kEnd = ".expect.json";
  std::vector<std::string> names;
  if (CorpusDirectory().empty()) return names;
  for (const auto& file : std::filesystem::directory_iterator(CorpusDirectory())) {
    std::string name = file.path().filename().string();
    if (name.ends_with(kEnd)) names.push_back(name.substr(0, name.size() - kEnd.size()));
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// The directories of the tables in tests/data and in the corpus.
inline std::vector<std::filesystem::path> TablesAtHand() {
  const std::filesystem::path data = TestData();
  std::vector<std::filesystem::path> tables = {data / "bookshop-orders"};
  for (const auto& root : {data / "iceberg", CorpusDirectory()}) {
    if (!std::filesystem::is_directory(root)) continue;
    for (const auto& entry : std::filesystem::directory_iterator(root)) {
      if (entry.is_directory()) tables.push_back(entry.path());
    }
  }
  return tables;
}

inline std::string ReadFileBytes(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

/// What the reference engines say of a table.
inline nlohmann::json Expectation(const std::string& table) {
  return nlohmann::json::parse(ReadFileBytes(CorpusDirectory() / (table + ".expect.json")));
}

}  // namespace nunatak::iceberg
