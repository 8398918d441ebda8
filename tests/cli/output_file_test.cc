#include "nunatak/cli/output_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "nunatak/base/error.h"

namespace nunatak::cli {
namespace {

namespace fs = std::filesystem;

class OutputFileTest : public testing::Test {
 protected:
  void SetUp() override {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    folder_ = fs::path(testing::TempDir()) /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string Path(const std::string& name) const { return (folder_ / name).string(); }
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      names.push_back(entry.path().filename().string());
    }
    return names;
  }
  static std::string Content(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static void WriteText(const std::string& path, const char* text) {
    OutputFile file(path);
    std::fputs(text, file.stream());
    file.Commit();
  }

  fs::path folder_;
};

TEST_F(OutputFileTest, AppearsWhenItIsWhole) {
  const std::string path = Path("rows.csv");
  {
    OutputFile file(path);
    std::fputs("1\n", file.stream());
    EXPECT_FALSE(fs::exists(path));
    file.Commit();
    EXPECT_EQ(Content(path), "1\n");
  }
  EXPECT_EQ(Names(), std::vector<std::string>{"rows.csv"});
}

TEST_F(OutputFileTest, LeavesNothingAndReplacesNothingOtherwise) {
  const std::string path = Path("rows.csv");
  WriteText(path, "before");
  {
    OutputFile file(path);
    std::fputs("half", file.stream());
  }
  EXPECT_EQ(Content(path), "before");
  EXPECT_EQ(Names(), std::vector<std::string>{"rows.csv"});
  WriteText(path, "after");
  EXPECT_EQ(Content(path), "after");
}

/// GoogleTest runs suites of this name first, while there is one thread.
using OutputFileDeathTest = OutputFileTest;

TEST_F(OutputFileDeathTest, AnInterruptRemovesIt) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    EXPECT_EXIT(
        {
          OutputFile file(Path("rows.csv"));
          std::fputs("half", file.stream());
          std::raise(signal);
        },
        testing::KilledBySignal(signal), "");
    EXPECT_EQ(Names(), std::vector<std::string>{});
  }
}

TEST_F(OutputFileTest, ALinkStaysALink) {
  WriteText(Path("real.csv"), "before");
  fs::create_symlink("real.csv", Path("link.csv"));
  WriteText(Path("link.csv"), "after");
  EXPECT_TRUE(fs::is_symlink(Path("link.csv")));
  EXPECT_EQ(Content(Path("real.csv")), "after");
}

TEST_F(OutputFileDeathTest, WhatIsNoRegularFileIsWrittenToAsItIs) {
  const std::string path = Path("pipe");
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_EXIT(
      {
        if (::fork() == 0) {
          WriteText(path, "through");
          std::_Exit(0);
        }
        std::_Exit(Content(path) == "through" ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
  EXPECT_TRUE(fs::is_fifo(path));
}

TEST_F(OutputFileTest, WhatCannotBeCreatedIsNamed) {
  const std::string path = Path("missing/rows.csv");
  try {
    OutputFile file(path);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kIo);
    EXPECT_EQ(error.message(), path + ": No such file or directory");
  }
  EXPECT_THROW(OutputFile(folder_.string()), Error);
}

}  // namespace
}  // namespace nunatak::cli
