#include "nunatak/io/file_io.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "nunatak/base/error.h"

namespace nunatak {
namespace {

class LocalFileIOTest : public testing::Test {
 protected:
  void SetUp() override {
    directory_ = testing::TempDir() + "nunatak io %2F test";
    std::filesystem::create_directories(directory_);
    path_ = directory_ + "/a+b=c.bin";
    std::ofstream(path_) << "0123456789";
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::string directory_;
  std::string path_;
  std::shared_ptr<FileIO> io_ = MakeLocalFileIO();
};

ErrorCode CodeOf(const std::function<void()>& call, std::string* message = nullptr) {
  try {
    call();
  } catch (const Error& error) {
    if (message) *message = error.message();
    return error.code();
  }
  ADD_FAILURE() << "no error";
  return ErrorCode::kUsage;
}

TEST_F(LocalFileIOTest, WhatIsNoRegularFileIsRefusedAtOnce) {
  const std::string pipe = directory_ + "/pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& location : {pipe, std::string("/dev/null"), directory_}) {
    std::string message;
    EXPECT_EQ(CodeOf([&] { io_->ReadAll(location); }, &message), ErrorCode::kIo);
    EXPECT_NE(message.find(location == directory_ ? "is a directory" : "is not a regular file"),
              std::string::npos)
        << message;
  }
}

TEST_F(LocalFileIOTest, ReadsEverySpelling) {
  for (const std::string& location : {path_, "file:" + path_, "file://" + path_}) {
    EXPECT_EQ(AsText(io_->ReadAll(location).bytes), "0123456789") << location;
    EXPECT_EQ(io_->Size(location), 10);
  }
}

TEST_F(LocalFileIOTest, FetchesRangesAndCountsThem) {
  const std::vector<FetchRequest> requests = {
      {path_, {0, 3}}, {path_, {7, 3}}, {path_, {5, 0}}, {path_, {10, 0}}};
  std::vector<std::string> got(requests.size());
  io_->Fetch(Context{}, requests,
             [&](size_t i, Buffer bytes) { got[i] = std::string(AsText(bytes.bytes)); });
  EXPECT_EQ(got, (std::vector<std::string>{"012", "789", "", ""}));
  EXPECT_EQ(io_->counters().requests, 4);
  EXPECT_EQ(io_->counters().bytes_read, 6);
}

TEST_F(LocalFileIOTest, RefusesRangesOutsideTheFile) {
  for (const ByteRange range : {ByteRange{8, 3}, {11, 0}, {-1, 2}, {0, INT64_MAX}, {5, -1}}) {
    const std::vector<FetchRequest> requests = {{path_, range}};
    std::string message;
    EXPECT_EQ(
        CodeOf([&] { io_->Fetch(Context{}, requests, [](size_t, const Buffer&) {}); }, &message),
        ErrorCode::kInvalid);
    EXPECT_NE(message.find("has 10 bytes"), std::string::npos) << message;
    EXPECT_NE(message.find(path_), std::string::npos) << message;
  }
}

TEST_F(LocalFileIOTest, ReadsTheTail) {
  int64_t size = 0;
  EXPECT_EQ(AsText(io_->ReadTail(path_, 4, &size).bytes), "6789");
  EXPECT_EQ(size, 10);
  EXPECT_EQ(io_->ReadTail(path_, 400, &size).size(), 10u);
}

TEST_F(LocalFileIOTest, ListsADirectoryInOrder) {
  std::filesystem::create_directory(directory_ + "/sub");
  const std::vector<FileInfo> files = io_->List("file://" + directory_);
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[0].location, "file://" + directory_ + "/a+b=c.bin");
  EXPECT_EQ(files[0].size, 10);
  EXPECT_TRUE(files[1].is_directory);
}

TEST_F(LocalFileIOTest, NamesWhatIsMissingAsItWasSpelledAndMapped) {
  LocationMap map;
  map.Add("s3://bucket/t", directory_);
  const auto moved = io_->WithLocations(map);
  EXPECT_EQ(moved->Size("s3a://bucket/t/a+b=c.bin"), 10);
  std::string message;
  EXPECT_EQ(CodeOf([&] { moved->ReadAll("s3://bucket/t/none"); }, &message), ErrorCode::kNotFound);
  EXPECT_NE(message.find("s3://bucket/t/none (mapped to " + directory_ + "/none)"),
            std::string::npos)
      << message;
  EXPECT_FALSE(moved->Exists("s3://bucket/t/none"));
  EXPECT_EQ(CodeOf([&] { io_->ReadAll(directory_); }), ErrorCode::kIo);
  EXPECT_EQ(CodeOf([&] { io_->List(directory_ + "/none"); }), ErrorCode::kNotFound);
}

TEST_F(LocalFileIOTest, RefusesOtherSchemesByName) {
  std::string message;
  EXPECT_EQ(CodeOf([&] { io_->ReadAll("s3a://bucket/t/m.json"); }, &message),
            ErrorCode::kUnsupported);
  EXPECT_NE(message.find("scheme 's3'"), std::string::npos) << message;
  EXPECT_EQ(CodeOf([&] { io_->List("gs://bucket/t"); }), ErrorCode::kUnsupported);
}

/// Answers each request after a delay, and counts how many wait at once.
class SlowFileIO final : public FileIO {
 public:
  std::shared_ptr<FileIO> WithLocations(LocationMap) const override { return nullptr; }
  std::atomic<int> most{0};

 protected:
  Buffer DoRead(const std::string& mapped, ByteRange range) override {
    const int now = ++waiting_;
    for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    --waiting_;
    if (mapped == "bad") throw Error(ErrorCode::kIo, "refused");
    return Buffer::From(std::vector<uint8_t>(static_cast<size_t>(range.length)));
  }
  Buffer DoReadAll(const std::string&) override { return {}; }
  int64_t DoSize(const std::string&) override { return 0; }
  std::vector<FileInfo> DoList(const std::string&) override { return {}; }

 private:
  std::atomic<int> waiting_{0};
};

TEST(FileIOFetch, KeepsMoreRequestsInFlightThanThereAreWorkers) {
  SlowFileIO io;
  const std::vector<FetchRequest> requests(40, FetchRequest{"x", {0, 1}});
  std::atomic<int> answered{0};
  io.Fetch(Context{.io_concurrency = 8}, requests, [&](size_t, const Buffer&) { ++answered; });
  EXPECT_EQ(answered, 40);
  EXPECT_GT(io.most, 1);
  EXPECT_LE(io.most, 8);
}

TEST(FileIOFetch, ThrowsOneErrorAndStopsTheRest) {
  SlowFileIO io;
  std::vector<FetchRequest> requests(1000, FetchRequest{"x", {0, 1}});
  requests[1].location = "bad";
  std::string message;
  EXPECT_EQ(
      CodeOf(
          [&] { io.Fetch(Context{.io_concurrency = 4}, requests, [](size_t, const Buffer&) {}); },
          &message),
      ErrorCode::kIo);
  EXPECT_EQ(message, "bad: refused");
  EXPECT_LT(io.counters().requests, 1000);
}

TEST(FileIOFetch, EndsWhenTheCallerStops) {
  SlowFileIO io;
  std::stop_source stop;
  stop.request_stop();
  const std::vector<FetchRequest> requests(4, FetchRequest{"x", {0, 1}});
  Context context;
  context.stop = stop.get_token();
  EXPECT_EQ(CodeOf([&] { io.Fetch(context, requests, [](size_t, const Buffer&) {}); }),
            ErrorCode::kCancelled);
  EXPECT_EQ(io.counters().requests, 0);
}

}  // namespace
}  // namespace nunatak
