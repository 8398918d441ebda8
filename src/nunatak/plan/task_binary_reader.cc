#include <fmt/format.h>

#include <deque>
#include <limits>
#include <utility>

#include "nunatak/base/error.h"
#include "nunatak/base/hash.h"
#include "nunatak/plan/content_file_binary.h"
#include "nunatak/plan/file_scan_task_json.h"
#include "nunatak/plan/task_binary.h"
#include "nunatak/plan/task_bytes.h"
#include "nunatak/plan/task_set_format.h"

namespace nunatak {
namespace {

constexpr int64_t kMaxInt64 = std::numeric_limits<int64_t>::max();

/// A record whose frame is right.
struct Record {
  uint8_t kind = 0;
  /// Of the record, in the input.
  size_t offset = 0;
  TaskBytesReader content;
};

/// Takes records apart.
class RecordReader {
 public:
  RecordReader(ByteSpan bytes, const TaskSetReadOptions& options)
      : bytes_(bytes), in_(bytes), options_(options) {}

  void CheckMagic() {
    const std::string_view magic = AsText(bytes_).substr(0, kTaskSetMagic.size());
    if (magic != kTaskSetMagic) {
      ThrowInvalid("byte 0: this is no set of scan tasks: it does not start with NNTASKS");
    }
    in_.Bytes(kTaskSetMagic.size(), "the magic");
    const uint8_t version = in_.Byte();
    if (version != kTaskSetVersion) {
      ThrowUnsupported(fmt::format("byte {}: a set of scan tasks of version {}; this build reads "
                                   "version {}",
                                   kTaskSetMagic.size(), version, kTaskSetVersion),
                       "plan and read with the same version of nunatak");
    }
  }

  Record Next() {
    const size_t start = in_.offset();
    if (in_.remaining() == 0) in_.Fail("the data ends before the end record: it was cut off");
    const uint8_t kind = in_.Byte();
    const size_t size = in_.Count(1, "bytes of a record");
    const size_t content_start = in_.offset();
    const ByteSpan content = in_.Bytes(size, "a record");
    const size_t end = in_.offset();
    const ByteSpan crc = in_.Bytes(sizeof(uint32_t), "a checksum");
    if (options_.verify_checksums &&
        LoadLittleEndian<uint32_t>(crc.data()) != Crc32(bytes_.subspan(start, end - start))) {
      TaskBytesReader::FailAt(start, "the checksum of the record is wrong: it is damaged");
    }
    return {kind, start, TaskBytesReader(content, content_start)};
  }

  void ExpectEnd() const { in_.ExpectEnd("the task set, after its end record"); }

 private:
  ByteSpan bytes_;
  TaskBytesReader in_;
  TaskSetReadOptions options_;
};

/// Reads the rest of a record as JSON; errors name the record's byte.
template <typename Read>
auto ReadJson(Record record, std::string_view what, Read read) {
  return WithContext(fmt::format("byte {}: {}", record.offset, what), [&] {
    const size_t size = record.content.remaining();
    const JsonDocument document = JsonDocument::Parse(AsText(record.content.Bytes(size, what)));
    return read(document.root());
  });
}

TaskSetHeader ReadHeader(RecordReader* records) {
  records->CheckMagic();
  Record record = records->Next();
  if (record.kind != static_cast<uint8_t>(TaskRecord::kHeader)) {
    TaskBytesReader::FailAt(record.offset, "the first record is not the header");
  }
  return ReadJson(record, "header", TaskSetHeaderFromJson);
}

}  // namespace

class TaskSetReader::Impl {
 public:
  Impl(ByteSpan bytes, const TaskSetReadOptions& options)
      : records_(bytes, options), header_(ReadHeader(&records_)), files_(header_.definitions) {}

  const TaskSetHeader& header() const { return header_; }

  std::optional<FileScanTask> Next() {
    while (!ended_) {
      Record record = records_.Next();
      switch (static_cast<TaskRecord>(record.kind)) {
        case TaskRecord::kResidual:
          residuals_.push_back(ReadJson(record, "residual", [&](Json json) {
            return ResidualFromJson(json, header_.definitions.schema());
          }));
          break;
        case TaskRecord::kDeleteFile:
          deletes_.push_back(ReadDeleteFile(&record.content));
          break;
        case TaskRecord::kTask:
          ++tasks_;
          return ReadTask(&record.content);
        case TaskRecord::kEnd:
          ReadEnd(&record.content);
          break;
        case TaskRecord::kHeader:
          TaskBytesReader::FailAt(record.offset, "a second header");
        default:
          ThrowUnsupported(fmt::format("byte {}: no record is known of the kind {}", record.offset,
                                       record.kind));
      }
    }
    return std::nullopt;
  }

 private:
  std::shared_ptr<const DeleteFile> ReadDeleteFile(TaskBytesReader* in) {
    auto file = std::make_shared<DeleteFile>();
    const size_t start = in->offset();
    file->file = files_.Read(in);
    if (file->file.is_data()) TaskBytesReader::FailAt(start, "a data file among the delete files");
    file->data_sequence_number = in->Long();
    in->ExpectEnd("a delete file");
    return file;
  }

  FileScanTask ReadTask(TaskBytesReader* in) {
    FileScanTask task;
    task.data_file = ReadDataFile(in);
    task.spec = header_.definitions.spec(task.data_file->partition_spec_id);
    task.data_sequence_number = in->Long();
    task.start = in->LongIn(0, kMaxInt64, "the start");
    task.length = in->LongIn(0, kMaxInt64 - task.start, "the length");
    task.residual = At(residuals_, in, "residuals");
    const size_t deletes = in->Count(1, "delete files");
    task.deletes.reserve(deletes);
    for (size_t i = 0; i < deletes; ++i) {
      task.deletes.push_back(At(deletes_, in, "delete files"));
    }
    in->ExpectEnd("a task");
    return task;
  }

  std::shared_ptr<const DataFile> ReadDataFile(TaskBytesReader* in) {
    const size_t start = in->offset();
    const int64_t back = in->LongIn(0, static_cast<int64_t>(window_.size()), "the data file");
    if (back > 0) return window_[static_cast<size_t>(back - 1)];
    auto file = std::make_shared<const DataFile>(files_.Read(in));
    if (!file->is_data()) TaskBytesReader::FailAt(start, "the file of a task is a delete file");
    window_.push_front(file);
    if (window_.size() > kTaskSetFileWindow) window_.pop_back();
    return file;
  }

  /// What the next number refers to in a list.
  template <typename T>
  static const T& At(const std::vector<T>& list, TaskBytesReader* in, std::string_view what) {
    const size_t start = in->offset();
    const int64_t index = in->Long();
    if (index < 0 || static_cast<uint64_t>(index) >= list.size()) {
      TaskBytesReader::FailAt(start, fmt::format("number {} of {} {}", index, list.size(), what));
    }
    return list[static_cast<size_t>(index)];
  }

  void ReadEnd(TaskBytesReader* in) {
    const size_t start = in->offset();
    const int64_t tasks = in->Long();
    if (tasks != tasks_) {
      TaskBytesReader::FailAt(start, fmt::format("{} tasks were written, {} read", tasks, tasks_));
    }
    in->ExpectEnd("the end record");
    records_.ExpectEnd();
    ended_ = true;
  }

  RecordReader records_;
  TaskSetHeader header_;
  ContentFileDecoder files_;
  std::vector<std::shared_ptr<const DeleteFile>> deletes_;
  std::vector<std::shared_ptr<const BoundFilter>> residuals_;
  /// The latest first.
  std::deque<std::shared_ptr<const DataFile>> window_;
  int64_t tasks_ = 0;
  bool ended_ = false;
};

TaskSetReader::TaskSetReader(ByteSpan bytes, const TaskSetReadOptions& options)
    : impl_(std::make_unique<Impl>(bytes, options)) {}
TaskSetReader::~TaskSetReader() = default;
TaskSetReader::TaskSetReader(TaskSetReader&&) noexcept = default;
TaskSetReader& TaskSetReader::operator=(TaskSetReader&&) noexcept = default;

const TaskSetHeader& TaskSetReader::header() const { return impl_->header(); }
std::optional<FileScanTask> TaskSetReader::Next() { return impl_->Next(); }

std::vector<FileScanTask> TasksFromBinary(ByteSpan bytes) {
  TaskSetReader reader(bytes);
  std::vector<FileScanTask> tasks;
  while (std::optional<FileScanTask> task = reader.Next()) tasks.push_back(std::move(*task));
  return tasks;
}

}  // namespace nunatak
