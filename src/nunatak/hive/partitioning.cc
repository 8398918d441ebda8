#include "nunatak/hive/partitioning.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/hive/partition_type.h"
#include "nunatak/io/location.h"

namespace nunatak::hive {

namespace {

std::string NamesOf(const ListedDirectory& directory) {
  std::string names;
  for (const PartitionPart& part : directory.parts) {
    names += (names.empty() ? "" : "/") + part.name;
  }
  return names.empty() ? "nothing" : names;
}

std::string LocationOf(const ListedDirectory& directory) {
  return ParentLocation(directory.files.front().location);
}

void CheckAlike(const ListedDirectory& first, const ListedDirectory& other) {
  const auto same_name = [](const PartitionPart& a, const PartitionPart& b) {
    return a.name == b.name;
  };
  if (std::equal(first.parts.begin(), first.parts.end(), other.parts.begin(), other.parts.end(),
                 same_name)) {
    return;
  }
  ThrowInvalid(fmt::format("{} is partitioned by {}, and {} by {}", LocationOf(first),
                           NamesOf(first), LocationOf(other), NamesOf(other)),
               "open the directory that holds the files of one table alone");
}

Type InferredType(const std::vector<ListedDirectory>& directories, size_t level) {
  Type type;
  for (const ListedDirectory& directory : directories) {
    const std::optional<std::string>& value = directory.parts[level].value;
    if (value) type = WiderType(type, InferType(*value));
  }
  return type.id() == TypeId::kUnknown ? Type(TypeId::kString) : type;
}

}  // namespace

std::vector<PartitionColumn> PartitionColumnsOf(const std::vector<ListedDirectory>& directories,
                                                const std::map<std::string, Type>& given) {
  std::vector<PartitionColumn> columns;
  if (!directories.empty()) {
    for (const ListedDirectory& other : directories) CheckAlike(directories.front(), other);
    const std::vector<PartitionPart>& parts = directories.front().parts;
    for (size_t level = 0; level < parts.size(); ++level) {
      const auto known = given.find(parts[level].name);
      columns.push_back({parts[level].name,
                         known != given.end() ? known->second : InferredType(directories, level)});
    }
  }
  for (const auto& [name, type] : given) {
    if (std::none_of(columns.begin(), columns.end(),
                     [&](const PartitionColumn& column) { return column.name == name; })) {
      ThrowUsage(fmt::format("--partition-types: there is no partition column {}", name));
    }
  }
  return columns;
}

PartitionValues PartitionOf(const ListedDirectory& directory,
                            const std::vector<PartitionColumn>& columns) {
  std::vector<Value> values;
  for (size_t i = 0; i < columns.size(); ++i) {
    values.push_back(
        WithContext(fmt::format("{}: partition column {}", LocationOf(directory), columns[i].name),
                    [&] { return ParseValue(columns[i].type, directory.parts[i].value); }));
  }
  return values;
}

}  // namespace nunatak::hive
