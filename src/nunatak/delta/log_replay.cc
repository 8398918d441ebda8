#include "nunatak/delta/log_replay.h"

#include <fmt/format.h>

#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/delta/action_lines.h"

namespace nunatak::delta {

namespace {

bool IsFileAction(std::string_view name) { return name == "add" || name == "remove"; }

bool IsTableAction(std::string_view name) {
  return name == "protocol" || name == "metaData" || name == "txn" || name == "domainMetadata" ||
         name == "sidecar";
}

}  // namespace

void LogReplay::ReplayTable(std::string_view text) {
  ForEachAction(text, LineOrder::kBackward, IsTableAction, [&](std::string_view name, Json value) {
    if (name == "protocol") Add(ProtocolFromJson(value));
    if (name == "metaData") Add(MetadataFromJson(value));
    if (name == "txn") Add(TransactionFromJson(value));
    if (name == "domainMetadata") Add(DomainMetadataFromJson(value));
    if (name == "sidecar") Add(SidecarFromJson(value));
  });
}

void LogReplay::Add(Protocol newer) {
  if (!protocol) protocol = std::move(newer);
}
void LogReplay::Add(Metadata newer) {
  if (!metadata) metadata = std::move(newer);
}
void LogReplay::Add(Transaction transaction) {
  transactions.try_emplace(transaction.app_id, transaction);
}
void LogReplay::Add(DomainMetadata domain) { domains.try_emplace(domain.domain, domain); }

void ReplayFiles(std::string_view text, const std::vector<std::string>& columns, FileKeys* keys,
                 AddFiles* files, bool reconciled) {
  FileKeys here;
  ForEachAction(text, LineOrder::kBackward, IsFileAction, [&](std::string_view name, Json value) {
    const JsonObject action = value.Object();
    const FileAction file = FileActionFromJson(action);
    const DeletionVectorDescriptor* vector = file.vector ? &*file.vector : nullptr;
    if (reconciled && !here.Insert(file.path, vector)) {
      ThrowInvalid(fmt::format("the compaction speaks of {} more than once", file.path));
    }
    const bool is_new = keys->Insert(file.path, vector);
    if (is_new && name == "add") AppendAdd(action, file, columns, files);
  });
}

}  // namespace nunatak::delta
