#include "nunatak/read/open_decoder.h"

#include "read/scan_fixture.h"

namespace nunatak {
namespace {

class OpenDecoderTest : public ScanTest {};

TEST_F(OpenDecoderTest, AStaleRecordedSizeIsCorrected) {
  DataFile file;
  file.file_path = WriteCounting(10);
  const int64_t size = io_->Size(file.file_path);
  for (const int64_t recorded : {size + 1000, size - 1, int64_t{0}, int64_t{-5}, int64_t{3}}) {
    file.file_size_in_bytes = recorded;
    const std::unique_ptr<FileDecoder> decoder = OpenDecoder(*io_, Context{}, file, {});
    decoder->Start({});
    decoder->Fill({});
    EXPECT_EQ(decoder->Next().count, 10) << recorded;
  }
}

TEST_F(OpenDecoderTest, APuffinFileHasNoRows) {
  DataFile file;
  file.file_path = WriteCounting(1);
  file.file_format = FileFormat::kPuffin;
  const Error error = ErrorFrom([&] { OpenDecoder(*io_, Context{}, file, {}); });
  EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
  EXPECT_NE(error.message().find(file.file_path), std::string::npos);
}

}  // namespace
}  // namespace nunatak
