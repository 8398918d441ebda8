// Damaged and hostile data and delete files, of every format: rows or one clear error, never a
// crash, a hang, or memory that the file does not account for. NUNATAK_DAMAGE multiplies the cases,
// for runs under a sanitizer; each case is the same on every run.
#include <arrow/api.h>
#include <fmt/format.h>
#include <parquet/arrow/writer.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "avro/avro_builder.h"
#include "iceberg/corpus.h"
#include "nunatak/iceberg/iceberg_source.h"
#include "nunatak/iceberg/past_schemas.h"
#include "nunatak/plan/table_scan.h"
#include "nunatak/read/arrow_schema.h"
#include "nunatak/read/name_mapping.h"
#include "nunatak/read/result.h"
#include "nunatak/read/table_reader.h"
#include "nunatak/read/text_writer.h"
#include "read/damaged_file_io.h"
#include "read/orc_fixture.h"
#include "read/random_columns.h"

namespace nunatak {
namespace {

using nunatak::testing::AvroBytes;
using nunatak::testing::AvroFile;

/// What decoding may hold at most, of files of some kilobytes.
constexpr int64_t kMaxMemory = int64_t{256} << 20;

uint32_t Times(uint32_t cases) {
  const char* given = std::getenv("NUNATAK_DAMAGE");
  return cases * (given != nullptr ? static_cast<uint32_t>(std::atoi(given)) : 1);
}

class DamagedFilesTest : public OrcTest {
 protected:
  void TearDown() override {
    std::cout << cases_ << " damaged files: " << errors_ << " errors, of which " << with_column_
              << " name a column\n";
    const int64_t most = arrow::default_memory_pool()->max_memory();
    EXPECT_LE(most, std::max(memory_before_, kMaxMemory));
    OrcTest::TearDown();
  }

  /// Reads a task of which the file at `location` is damaged.
  void ReadDamaged(const std::shared_ptr<DamagedFileIO>& io, const ReadRequest& request,
                   const FileScanTask& task, const std::string& location) {
    ++cases_;
    try {
      TableReader reader(io, Context{}, request, std::vector{task});
      TextWriter text(request.projection, {}, [](std::string_view) {});
      while (const std::shared_ptr<arrow::RecordBatch> batch = reader.Next()) {
        ExpectValid(*batch);
        text.Write(*batch);
      }
    } catch (const Error& error) {
      ExpectClear(error, location);
    }
  }

  void ExpectClear(const Error& error, const std::string& location) {
    ++errors_;
    EXPECT_NE(error.message().find(location), std::string::npos) << error.message();
    EXPECT_TRUE(error.code() == ErrorCode::kInvalid || error.code() == ErrorCode::kUnsupported ||
                error.code() == ErrorCode::kIo)
        << error.message();
    with_column_ += error.message().find("column ") != std::string::npos;
  }

  static void ExpectValid(const arrow::RecordBatch& batch) {
    const arrow::Status valid = batch.ValidateFull();
    const auto says = [&](const char* text) {
      return valid.message().find(text) != std::string::npos;
    };
    // What a value is may be wrong; where it lies may not.
    EXPECT_TRUE(valid.ok() || says("UTF8") || says("does not fit in precision") ||
                says("acceptable range"))
        << valid.ToString();
  }

  void DamageRandomly(const ReadRequest& request, const FileScanTask& task,
                      const std::string& location, uint32_t seed, uint32_t cases) {
    const auto io = std::make_shared<DamagedFileIO>();
    const std::string whole = io->Bytes(location);
    EXPECT_NO_THROW(ReadTable(TableReader(io, Context{}, request, std::vector{task})));
    Damager damager(seed);
    for (uint32_t i = 0; i < cases; ++i) {
      SCOPED_TRACE(fmt::format("{}, seed {}, case {}", location, seed, i));
      io->Put(location, damager.Damage(whole));
      ReadDamaged(io, request, task, location);
    }
  }

  /// Every cut of a file, or about `most` of them.
  void Cut(const ReadRequest& request, const FileScanTask& task, size_t most = 3000) {
    const std::string& location = task.data_file->file_path;
    const auto io = std::make_shared<DamagedFileIO>();
    const std::string whole = io->Bytes(location);
    const size_t step = whole.size() / most + 1;
    const int before = errors_;
    int cuts = 0;
    for (size_t size = 0; size < whole.size(); size += step, ++cuts) {
      SCOPED_TRACE(fmt::format("{} cut to {} bytes", location, size));
      io->Put(location, whole.substr(0, size));
      ReadDamaged(io, request, task, location);
    }
    EXPECT_EQ(errors_ - before, cuts) << "a file that was cut short had rows";
  }

  /// A column that every writer of the format can write.
  Type StoredType(RandomColumns& random, FileFormat format, int depth) {
    for (;;) {
      Type type = random.RandomType(depth);
      if (type.id() == TypeId::kUnknown) continue;
      const bool fits = format == FileFormat::kParquet || IsInOrc(type);
      if (fits) return type;
    }
  }

  /// Arrow's writer knows no attributes of types, and no names that need quotes.
  static bool IsInOrc(const Type& type) {
    switch (type.id()) {
      case TypeId::kTime:
      case TypeId::kUuid:
      case TypeId::kFixed:
      case TypeId::kTimestampNs:
      case TypeId::kTimestampTzNs:
      case TypeId::kUnknown:
        return false;
      default:
        break;
    }
    return std::all_of(type.fields().begin(), type.fields().end(),
                       [](const Field& field) { return IsInOrc(field.type); });
  }

  struct RandomRows {
    Schema schema;
    std::shared_ptr<arrow::Table> table;
  };

  RandomRows MakeRows(RandomColumns& random, FileFormat format, int64_t rows) {
    std::vector<Field> fields;
    for (int32_t i = 1; i <= 5; ++i) {
      fields.push_back(
          TableColumn(i, "c" + std::to_string(i), StoredType(random, format, i > 3 ? 2 : 0)));
    }
    RandomRows result{TableOf(std::move(fields)), nullptr};
    arrow::ArrayVector columns;
    for (const Field& field : result.schema.fields()) {
      const auto builder = arrow::MakeBuilder(ArrowTypeOf(field.type)).ValueOrDie();
      for (int64_t i = 0; i < rows; ++i) random.Append(field.type, *builder);
      columns.push_back(builder->Finish().ValueOrDie());
    }
    result.table = arrow::Table::Make(ArrowSchemaOf(result.schema), columns);
    return result;
  }

  FileScanTask WriteParquet(const arrow::Table& table, RandomColumns& random,
                            bool may_be_zstd = true) {
    constexpr parquet::Compression::type kCodecs[] = {
        parquet::Compression::UNCOMPRESSED, parquet::Compression::SNAPPY,
        parquet::Compression::GZIP, parquet::Compression::LZ4, parquet::Compression::ZSTD};
    parquet::WriterProperties::Builder properties;
    properties.compression(kCodecs[random.Below(std::size(kCodecs) - (may_be_zstd ? 0 : 1))]);
    properties.data_page_version(random.Below(2) == 0 ? parquet::ParquetDataPageVersion::V1
                                                      : parquet::ParquetDataPageVersion::V2);
    if (random.Below(2) == 0) properties.disable_dictionary();
    if (random.Below(2) == 0) properties.data_pagesize(64);
    const std::string path = Path("f.parquet");
    const auto out = arrow::io::FileOutputStream::Open(path).ValueOrDie();
    const arrow::Status status = parquet::arrow::WriteTable(table, arrow::default_memory_pool(),
                                                            out, 20, properties.build());
    if (!status.ok()) throw std::runtime_error(status.ToString());
    return TaskFor(path);
  }

  FileScanTask WriteRandomOrc(const RandomRows& rows, RandomColumns& random) {
    constexpr arrow::Compression::type kCodecs[] = {
        arrow::Compression::UNCOMPRESSED, arrow::Compression::SNAPPY, arrow::Compression::GZIP,
        arrow::Compression::ZSTD, arrow::Compression::LZ4};
    WriteOptions options;
    options.compression = kCodecs[random.Below(std::size(kCodecs))];
    options.batch_size = 16;
    options.stripe_size = 1;
    return WriteOrc(*rows.table, options);
  }

  int cases_ = 0;
  int errors_ = 0;
  int with_column_ = 0;
  int64_t memory_before_ = arrow::default_memory_pool()->max_memory();
};

TEST_F(DamagedFilesTest, ParquetOfRandomColumns) {
  for (uint32_t seed = 0; seed < Times(12); ++seed) {
    RandomColumns random(seed);
    const RandomRows rows = MakeRows(random, FileFormat::kParquet, 50);
    const FileScanTask task = WriteParquet(*rows.table, random);
    const ReadRequest request = RequestFor(rows.schema);
    DamageRandomly(request, task, task.data_file->file_path, seed, 100);
    Cut(request, task, 100);
  }
}

/// Damage that Arrow's decoder sees is no row by ours, unless it lies where nothing is lost.
TEST_F(DamagedFilesTest, BothDecodersOfParquetSeeTheDamage) {
  const auto text_of = [](const std::shared_ptr<FileIO>& io, const ReadRequest& request,
                          const FileScanTask& task) -> std::optional<std::string> {
    std::string rows;
    try {
      TableReader reader(io, Context{}, request, std::vector{task});
      TextWriter text(request.projection, {.form = TextForm::kNdjson},
                      [&](std::string_view piece) { rows += piece; });
      while (const auto batch = reader.Next()) text.Write(*batch);
      text.Finish();
    } catch (const Error&) {
      return std::nullopt;
    }
    return rows;
  };
  for (uint32_t seed = 100; seed < 100 + Times(12); ++seed) {
    RandomColumns random(seed);
    const RandomRows rows = MakeRows(random, FileFormat::kParquet, 50);
    // Versions of zstd differ in which damage they see; Arrow has one of its own.
    const FileScanTask task = WriteParquet(*rows.table, random, /*may_be_zstd=*/false);
    const std::string& location = task.data_file->file_path;
    const auto io = std::make_shared<DamagedFileIO>();
    const std::string whole = io->Bytes(location);
    ReadRequest ours = RequestFor(rows.schema);
    ReadRequest arrows = ours;
    arrows.options.only_arrow = true;
    const auto undamaged = text_of(io, ours, task);
    ASSERT_TRUE(undamaged);
    for (size_t i = 0; i < 200; ++i) {
      std::string bytes = whole;
      const size_t at = 4 + random.Below(bytes.size() - 4);
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.Below(8)));
      io->Put(location, bytes);
      const auto by_us = text_of(io, ours, task);
      const auto by_arrow = text_of(io, arrows, task);
      if (by_us && by_us != undamaged) {
        EXPECT_EQ(by_arrow, by_us) << fmt::format("seed {}, byte {}", seed, at);
      }
    }
  }
}

TEST_F(DamagedFilesTest, OrcOfRandomColumns) {
  for (uint32_t seed = 0; seed < Times(12); ++seed) {
    // What Arrow's reader of ORC has as nanoseconds does not reach further.
    RandomColumns random(seed, /*timestamp_range=*/4'000'000'000'000'000);
    const RandomRows rows = MakeRows(random, FileFormat::kOrc, 50);
    const FileScanTask task = WriteRandomOrc(rows, random);
    // The writer knows no field ids: columns are found by their names.
    const ReadRequest request = RequestFor(rows.schema);
    DamageRandomly(request, task, task.data_file->file_path, seed, 100);
    Cut(request, task, 100);
  }
}

TEST_F(DamagedFilesTest, PositionDeletesOfEveryFormat) {
  const ReadRequest request = RequestFor(TableOf({TableColumn(1, "id", TypeId::kLong)}));
  FileScanTask task = TaskFor(WriteCounting(100));
  const std::string path = task.data_file->file_path;
  DeletePositions(task, {path, path, path}, {1, 50, 99});
  const FileScanTask orc = WriteOrc({OrcColumn(2147483546, "file_path", arrow::utf8()),
                                     OrcColumn(2147483545, "pos", arrow::int64())},
                                    R"([[")" + path + R"(", 1], [")" + path + R"(", 3]])");
  const std::string avro = AvroFile{.schema = R"({"type": "record", "name": "r", "fields": [
                   {"name": "file_path", "type": "string", "field-id": 2147483546},
                   {"name": "pos", "type": "long", "field-id": 2147483545}]})",
                                    .codec = "deflate",
                                    .blocks = {{AvroBytes().Text(path).Long(7).bytes()},
                                               {AvroBytes().Text(path).Long(8).bytes()}}}
                               .Write();
  const std::string avro_path = WriteBytes("deletes.avro", avro);
  DataFile files[] = {task.deletes[0]->file, *orc.data_file, *TaskFor(avro_path).data_file};
  files[2].file_format = FileFormat::kAvro;
  uint32_t seed = 0;
  for (DataFile& file : files) {
    auto deletes = std::make_shared<DeleteFile>();
    deletes->file = file;
    deletes->file.content = FileContent::kPositionDeletes;
    task.deletes = {deletes};
    DamageRandomly(request, task, file.file_path, ++seed, Times(400));
  }
}

TEST_F(DamagedFilesTest, EqualityDeletes) {
  const ReadRequest request = RequestFor(
      TableOf({TableColumn(1, "id", TypeId::kLong), TableColumn(2, "s", TypeId::kString)}));
  FileScanTask task =
      TaskFor(Write({FileColumn(1, "id", arrow::int64()), FileColumn(2, "s", arrow::utf8())},
                    R"([[1, "a"], [2, null], [3, "c"]])"));
  task.deletes = {
      WriteKeys({1, 2}, {FileColumn(1, "id", arrow::int64()), FileColumn(2, "s", arrow::utf8())},
                R"([[1, "a"], [2, null], [9, "x"]])")};
  DamageRandomly(request, task, task.deletes[0]->file.file_path, 1, Times(800));
}

/// Every data and delete file of every table at hand, as its writer wrote it.
TEST_F(DamagedFilesTest, FilesOfOtherWriters) {
  for (const std::filesystem::path& directory : iceberg::TablesAtHand()) {
    const iceberg::Table table =
        iceberg::OpenTable(MakeLocalFileIO(), directory.string(), {.moved = true});
    const auto source =
        iceberg::MakeSnapshotSource(table, iceberg::ChooseSnapshot(*table.metadata, {}));
    ReadRequest request = RequestFor(source->schema());
    const auto mapping = table.metadata->FindProperty(kNameMappingProperty);
    if (mapping) request.name_mapping = NameMapping::Parse(*mapping);
    request.past_schema = [metadata = table.metadata](int32_t field_id) {
      return iceberg::PastSchemaWith(*metadata, field_id);
    };
    const auto io = std::make_shared<DamagedFileIO>(table.io->locations());
    std::vector<FileScanTask> tasks =
        TableScan(source, BindFilter("", source->schema())).PlanFiles(Context{}).tasks;
    if (tasks.size() > 3) tasks.resize(3);
    uint32_t seed = 0;
    for (const FileScanTask& task : tasks) {
      std::vector<std::string> locations = {task.data_file->file_path};
      for (const auto& deletes : task.deletes) locations.push_back(deletes->file.file_path);
      if (locations.size() > 4) locations.resize(4);
      for (const std::string& location : locations) {
        const std::string whole = io->Bytes(location);
        Damager damager(++seed);
        for (uint32_t i = 0; i < Times(5); ++i) {
          SCOPED_TRACE(
              fmt::format("{} of {}, seed {}, case {}", location, directory.string(), seed, i));
          io->Put(location, damager.Damage(whole));
          ReadDamaged(io, request, task, location);
        }
        io->Put(location, whole);
      }
    }
  }
}

TEST_F(DamagedFilesTest, AnErrorInAPageNamesTheColumn) {
  const auto io = std::make_shared<DamagedFileIO>();
  const Schema table =
      TableOf({TableColumn(1, "id", TypeId::kLong), TableColumn(2, "name", TypeId::kString)});
  const std::string parquet =
      Write({FileColumn(1, "id", arrow::int64()), FileColumn(2, "name", arrow::utf8())},
            R"([[1, "first name"], [2, "second name"], [3, "third name"]])", {.dictionary = false});
  std::string bytes = io->Bytes(parquet);
  // The length before the text, of which the statistics have no copy.
  const size_t at = bytes.find("second name") - 4;
  bytes[at + 3] = '\x70';
  io->Put(parquet, bytes);
  const Error error = ErrorFrom(
      [&] { TableReader(io, Context{}, RequestFor(table), std::vector{TaskFor(parquet)}).Next(); });
  EXPECT_EQ(error.code(), ErrorCode::kInvalid);
  EXPECT_TRUE(error.message().starts_with(parquet + ": column name: ")) << error.message();
}

}  // namespace
}  // namespace nunatak
