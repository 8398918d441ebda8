#include "nunatak/delta/checkpoint_actions.h"

#include <arrow/record_batch.h>
#include <fmt/format.h>

#include <string>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/delta/checkpoint_columns.h"

namespace nunatak::delta {

namespace {

template <typename T>
T Require(const std::optional<T>& value, const CheckpointColumn& action, std::string_view field) {
  if (!value) ThrowInvalid(fmt::format("column {}.{}: the value is missing", action.name(), field));
  return *value;
}

std::string RequireText(const CheckpointColumn& action, const char* field, int64_t row) {
  return std::string(Require(action.Child(field).Text(row), action, field));
}

int64_t RequireInteger(const CheckpointColumn& action, const char* field, int64_t row) {
  return Require(action.Child(field).Integer(row), action, field);
}

int32_t RequireVersion(const CheckpointColumn& action, const char* field, int64_t row) {
  const int64_t version = RequireInteger(action, field, row);
  if (version < 0 || version > INT32_MAX) {
    ThrowInvalid(fmt::format("column {}.{}: {} is no version", action.name(), field, version));
  }
  return static_cast<int32_t>(version);
}

std::optional<std::string> FindText(const CheckpointColumn& action, const char* field,
                                    int64_t row) {
  const auto text = action.Child(field).Text(row);
  return text ? std::optional<std::string>(*text) : std::nullopt;
}

Protocol ProtocolAt(const CheckpointColumn& action, int64_t row) {
  return {.min_reader_version = RequireVersion(action, "minReaderVersion", row),
          .min_writer_version = RequireVersion(action, "minWriterVersion", row),
          .reader_features = action.Child("readerFeatures").Texts(row),
          .writer_features = action.Child("writerFeatures").Texts(row)};
}

Metadata MetadataAt(const CheckpointColumn& action, int64_t row) {
  Metadata metadata{.id = RequireText(action, "id", row),
                    .name = FindText(action, "name", row),
                    .description = FindText(action, "description", row),
                    .schema_string = FindText(action, "schemaString", row).value_or(kNoColumns),
                    .partition_columns = action.Child("partitionColumns").Texts(row),
                    .created_time = action.Child("createdTime").Integer(row)};
  metadata.format_provider =
      FindText(action.Child("format"), "provider", row).value_or(metadata.format_provider);
  action.Child("configuration")
      .ForEachEntry(row, [&](std::string_view key, std::string_view value) {
        if (value.data() != nullptr) metadata.configuration.emplace(key, value);
      });
  return metadata;
}

Transaction TransactionAt(const CheckpointColumn& action, int64_t row) {
  return {.app_id = RequireText(action, "appId", row),
          .version = RequireInteger(action, "version", row),
          .last_updated = action.Child("lastUpdated").Integer(row)};
}

DomainMetadata DomainMetadataAt(const CheckpointColumn& action, int64_t row) {
  return {.domain = RequireText(action, "domain", row),
          .configuration = FindText(action, "configuration", row).value_or(""),
          .removed = action.Child("removed").Boolean(row).value_or(false)};
}

Sidecar SidecarAt(const CheckpointColumn& action, int64_t row) {
  return {.path = RequireText(action, "path", row),
          .size_in_bytes = RequireInteger(action, "sizeInBytes", row)};
}

/// Calls `visit(action, row)` for each row in which the batch has the action.
template <typename Visit>
void ForEachOf(const arrow::RecordBatch& batch, const char* name, Visit visit) {
  const CheckpointColumn action(batch, name);
  if (!action.exists()) return;
  for (int64_t row = 0; row < batch.num_rows(); ++row) {
    if (!action.IsNull(row)) visit(action, row);
  }
}

}  // namespace

void ReadCheckpointActions(CheckpointFile file, const Context& context, LogReplay* replay) {
  bool any = false;
  for (const char* name : {"protocol", "metaData", "txn", "domainMetadata", "sidecar"}) {
    any = file.Select({name}) || any;
  }
  if (!any) return;
  file.Fetch(context, /*any_value=*/true);
  while (const auto batch = file.Next()) {
    WithContext(file.location(), [&] {
      ForEachOf(*batch, "protocol",
                [&](const auto& action, int64_t row) { replay->Add(ProtocolAt(action, row)); });
      ForEachOf(*batch, "metaData",
                [&](const auto& action, int64_t row) { replay->Add(MetadataAt(action, row)); });
      ForEachOf(*batch, "txn",
                [&](const auto& action, int64_t row) { replay->Add(TransactionAt(action, row)); });
      ForEachOf(*batch, "domainMetadata", [&](const auto& action, int64_t row) {
        replay->Add(DomainMetadataAt(action, row));
      });
      ForEachOf(*batch, "sidecar",
                [&](const auto& action, int64_t row) { replay->Add(SidecarAt(action, row)); });
    });
  }
}

}  // namespace nunatak::delta
