#include "nunatak/cli/column_names.h"

#include <fmt/format.h>

#include <utility>

#include "nunatak/base/error.h"

namespace nunatak::cli {

namespace {

/// Takes what stands between quotes off the front of `rest`, and the quotes.
std::string TakeQuoted(std::string_view option, std::string_view list, std::string_view* rest) {
  const char quote = rest->front();
  std::string content;
  for (bool first = true; first || rest->starts_with(quote); first = false) {
    if (!first) content += quote;
    rest->remove_prefix(1);
    const size_t end = rest->find(quote);
    if (end == std::string_view::npos) {
      ThrowUsage(fmt::format("{} {}: the quote {} is never closed", option, list, quote));
    }
    content += rest->substr(0, end);
    rest->remove_prefix(end + 1);
  }
  return content;
}

}  // namespace

std::vector<std::string> SplitColumnNames(std::string_view list, std::string_view option) {
  std::vector<std::string> names;
  std::string name;
  const auto finish_name = [&] {
    if (name.empty()) {
      ThrowUsage(fmt::format("{} '{}': a name is empty", option, list),
                 fmt::format("names are separated by commas: {} a,b.c", option));
    }
    names.push_back(std::exchange(name, ""));
  };
  for (std::string_view rest = list; !rest.empty();) {
    const bool begins = name.empty() || name.ends_with('.');
    if (begins && (rest.front() == '"' || rest.front() == '`')) {
      name += TakeQuoted(option, list, &rest);
      continue;
    }
    if (rest.front() == ',') {
      finish_name();
    } else if (!name.empty() || rest.front() != ' ') {
      name += rest.front();
    }
    rest.remove_prefix(1);
  }
  finish_name();
  return names;
}

}  // namespace nunatak::cli
