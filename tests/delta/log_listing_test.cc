#include "nunatak/delta/log_listing.h"

#include <gtest/gtest.h>

#include "delta/log_fixture.h"

namespace nunatak::delta {
namespace {

/// Versions in short: "3" a commit, "1-3" a compaction, "c3" a classic checkpoint, "c3:1/2" a part
/// of one, "u3" one named by a UUID; "0" before it makes the file empty.
std::string NameOf(const std::string& text) {
  const auto number = [](const std::string& digits) { return fmt::format("{:0>20}", digits); };
  if (text[0] == 'u') {
    return number(text.substr(1)) + ".checkpoint.80a083e8-7026-4e79-81be-64bd76c43a11.json";
  }
  if (text[0] == 'c') {
    const size_t colon = text.find(':');
    if (colon == std::string::npos) return number(text.substr(1)) + ".checkpoint.parquet";
    return fmt::format("{}.checkpoint.{:0>10}.{:0>10}.parquet", number(text.substr(1, colon - 1)),
                       text.substr(colon + 1, 1), text.substr(colon + 3));
  }
  const size_t dash = text.find('-');
  if (dash == std::string::npos) return number(text) + ".json";
  return fmt::format("{}.{}.compacted.json", number(text.substr(0, dash)),
                     number(text.substr(dash + 1)));
}

LogListing Listing(const std::vector<std::string>& files) {
  std::vector<FileInfo> infos;
  for (const std::string& text : files) {
    const bool empty = text[0] == '!';
    infos.push_back(
        {.location = "t/_delta_log/" + NameOf(text.substr(empty ? 1 : 0)), .size = empty ? 0 : 9});
  }
  return LogListing(std::move(infos));
}

/// "checkpoint | commits" of the best way to a version.
std::string Best(const LogListing& log, std::optional<int64_t> version = std::nullopt) {
  const LogSegment segment = log.SegmentsFor(version).front();
  std::string text = segment.checkpoint ? fmt::format("{}x{} |", segment.checkpoint->version,
                                                      segment.checkpoint->files.size())
                                        : "|";
  for (const LogFile& file : segment.commits) {
    text += file.name.kind == LogFileKind::kCompaction
                ? fmt::format(" {}-{}", file.name.version, file.name.end_version)
                : fmt::format(" {}", file.name.version);
  }
  return text;
}

TEST(LogListing, TheNewestCompleteCheckpointAndTheCommitsAfterIt) {
  struct Case {
    std::vector<std::string> files;
    std::optional<int64_t> version;
    std::string best;
  };
  const Case cases[] = {
      {{"0", "1", "2"}, {}, "| 0 1 2"},
      {{"0", "1", "2"}, 1, "| 0 1"},
      {{"0", "1", "c1", "2", "c2", "3"}, {}, "2x1 | 3"},
      {{"0", "1", "c1", "2", "c2", "3"}, 2, "2x1 |"},
      {{"0", "1", "c1", "2", "c2", "3"}, 1, "1x1 |"},
      {{"0", "1", "c1", "2", "c2", "3"}, 0, "| 0"},
      // Commits before a checkpoint may be gone, and a checkpoint may be all that there is.
      {{"c2", "3"}, {}, "2x1 | 3"},
      {{"c2"}, {}, "2x1 |"},
      // Parts count when all are there; of several checkpoints the classic one is taken.
      {{"0", "1", "c1", "2", "c2:1/2", "c2:2/2", "3"}, {}, "2x2 | 3"},
      {{"0", "1", "c1", "2", "c2:1/2", "3"}, {}, "1x1 | 2 3"},
      {{"0", "1", "c1", "2", "c2:1/3", "c2:2/2", "c2:3/3", "3"}, {}, "1x1 | 2 3"},
      {{"0", "1", "c1:1/2", "c1:2/2", "c1", "u1"}, {}, "1x1 |"},
      {{"0", "1", "u1", "2"}, {}, "1x1 | 2"},
      // Empty files were never finished.
      {{"0", "1", "c1", "2", "!c2", "3"}, {}, "1x1 | 2 3"},
      {{"0", "1", "!0-1", "2"}, {}, "| 0 1 2"},
      // Compactions stand for what they cover, within what is asked for.
      {{"0", "1", "2", "3", "1-2"}, {}, "| 0 1-2 3"},
      {{"0", "1", "2", "3", "1-2", "1-3"}, {}, "| 0 1-3"},
      {{"0", "1", "2", "3", "1-3"}, 2, "| 0 1 2"},
      {{"0", "1", "c1", "2", "3", "1-3"}, {}, "1x1 | 2 3"},
      {{"0", "3", "1-2"}, {}, "| 0 1-2 3"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(Best(Listing(c.files), c.version), c.best)
        << fmt::format("{}", fmt::join(c.files, " "));
  }
}

TEST(LogListing, EveryOtherWayComesAfterTheBest) {
  const LogListing log = Listing({"0", "1", "c1", "2", "c2", "3"});
  const std::vector<LogSegment> segments = log.SegmentsFor(std::nullopt);
  ASSERT_EQ(segments.size(), 3U);
  EXPECT_EQ(segments[1].checkpoint->version, 1);
  EXPECT_FALSE(segments[2].checkpoint.has_value());
  EXPECT_EQ(segments[2].commits.size(), 4U);
}

TEST(LogListing, AGapNamesTheMissingVersion) {
  struct Case {
    std::vector<std::string> files;
    std::optional<int64_t> version;
    std::string missing;
  };
  const Case cases[] = {{{"0", "2"}, {}, "version 1 is missing"},
                        {{"1", "2"}, {}, "version 0 is missing"},
                        {{"0", "1", "c1", "3"}, {}, "version 2 is missing"},
                        {{"c1:1/2", "2"}, {}, "version 0 is missing"},
                        {{"0", "1", "c1", "3", "c3", "5"}, 2, "version 2 is missing"}};
  for (const Case& c : cases) {
    const std::string error =
        ErrorOf(ErrorCode::kInvalid, [&] { Listing(c.files).SegmentsFor(c.version); });
    EXPECT_NE(error.find(c.missing), std::string::npos) << error;
  }
  // An older checkpoint does without what a newer one lacks.
  EXPECT_EQ(Best(Listing({"c1", "2", "3"})), "1x1 | 2 3");
}

TEST(LogListing, VersionsThatAreNotThereSayWhatIs) {
  const LogListing log = Listing({"c4", "5", "6", "c6", "7"});
  EXPECT_EQ(log.available().first, 4);
  EXPECT_EQ(log.available().last, 7);
  for (const int64_t version : {3, 0, 8, -1}) {
    const std::string error = ErrorOf(ErrorCode::kNotFound, [&] { log.SegmentsFor(version); });
    EXPECT_NE(error.find("versions 4 to 7 are available"), std::string::npos) << error;
  }
  // Commits alone are no version without what was before them.
  const LogListing trimmed = Listing({"3", "4", "c4", "5"});
  EXPECT_EQ(trimmed.available().first, 4);
  ErrorOf(ErrorCode::kNotFound, [&] { trimmed.SegmentsFor(3); });
}

}  // namespace
}  // namespace nunatak::delta
