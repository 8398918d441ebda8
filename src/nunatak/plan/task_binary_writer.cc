#include <algorithm>
#include <deque>
#include <nlohmann/json.hpp>
#include <utility>

#include "nunatak/base/hash.h"
#include "nunatak/plan/content_file_binary.h"
#include "nunatak/plan/file_scan_task_json.h"
#include "nunatak/plan/task_binary.h"
#include "nunatak/plan/task_bytes.h"
#include "nunatak/plan/task_set_format.h"

namespace nunatak {

class TaskSetWriter::Impl {
 public:
  Impl(const TaskSetHeader& header, Sink sink) : sink_(std::move(sink)) {
    std::string start(kTaskSetMagic);
    start.push_back(static_cast<char>(kTaskSetVersion));
    sink_(start);
    content_ = TaskSetHeaderToJson(header).dump();
    PutRecord(TaskRecord::kHeader);
  }

  void Add(const FileScanTask& task) {
    const int64_t residual = ResidualIndex(task.residual);
    std::vector<int64_t> deletes;
    for (const auto& file : task.deletes) deletes.push_back(DeleteIndex(file));
    PutDataFile(task.data_file);
    AppendLong(task.data_sequence_number, &content_);
    AppendLong(task.start, &content_);
    AppendLong(task.length, &content_);
    AppendLong(residual, &content_);
    AppendLong(static_cast<int64_t>(deletes.size()), &content_);
    for (int64_t index : deletes) AppendLong(index, &content_);
    PutRecord(TaskRecord::kTask);
    ++tasks_;
  }

  void Finish() {
    AppendLong(tasks_, &content_);
    PutRecord(TaskRecord::kEnd);
  }

 private:
  /// Writes the record whose content was gathered.
  void PutRecord(TaskRecord kind) {
    record_.clear();
    record_.push_back(static_cast<char>(kind));
    AppendText(content_, &record_);
    content_.clear();
    const uint32_t crc = Crc32(AsBytes(record_));
    record_.append(reinterpret_cast<const char*>(&crc), sizeof(crc));
    sink_(record_);
  }

  int64_t ResidualIndex(const std::shared_ptr<const BoundFilter>& residual) {
    if (residual == last_residual_) return last_residual_index_;
    const auto next = static_cast<int64_t>(residuals_.size());
    const auto [at, is_new] = residuals_.try_emplace(FilterToJson(*residual).dump(), next);
    if (is_new) {
      content_ = at->first;
      PutRecord(TaskRecord::kResidual);
    }
    last_residual_ = residual;
    last_residual_index_ = at->second;
    return at->second;
  }

  int64_t DeleteIndex(const std::shared_ptr<const DeleteFile>& file) {
    const size_t known = deletes_.files().size();
    const size_t index = deletes_.IndexOf(file);
    if (index == known) {
      files_.Append(file->file, &content_);
      AppendLong(file->data_sequence_number, &content_);
      PutRecord(TaskRecord::kDeleteFile);
    }
    return static_cast<int64_t>(index);
  }

  /// 0 and the file, or how many files ago it was written.
  void PutDataFile(const std::shared_ptr<const DataFile>& file) {
    const auto at = std::find(window_.begin(), window_.end(), file);
    if (at != window_.end()) return AppendLong(at - window_.begin() + 1, &content_);
    AppendLong(0, &content_);
    files_.Append(*file, &content_);
    window_.push_front(file);
    if (window_.size() > kTaskSetFileWindow) window_.pop_back();
  }

  Sink sink_;
  std::string content_;
  std::string record_;
  ContentFileEncoder files_;
  DeleteReferences deletes_;
  /// By JSON text. Tasks of one partition share the object.
  std::unordered_map<std::string, int64_t> residuals_;
  std::shared_ptr<const BoundFilter> last_residual_;
  int64_t last_residual_index_ = -1;
  /// The latest first. Kept alive, so that no other file can have the address of one of them.
  std::deque<std::shared_ptr<const DataFile>> window_;
  int64_t tasks_ = 0;
};

TaskSetWriter::TaskSetWriter(const TaskSetHeader& header, Sink sink)
    : impl_(std::make_unique<Impl>(header, std::move(sink))) {}
TaskSetWriter::~TaskSetWriter() = default;
TaskSetWriter::TaskSetWriter(TaskSetWriter&&) noexcept = default;
TaskSetWriter& TaskSetWriter::operator=(TaskSetWriter&&) noexcept = default;

void TaskSetWriter::Add(const FileScanTask& task) { impl_->Add(task); }
void TaskSetWriter::Finish() { impl_->Finish(); }

std::string TasksToBinary(const TaskSetHeader& header, std::span<const FileScanTask> tasks) {
  std::string out;
  TaskSetWriter writer(header, [&](std::string_view bytes) { out.append(bytes); });
  for (const FileScanTask& task : tasks) writer.Add(task);
  writer.Finish();
  return out;
}

}  // namespace nunatak
