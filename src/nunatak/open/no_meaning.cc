#include "nunatak/open/no_meaning.h"

#include <fmt/format.h>

#include <array>
#include <string>

#include "nunatak/base/error.h"

namespace nunatak {

namespace {

/// Why a verb says nothing of a format, and what does instead; the first row that fits counts.
struct Absence {
  TableFormat format;
  /// Empty: any verb.
  std::string_view verb;
  std::string_view why;
  std::string_view instead;
};

constexpr std::string_view kFilesInstead =
    "nunatak files shows the files, nunatak partitions sums them up";

constexpr auto kAbsences = std::to_array<Absence>({
    {TableFormat::kDelta, "refs", "it has no branches and tags",
     "nunatak snapshots lists its versions"},
    {TableFormat::kDelta, "metadata-log-entries", "its log is its metadata",
     "nunatak history shows its commits"},
    {TableFormat::kDelta, "diff", "it is compared version by version",
     "nunatak history shows the commits, nunatak changes the rows between two versions"},
    {TableFormat::kDelta, "history-of", "its rows have no history of their own",
     "nunatak changes shows the rows that each version changed"},
    {TableFormat::kDelta, "", "its log has no manifests",
     "nunatak files shows the files, nunatak history the commits"},
    {TableFormat::kHive, "snapshots", "it has no versions, it is what lies in it now",
     kFilesInstead},
    {TableFormat::kHive, "history", "it has no versions, it is what lies in it now", kFilesInstead},
    {TableFormat::kHive, "changes", "it has no versions, and so no changes", kFilesInstead},
    {TableFormat::kHive, "history-of", "it has no versions, and so no history", kFilesInstead},
    {TableFormat::kHive, "diff", "it has no versions to compare", kFilesInstead},
    {TableFormat::kHive, "",
     "it has no metadata but the names of its directories and the footers of "
     "its files",
     kFilesInstead},
});

}  // namespace

void ThrowNoMeaning(TableFormat format, std::string_view verb) {
  for (const Absence& absence : kAbsences) {
    if (absence.format != format || (!absence.verb.empty() && absence.verb != verb)) continue;
    ThrowUnsupported(fmt::format("{} has no meaning for {}: {}", verb, NounOf(format), absence.why),
                     std::string(absence.instead));
  }
  ThrowUnsupported(fmt::format("{} has no meaning for {}", verb, NounOf(format)));
}

}  // namespace nunatak
