#include "nunatak/plan/task_binary.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "nunatak/base/error.h"
#include "nunatak/plan/content_file_binary.h"
#include "nunatak/plan/file_scan_task_json.h"
#include "nunatak/plan/splits.h"
#include "nunatak/plan/task_bytes.h"
#include "plan/same_task.h"
#include "random_plans.h"

namespace nunatak {
namespace {

using namespace std::string_literals;

constexpr int64_t kMaxInt64 = std::numeric_limits<int64_t>::max();
constexpr int64_t kMinInt64 = std::numeric_limits<int64_t>::min();

Schema TableSchema() {
  return Schema(3, {{.id = 1, .name = "s", .type = TypeId::kString},
                    {.id = 2, .name = "d", .type = TypeId::kDate},
                    {.id = 3, .name = "f", .type = TypeId::kFloat},
                    {.id = 4, .name = "n", .type = Type::Decimal(30, 2)}});
}

TaskSetHeader Header() {
  TaskDefinitions definitions(TableSchema());
  definitions.AddSpec(std::make_shared<const PartitionSpec>(PartitionSpec{0, {}}));
  definitions.AddSpec(std::make_shared<const PartitionSpec>(
      PartitionSpec{4,
                    {{{1}, 1000, "s", TransformId::kIdentity},
                     {{2}, 1001, "d_month", TransformId::kMonth},
                     {{3}, 1002, "f", TransformId::kIdentity},
                     {{4}, 1003, "n", TransformId::kIdentity},
                     {{9}, 1004, "gone", TransformId::kIdentity}}}));
  return {.table_uuid = "9c12d441-03fe-4693-9a96-a0705ddf69c1",
          .snapshot_id = kMaxInt64,
          .definitions = std::move(definitions),
          .projection = Schema(3, {{.id = 2, .name = "d", .type = TypeId::kDate}}),
          .name_mapping = R"([{"field-id": 1, "names": ["s"]}])",
          .past_schemas = {Schema(2, {{.id = 7, .name = "gone", .type = TypeId::kLong}}),
                           Schema(0, {{.id = 6, .name = "older", .type = TypeId::kInt}})}};
}

/// A file of which every field says something.
DataFile FullFile() {
  DataFile file;
  file.file_path = "s3://b/my dir/p=a%2Fb/ä.parquet";
  file.file_format = FileFormat::kOrc;
  file.partition_spec_id = 4;
  file.partition = {Value::Bytes("ä\0b"s), Value::Integer(-7), Value::Real(-0.0),
                    Value::Decimal(-12345678901234567LL), Value::Bytes("\x01\xFF"s)};
  file.record_count = kMaxInt64;
  file.file_size_in_bytes = kMaxInt64;
  file.metrics = {{.field_id = -3, .value_count = -1},
                  {.field_id = 1,
                   .column_size = 40,
                   .value_count = 12,
                   .null_value_count = 2,
                   .lower_bound = ""s,
                   .upper_bound = "\x0A\x00\xBC"s},
                  {.field_id = 2147483647, .nan_value_count = kMinInt64}};
  file.metric_maps = 0b111111;
  file.key_metadata = "\x00\x7F"s;
  file.split_offsets = {{4, 1000, kMaxInt64}};
  file.equality_ids = {{1, -1, 2147483647}};
  file.sort_order_id = -2147483647;
  file.first_row_id = 0;
  file.referenced_data_file = "";
  file.content_offset = 4;
  file.content_size_in_bytes = 44;
  return file;
}

FileScanTask TaskOf(DataFile file, const TaskSetHeader& header, std::string_view filter = "") {
  FileScanTask task;
  task.spec = header.definitions.spec(file.partition_spec_id);
  task.data_file = std::make_shared<const DataFile>(std::move(file));
  task.residual =
      std::make_shared<const BoundFilter>(BindFilter(filter, header.definitions.schema()));
  task.data_sequence_number = 5;
  task.length = 100;
  return task;
}

std::shared_ptr<const DeleteFile> Deletes(DataFile file, FileContent content) {
  file.content = content;
  return std::make_shared<const DeleteFile>(DeleteFile{std::move(file), kMaxInt64});
}

/// Three files, of which the first is in two parts; three deletes; two residuals.
std::vector<FileScanTask> SomeTasks(const TaskSetHeader& header) {
  DataFile plain;
  plain.file_path = "s3://b/my dir/plain.avro";
  plain.file_format = FileFormat::kAvro;
  const auto positions = Deletes(FullFile(), FileContent::kPositionDeletes);
  const auto equality = Deletes(FullFile(), FileContent::kEqualityDeletes);
  std::vector<FileScanTask> tasks;
  tasks.push_back(TaskOf(FullFile(), header, "s = 'x' and d < '2026-01-01'"));
  tasks[0].deletes = {positions, equality};
  tasks.push_back(tasks[0]);
  tasks[1].start = 100;
  tasks[1].length = kMaxInt64 - 100;
  tasks.push_back(TaskOf(plain, header));
  tasks[2].data_sequence_number = 0;
  tasks[2].deletes = {equality};
  DataFile other = FullFile();
  other.metrics.clear();
  other.metric_maps = 0;
  tasks.push_back(TaskOf(other, header, "s = 'x' and d < '2026-01-01'"));
  return tasks;
}

void ExpectReadBack(const TaskSetHeader& header, const std::vector<FileScanTask>& tasks) {
  const std::string bytes = TasksToBinary(header, tasks);
  const std::vector<FileScanTask> again = TasksFromBinary(AsBytes(bytes));
  ASSERT_EQ(again.size(), tasks.size());
  for (size_t i = 0; i < tasks.size(); ++i) {
    SCOPED_TRACE(i);
    ExpectSameTask(again[i], tasks[i]);
  }
}

TEST(TaskBinary, TheHeaderReadsBack) {
  const TaskSetHeader header = Header();
  const std::string bytes = TasksToBinary(header, {});
  TaskSetReader reader(AsBytes(bytes));
  EXPECT_EQ(reader.header().table_uuid, header.table_uuid);
  EXPECT_EQ(reader.header().snapshot_id, header.snapshot_id);
  EXPECT_EQ(reader.header().definitions.schema(), header.definitions.schema());
  EXPECT_EQ(reader.header().definitions.spec_ids(), (std::vector<int32_t>{0, 4}));
  EXPECT_EQ(*reader.header().definitions.spec(4), *header.definitions.spec(4));
  EXPECT_EQ(reader.header().projection, header.projection);
  EXPECT_EQ(reader.header().name_mapping, header.name_mapping);
  EXPECT_EQ(reader.header().past_schemas, header.past_schemas);
  EXPECT_FALSE(reader.Next());
  EXPECT_FALSE(reader.Next());
}

TEST(TaskBinary, AHeaderMayLackWhatATableMayLack) {
  TaskSetHeader header = Header();
  header.table_uuid = std::nullopt;
  header.snapshot_id = std::nullopt;
  header.name_mapping = std::nullopt;
  header.past_schemas = {};
  const std::string bytes = TasksToBinary(header, {});
  const TaskSetReader reader(AsBytes(bytes));
  EXPECT_EQ(reader.header().table_uuid, std::nullopt);
  EXPECT_EQ(reader.header().snapshot_id, std::nullopt);
  EXPECT_EQ(reader.header().name_mapping, std::nullopt);
  EXPECT_TRUE(reader.header().past_schemas.empty());
}

TEST(TaskBinary, TasksReadBack) {
  const TaskSetHeader header = Header();
  ExpectReadBack(header, SomeTasks(header));
}

TEST(TaskBinary, EveryPartitionValueReadsBack) {
  const TaskSetHeader header = Header();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<std::vector<Value>> partitions = {
      {Value::Null(), Value::Null(), Value::Null(), Value::Null(), Value::Null()},
      {Value::Bytes(""), Value::Integer(0), Value::Real(nan), Value::Decimal(0), Value::Integer(9)},
      {Value::Bytes(std::string(300, 'x')), Value::Integer(2147483647), Value::Real(-infinity),
       Value::Decimal(static_cast<Int128>(kMaxInt64) * 1000000), Value::Real(0.1)},
      {Value::Bytes("\xFF"s), Value::Integer(-2147483648LL), Value::Real(0.0),
       Value::Decimal(static_cast<Int128>(kMinInt64) * 1000000),
       Value::Decimal(static_cast<Int128>(kMinInt64) * kMaxInt64)}};
  std::vector<FileScanTask> tasks;
  for (const std::vector<Value>& partition : partitions) {
    DataFile file = FullFile();
    file.partition = partition;
    tasks.push_back(TaskOf(std::move(file), header));
  }
  ExpectReadBack(header, tasks);
}

TEST(TaskBinary, EachOptionalFieldAlone) {
  const TaskSetHeader header = Header();
  const DataFile full = FullFile();
  std::vector<FileScanTask> tasks;
  const auto add = [&](auto member) {
    DataFile file;
    file.*member = full.*member;
    tasks.push_back(TaskOf(std::move(file), header));
  };
  add(&DataFile::key_metadata);
  add(&DataFile::split_offsets);
  add(&DataFile::equality_ids);
  add(&DataFile::sort_order_id);
  add(&DataFile::first_row_id);
  add(&DataFile::referenced_data_file);
  add(&DataFile::content_offset);
  add(&DataFile::content_size_in_bytes);
  add(&DataFile::metric_maps);
  add(&DataFile::file_path);
  add(&DataFile::record_count);
  ExpectReadBack(header, tasks);
}

TEST(TaskBinary, APathMayShareAnythingWithTheOneBefore) {
  const TaskSetHeader header = Header();
  std::vector<FileScanTask> tasks;
  for (const std::string& path :
       {""s, "a"s, "ab"s, "ab"s, ""s, "b"s, std::string(254, 'x'), std::string(255, 'x'),
        std::string(256, 'x'), std::string(1000, 'x') + "y", std::string(1000, 'x') + "z", "x"s}) {
    DataFile file;
    file.file_path = path;
    tasks.push_back(TaskOf(std::move(file), header));
  }
  ExpectReadBack(header, tasks);
}

TEST(TaskBinary, SplitsOfRandomTablesReadBack) {
  ForRandomPlans([](const RandomTable& table, const TableScan::Result& plan) {
    const TaskSetHeader header{.table_uuid = {},
                               .snapshot_id = 77,
                               .definitions = TaskDefinitions::Of(*table.source()),
                               .projection = table.source()->schema(),
                               .name_mapping = {}};
    std::vector<FileScanTask> splits;
    for (const FileScanTask& task : plan.tasks) {
      SplitTask(task, 1 + task.length / 3,
                [&](FileScanTask split) { splits.push_back(std::move(split)); });
    }
    ExpectReadBack(header, splits);
  });
}

TEST(TaskBinary, WhatTasksShareIsWrittenOnceAndSharedAgain) {
  const TaskSetHeader header = Header();
  DataFile file = FullFile();
  file.file_path = std::string(5000, 'p');
  FileScanTask task = TaskOf(std::move(file), header, "s = '" + std::string(3000, 'q') + "'");
  task.deletes = {Deletes(FullFile(), FileContent::kPositionDeletes)};
  std::vector<FileScanTask> tasks;
  for (int i = 0; i < 100; ++i) {
    task.start += task.length;
    // An equal residual that is not the same object.
    task.residual = std::make_shared<const BoundFilter>(*task.residual);
    tasks.push_back(task);
  }
  const std::string bytes = TasksToBinary(header, tasks);
  const size_t one = TasksToBinary(header, std::span(tasks).first(1)).size();
  EXPECT_LT(bytes.size(), one + 99 * 20);
  const std::vector<FileScanTask> again = TasksFromBinary(AsBytes(bytes));
  ASSERT_EQ(again.size(), 100u);
  EXPECT_EQ(again[99].data_file, again[0].data_file);
  EXPECT_EQ(again[99].residual, again[0].residual);
  EXPECT_EQ(again[99].deletes, again[0].deletes);
}

TEST(TaskBinary, AFileFromLongAgoIsWrittenAgain) {
  const TaskSetHeader header = Header();
  std::vector<FileScanTask> tasks;
  for (int i = 0; i < 100; ++i) {
    DataFile file;
    file.file_path = std::to_string(i);
    tasks.push_back(TaskOf(std::move(file), header));
  }
  for (int i = 99; i >= 0; --i) tasks.push_back(tasks[static_cast<size_t>(i)]);
  ExpectReadBack(header, tasks);
}

TEST(TaskBinary, TasksOutliveReaderAndBytes) {
  const TaskSetHeader header = Header();
  const std::vector<FileScanTask> tasks = SomeTasks(header);
  std::vector<FileScanTask> again;
  {
    std::string bytes = TasksToBinary(header, tasks);
    again = TasksFromBinary(AsBytes(bytes));
    std::fill(bytes.begin(), bytes.end(), '\xAA');
  }
  for (size_t i = 0; i < tasks.size(); ++i) ExpectSameTask(again[i], tasks[i]);
}

/// The tuple with another value in one place.
PartitionValues With(const PartitionValues& partition, size_t i, Value value) {
  std::vector<Value> values(partition.begin(), partition.end());
  values.at(i) = std::move(value);
  return values;
}

TEST(TaskBinary, ANestedPartitionValueIsRefusedByTheWriter) {
  const TaskSetHeader header = Header();
  DataFile file = FullFile();
  file.partition = With(file.partition, 4, Value::Nested({}));
  const std::vector<FileScanTask> tasks = {TaskOf(std::move(file), header)};
  EXPECT_THROW(TasksToBinary(header, tasks), Error);
}

/// Reads everything; the error that it ends with.
Error ErrorOf(std::string_view bytes, bool verify_checksums = true) {
  try {
    TaskSetReader reader(AsBytes(bytes), {.verify_checksums = verify_checksums});
    while (reader.Next()) continue;
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "accepted";
  return Error(ErrorCode::kIo, "");
}

bool Contains(const Error& error, std::string_view text) {
  return error.message().find(text) != std::string::npos;
}

TEST(TaskBinary, CutOffAnywhereIsAnErrorThatNamesTheByte) {
  const TaskSetHeader header = Header();
  const std::string bytes = TasksToBinary(header, SomeTasks(header));
  for (size_t size = 0; size < bytes.size(); ++size) {
    for (bool verify_checksums : {true, false}) {
      const Error error = ErrorOf(std::string_view(bytes).substr(0, size), verify_checksums);
      EXPECT_EQ(error.code(), ErrorCode::kInvalid) << size;
      EXPECT_TRUE(error.message().starts_with("byte ")) << size << ": " << error.message();
    }
  }
}

TEST(TaskBinary, BytesAfterTheEndAreAnError) {
  const std::string bytes = TasksToBinary(Header(), {});
  const Error error = ErrorOf(bytes + "x");
  EXPECT_EQ(error.message(), "byte " + std::to_string(bytes.size()) +
                                 ": 1 bytes too many in the task set, after its end record");
}

TEST(TaskBinary, AnyFlippedBitIsNoticed) {
  const TaskSetHeader header = Header();
  const std::string whole = TasksToBinary(header, SomeTasks(header));
  for (size_t bit = 0; bit < whole.size() * 8; ++bit) {
    std::string bytes = whole;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << (bit % 8)));
    const Error error = ErrorOf(bytes);
    EXPECT_TRUE(error.message().starts_with("byte ")) << error.message();
  }
}

TEST(TaskBinary, FlippedBitsUnderRightChecksumsNeverDoMoreThanFail) {
  const TaskSetHeader header = Header();
  const std::string whole = TasksToBinary(header, SomeTasks(header));
  size_t failed = 0;
  for (uint32_t seed = 0; seed < 3000; ++seed) {
    std::mt19937 random(seed);
    std::string bytes = whole;
    for (uint32_t n = 1 + random() % 3; n > 0; --n) {
      const size_t at = random() % bytes.size();
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << (random() % 8)));
    }
    try {
      TaskSetReader reader(AsBytes(bytes), {.verify_checksums = false});
      while (std::optional<FileScanTask> task = reader.Next()) {
        // What was accepted can be shown.
        TaskToJson(*task, reader.header().definitions, std::make_unique<DeleteReferences>().get());
      }
    } catch (const Error& error) {
      ++failed;
      EXPECT_TRUE(error.code() == ErrorCode::kInvalid || error.code() == ErrorCode::kUnsupported)
          << "seed " << seed << ": " << error.message();
    }
  }
  EXPECT_GT(failed, 1000u);
}

TEST(TaskBinary, OtherVersionsAreRefusedByName) {
  std::string bytes = TasksToBinary(Header(), {});
  bytes[7] = 2;
  const Error error = ErrorOf(bytes);
  EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
  EXPECT_TRUE(Contains(error, "of version 2; this build reads version 1")) << error.message();
}

TEST(TaskBinary, OtherFilesAreRefused) {
  for (std::string_view bytes : {"", "PAR1", "{\"tasks\": []}", "NNTASK"}) {
    EXPECT_EQ(ErrorOf(bytes).code(), ErrorCode::kInvalid);
    EXPECT_TRUE(Contains(ErrorOf(bytes), "no set of scan tasks")) << bytes;
  }
}

/// A task set of one header and the given records, without right checksums.
std::string WithRecords(const std::vector<std::pair<char, std::string>>& records) {
  const std::string empty = TasksToBinary(Header(), {});
  constexpr size_t kEndRecord = 1 + 1 + 1 + 4;
  std::string bytes = empty.substr(0, empty.size() - kEndRecord);
  for (const auto& [kind, content] : records) {
    bytes.push_back(kind);
    AppendText(content, &bytes);
    bytes.append(4, '\0');
  }
  return bytes;
}

std::string Longs(const std::vector<int64_t>& numbers) {
  std::string bytes;
  for (int64_t number : numbers) AppendLong(number, &bytes);
  return bytes;
}

std::string FileBytes(const DataFile& file) {
  std::string bytes;
  ContentFileEncoder().Append(file, &bytes);
  return bytes;
}

/// A task of a new file: its content, but for the file.
std::string TaskBytes(const DataFile& file, const std::vector<int64_t>& rest) {
  return Longs({0}) + FileBytes(file) + Longs(rest);
}

TEST(TaskBinary, RecordsThatMakeNoSenseAreErrors) {
  DataFile file;
  file.file_path = "f";
  DataFile deletes = file;
  deletes.content = FileContent::kPositionDeletes;
  DataFile unknown_spec = file;
  unknown_spec.partition_spec_id = 5;
  DataFile misfit = FullFile();
  misfit.partition = With(misfit.partition, 1, Value::Bytes("May"));
  DataFile too_great = FullFile();
  too_great.partition = With(too_great.partition, 1, Value::Integer(kMaxInt64));
  DataFile too_few = FullFile();
  too_few.partition = std::vector<Value>(too_few.partition.begin(), too_few.partition.end() - 1);
  DataFile unsorted = file;
  unsorted.metrics = {{.field_id = 2, .value_count = 1}, {.field_id = 2, .value_count = 1}};
  DataFile other_metrics = file;
  other_metrics.metric_maps = 64;
  const std::pair<char, std::string> always = {'R', "true"};
  struct Case {
    std::vector<std::pair<char, std::string>> records;
    std::string_view message;
  };
  const Case cases[] = {
      {{{'?', ""}}, "kind 63"},
      {{{'H', "{}"}}, "a second header"},
      {{{'R', "{"}}, "residual: "},
      {{{'R', R"({"type": "is-null", "term": "gone"})"}}, "gone"},
      {{always, {'R', "7"}}, "residual: "},
      {{{'E', Longs({1})}}, "1 tasks were written, 0 read"},
      {{{'E', Longs({0, 0})}}, "1 bytes too many in the end record"},
      {{{'D', FileBytes(file) + Longs({1})}}, "a data file among the delete files"},
      {{{'D', FileBytes(deletes) + Longs({1, 2})}}, "1 bytes too many in a delete file"},
      {{{'T', Longs({1})}}, "the data file is 1, not from 0 to 0"},
      {{{'T', Longs({-1})}}, "the data file is -1"},
      {{always, {'T', TaskBytes(deletes, {5, 0, 9, 0, 0})}}, "is a delete file"},
      {{always, {'T', TaskBytes(file, {5, -1, 9, 0, 0})}}, "the start is -1"},
      {{always, {'T', TaskBytes(file, {5, 0, -9, 0, 0})}}, "the length is -9"},
      {{always, {'T', TaskBytes(file, {5, 2, kMaxInt64 - 1, 0, 0})}}, "the length is 922"},
      {{always, {'T', TaskBytes(file, {5, 0, 9, 1, 0})}}, "number 1 of 1 residuals"},
      {{always, {'T', TaskBytes(file, {5, 0, 9, 0, 1, 0})}}, "number 0 of 0 delete files"},
      {{always, {'T', TaskBytes(file, {5, 0, 9, 0, 7})}}, "7 delete files do not fit"},
      {{always, {'T', TaskBytes(file, {5, 0, 9, 0, -1})}}, "-1 delete files do not fit"},
      {{always, {'T', TaskBytes(file, {5, 0, 9, 0, 0, 0})}}, "1 bytes too many in a task"},
      {{{'T', TaskBytes(unknown_spec, {})}}, "no partition spec has the id 5"},
      {{{'T', TaskBytes(misfit, {})}}, "'d_month' is no int"},
      {{{'T', TaskBytes(too_great, {})}}, "'d_month' is no int"},
      {{{'T', TaskBytes(too_few, {})}}, "4 partition values, but the spec has 5 fields"},
      {{{'T', TaskBytes(unsorted, {})}}, "the step to the next field id is 0"},
      {{{'T', TaskBytes(other_metrics, {})}}, "metrics that nobody knows"},
      {{{'T', Longs({0}) + "\x03"}}, "there is no file content 3"},
      {{{'T', Longs({0}) + "\x00\x04"s}}, "there is no file format 4"},
      {{{'T', Longs({0}) + "\x00\x02\x01"s}}, "1 bytes of a path of 0"},
      {{{'T', Longs({0}) + "\x00\x02\x00\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"s}},
       "more than 64 bits"},
  };
  for (const Case& c : cases) {
    const Error error = ErrorOf(WithRecords(c.records), /*verify_checksums=*/false);
    EXPECT_TRUE(Contains(error, c.message)) << c.message << " in " << error.message();
    EXPECT_TRUE(error.message().starts_with("byte ")) << error.message();
  }
}

TEST(TaskBinary, TheHeaderMustBeOne) {
  const auto with_header = [](std::string_view text) {
    std::string bytes = "NNTASKS\x01H";
    AppendText(text, &bytes);
    return bytes + std::string(4, '\0');
  };
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"", "header: "},
      {"[]", "header: "},
      {"{}", "schema"},
      {R"({"schema": {"type": "struct", "fields": [{"id": 1}]}})", "schema: "},
      {R"({"schema": {"type": "struct", "fields": []}, "partition-specs": [7]})",
       "partition-specs[0]"},
      {R"({"schema": {"type": "struct", "fields": []}, "projection": 7})", "projection"},
  };
  for (const auto& [text, message] : cases) {
    const Error error = ErrorOf(with_header(text), /*verify_checksums=*/false);
    EXPECT_TRUE(Contains(error, message)) << error.message();
    EXPECT_TRUE(error.message().starts_with("byte 8: header: ")) << error.message();
  }
  EXPECT_TRUE(Contains(ErrorOf("NNTASKS\x01T\x01"s + std::string(5, '\0'), false), "byte"));
}

}  // namespace
}  // namespace nunatak
