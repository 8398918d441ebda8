#include "nunatak/delta/features.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "nunatak/base/error.h"

namespace nunatak::delta {

namespace {

/// From this reader version on, features are listed.
constexpr int32_t kFeaturesVersion = 3;
constexpr int32_t kColumnMappingVersion = 2;

constexpr std::array<ReaderFeature, 13> kReaderFeatures = {{
    {"columnMapping", "columns found by physical name or id (table_schema.cc)"},
    {"deletionVectors", "attached to the scan task of their file (deletion_vector.cc)"},
    {"timestampNtz", "the type timestamp"},
    {"typeWidening", "values of old files are cast to the type that the column has now"},
    {"typeWidening-preview", "the same, under the name that it had first"},
    {"v2Checkpoint", "top-level files with sidecars, JSON or Parquet (checkpoint_file.cc)"},
    {"vacuumProtocolCheck", "nothing to do: nothing is vacuumed"},
    {"variantType", "the type variant"},
    {"variantType-preview", "the same, under the name that it had first"},
    {"variantShredding", "shredded variants are put together"},
    {"variantShredding-preview", "the same, under the name that it had first"},
    {"catalogManaged", "the newest commits are known to a catalog alone", false},
    {"catalogOwned-preview", "the same, under the name that it had first", false},
}};

const ReaderFeature* FindFeature(std::string_view name) {
  const auto* at = std::find_if(kReaderFeatures.begin(), kReaderFeatures.end(),
                                [&](const ReaderFeature& feature) { return feature.name == name; });
  return at == kReaderFeatures.end() ? nullptr : at;
}

}  // namespace

std::span<const ReaderFeature> ReaderFeatures() { return kReaderFeatures; }

void RequireReadable(const Protocol& protocol) {
  if (protocol.min_reader_version > kFeaturesVersion) {
    ThrowUnsupported(fmt::format("the table needs reader version {}; this build reads up to {}",
                                 protocol.min_reader_version, kFeaturesVersion),
                     "a newer version of nunatak may read it");
  }
  if (protocol.min_reader_version < kFeaturesVersion) return;
  std::string unknown;
  for (const std::string& name : protocol.reader_features) {
    const ReaderFeature* feature = FindFeature(name);
    if (feature != nullptr && feature->supported) continue;
    unknown += fmt::format("{}'{}'{}", unknown.empty() ? "" : ", ", name,
                           feature == nullptr ? "" : fmt::format(" ({})", feature->handling));
  }
  if (unknown.empty()) return;
  ThrowUnsupported(
      fmt::format("the table needs reader features that are not supported: {}", unknown),
      "a newer version of nunatak may read it");
}

bool HasReaderFeature(const Protocol& protocol, std::string_view name) {
  if (protocol.min_reader_version < kFeaturesVersion) {
    return name == "columnMapping" && protocol.min_reader_version >= kColumnMappingVersion;
  }
  return std::find(protocol.reader_features.begin(), protocol.reader_features.end(), name) !=
         protocol.reader_features.end();
}

}  // namespace nunatak::delta
