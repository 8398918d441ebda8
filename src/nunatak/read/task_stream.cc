#include "nunatak/read/task_stream.h"

#include <arrow/record_batch.h>
#include <arrow/util/byte_size.h>

#include <utility>

namespace nunatak {

void TaskStream::Start() {
  if (scan_.context.executor == nullptr) return;
  {
    std::lock_guard lock(mutex_);
    if (work_ != Work::kNone || finished_ || ready_bytes_ >= scan_.ready_bytes) return;
    work_ = Work::kSubmitted;
  }
  scan_.context.executor->Submit([self = shared_from_this()] { self->RunSubmitted(); });
}

void TaskStream::RunSubmitted() {
  std::unique_lock lock(mutex_);
  // Someone else may have done it, or the stream may have been cancelled.
  if (work_ != Work::kSubmitted) return;
  work_ = Work::kRunning;
  while (!finished_ && ready_bytes_ < scan_.ready_bytes) {
    lock.unlock();
    Produce();
    lock.lock();
  }
  work_ = Work::kNone;
  changed_.notify_all();
}

void TaskStream::Prefetch() {
  {
    std::lock_guard lock(mutex_);
    if (work_ != Work::kNone || finished_ || rows_) return;
    work_ = Work::kRunning;
  }
  std::exception_ptr error;
  try {
    Open();
    rows_->Fetch();
  } catch (...) {
    error = std::current_exception();
  }
  std::lock_guard lock(mutex_);
  work_ = Work::kNone;
  if (error) {
    finished_ = true;
    error_ = std::move(error);
  }
  changed_.notify_all();
}

std::shared_ptr<arrow::RecordBatch> TaskStream::Next() {
  std::unique_lock lock(mutex_);
  while (ready_.empty() && !finished_) {
    if (work_ == Work::kRunning) {
      changed_.wait(lock);
      continue;
    }
    work_ = Work::kRunning;
    lock.unlock();
    Produce();
    lock.lock();
    work_ = Work::kNone;
  }
  if (ready_.empty()) {
    // Nobody else keeps the error: work that ends late would release it in its own thread.
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
    return nullptr;
  }
  std::shared_ptr<arrow::RecordBatch> batch = std::move(ready_.front());
  ready_.pop_front();
  ready_bytes_ -= arrow::util::TotalBufferSize(*batch);
  lock.unlock();
  Start();
  return batch;
}

void TaskStream::Cancel() {
  std::unique_lock lock(mutex_);
  finished_ = true;
  changed_.wait(lock, [this] { return work_ != Work::kRunning; });
  work_ = Work::kNone;
  rows_.reset();
  ready_.clear();
  error_ = nullptr;
}

void TaskStream::Produce() {
  std::shared_ptr<arrow::RecordBatch> batch;
  std::exception_ptr error;
  try {
    batch = ReadNext();
  } catch (...) {
    error = std::current_exception();
  }
  if (batch == nullptr) rows_.reset();
  std::lock_guard lock(mutex_);
  if (batch != nullptr) {
    ready_bytes_ += arrow::util::TotalBufferSize(*batch);
    ready_.push_back(std::move(batch));
  } else {
    finished_ = true;
    error_ = std::move(error);
  }
  changed_.notify_all();
}

void TaskStream::Open() {
  rows_.emplace(*scan_.io, scan_.context, task_.data_file->file_path,
                OpenTask(*scan_.io, scan_.context, scan_.request, task_, scan_.deletes.For(task_),
                         &scan_.tails));
}

std::shared_ptr<arrow::RecordBatch> TaskStream::ReadNext() {
  if (!rows_) Open();
  return rows_->Next();
}

}  // namespace nunatak
