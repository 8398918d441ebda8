#include "nunatak/delta/commit_info.h"

#include "nunatak/base/error.h"
#include "nunatak/delta/action_lines.h"
#include "nunatak/delta/commit_texts.h"

namespace nunatak::delta {

CommitInfo ReadCommitInfo(const Table& table, int64_t version) {
  const std::string& location = table.log->FindCommit(version)->info.location;
  const Buffer text = ReadLogFile(*table.io, location);
  CommitInfo info;
  WithContext(location, [&] {
    ForEachAction(
        AsText(text.bytes), LineOrder::kForward,
        [](std::string_view name) { return name == "commitInfo"; },
        [&](std::string_view, Json value) {
          const JsonObject object = value.Object();
          info.timestamp = object.FindInt64("timestamp");
          info.in_commit_timestamp = object.FindInt64("inCommitTimestamp");
          info.operation = object.FindString("operation");
          info.json = value.ToText();
        });
  });
  return info;
}

}  // namespace nunatak::delta
