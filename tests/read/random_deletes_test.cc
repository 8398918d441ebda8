// Equality deletes over random tables against a model that compares rows one by one.

#include <arrow/api.h>

#include <random>

#include "nunatak/read/count_rows.h"
#include "nunatak/read/select_fields.h"
#include "read/scan_fixture.h"

namespace nunatak {
namespace {

using Random = std::mt19937_64;

/// A type of key, the narrower form in which older files may have it, and values. A value is the
/// text that Arrow's JSON parser makes it of: each has one only, so that values are equal exactly
/// when their texts are.
struct KeyType {
  Type type;
  std::shared_ptr<arrow::DataType> wide;
  std::shared_ptr<arrow::DataType> narrow;
  std::vector<std::string> values;
};

const std::vector<KeyType>& KeyTypes() {
  const auto utc = arrow::timestamp(arrow::TimeUnit::MICRO, "UTC");
  const auto fixed = arrow::fixed_size_binary(16);
  static const std::vector<KeyType> kTypes = {
      {TypeId::kLong, arrow::int64(), arrow::int32(), {"0", "-1", "2147483647", "-2147483648"}},
      {TypeId::kLong,
       arrow::int64(),
       arrow::int64(),
       {"0", "9223372036854775807", "-9223372036854775808"}},
      {TypeId::kInt, arrow::int32(), arrow::int32(), {"0", "1", "-2147483648"}},
      {TypeId::kBoolean, arrow::boolean(), arrow::boolean(), {"true", "false"}},
      {TypeId::kDouble,
       arrow::float64(),
       arrow::float32(),
       {"0.0", "-0.0", "NaN", "Infinity", "-Infinity", "0.5"}},
      {TypeId::kDouble, arrow::float64(), arrow::float64(), {"0.0", "-0.0", "NaN", "0.1", "1e300"}},
      {TypeId::kFloat, arrow::float32(), arrow::float32(), {"0.0", "-0.0", "NaN", "0.25"}},
      {Type::Decimal(18, 2),
       arrow::decimal128(18, 2),
       arrow::decimal128(9, 2),
       {"\"0.00\"", "\"-9999999.99\"", "\"9999999.99\""}},
      {Type::Decimal(38, 0),
       arrow::decimal128(38, 0),
       arrow::decimal128(38, 0),
       {"\"0\"", "\"99999999999999999999999999999999999999\"",
        "\"-99999999999999999999999999999999999999\""}},
      {TypeId::kDate, arrow::date32(), arrow::date32(), {"0", "-1", "2932896"}},
      {TypeId::kTimestampTz, utc, utc, {"0", "-1", "9223372036854775807"}},
      {TypeId::kString, arrow::utf8(), arrow::utf8(), {"\"\"", "\"a\"", "\"ab\"", "\"\\u0000\""}},
      {TypeId::kBinary, arrow::binary(), arrow::binary(), {"\"\"", "\"a\"", "\"aa\""}},
      {TypeId::kUuid, fixed, fixed, {"\"0000000000000000\"", "\"000000000000000a\""}},
  };
  return kTypes;
}

using Row = std::vector<std::string>;

struct Keys {
  std::vector<size_t> columns;
  std::vector<Row> rows;
  std::shared_ptr<const DeleteFile> file;
};

/// A table of an id and some key columns, of which the last may lie in a struct.
class RandomTable {
 public:
  explicit RandomTable(Random& random) : random_(random) {
    const size_t count = 1 + Below(4);
    for (size_t i = 0; i < count; ++i) types_.push_back(&KeyTypes()[Below(KeyTypes().size())]);
    last_is_nested_ = Below(2) == 0;
  }

  size_t size() const { return types_.size(); }
  size_t Below(size_t limit) { return static_cast<size_t>(random_() % limit); }

  static int32_t IdOf(size_t column) { return static_cast<int32_t>(column) + 10; }
  bool IsNested(size_t column) const { return last_is_nested_ && column + 1 == size(); }

  Schema TableSchema() const {
    std::vector<Field> fields = {TableColumn(1, "id", TypeId::kLong)};
    for (size_t i = 0; i < size(); ++i) {
      Field field = TableColumn(IdOf(i), "c" + std::to_string(i), types_[i]->type);
      fields.push_back(IsNested(i) ? TableColumn(2, "s", Type::Struct({field})) : field);
    }
    return TableOf(std::move(fields));
  }

  /// A column as a file has it: under any name, and possibly in the narrower form.
  std::shared_ptr<arrow::Field> ColumnOfFile(size_t column) {
    const auto field = FileColumn(IdOf(column), "n" + std::to_string(Below(1000000)),
                                  Below(2) == 0 ? types_[column]->wide : types_[column]->narrow);
    return IsNested(column) ? FileColumn(2, "struct", arrow::struct_({field})) : field;
  }

  std::string ValueOf(size_t column) {
    const std::vector<std::string>& values = types_[column]->values;
    return Below(4) == 0 ? "null" : values[Below(values.size())];
  }
  /// As the file's JSON spells it: a null field of a struct may be that of a null struct.
  std::string Spell(size_t column, const std::string& value) {
    if (!IsNested(column) || (value == "null" && Below(2) == 0)) return value;
    return "[" + value + "]";
  }

 private:
  Random& random_;
  std::vector<const KeyType*> types_;
  bool last_is_nested_;
};

std::string Joined(const std::vector<std::string>& parts) {
  std::string text = "[";
  for (const std::string& part : parts) text += (text.size() > 1 ? "," : "") + part;
  return text + "]";
}

class RandomDeletesTest : public ScanTest {
 protected:
  /// Writes a data file, which may lack columns, and adds its rows to the model's.
  FileScanTask WriteData(RandomTable& table, int64_t first_id, std::vector<Row>* rows) {
    std::vector<size_t> present;
    for (size_t i = 0; i < table.size(); ++i) {
      if (table.Below(6) != 0) present.push_back(i);
    }
    arrow::FieldVector columns = {FileColumn(1, "id", arrow::int64())};
    for (const size_t column : present) columns.push_back(table.ColumnOfFile(column));
    std::vector<std::string> spelled;
    for (size_t count = table.Below(60); count > 0; --count) {
      Row row(table.size(), "null");
      Row cells = {std::to_string(first_id++)};
      for (const size_t column : present) {
        row[column] = table.ValueOf(column);
        cells.push_back(table.Spell(column, row[column]));
      }
      spelled.push_back(Joined(cells));
      rows->push_back(std::move(row));
    }
    const FileOptions options{.rows_per_group = 1 + static_cast<int64_t>(table.Below(30)),
                              .dictionary = table.Below(2) == 0};
    return TaskFor(Write(columns, Joined(spelled), options), static_cast<int64_t>(spelled.size()));
  }

  Keys WriteDeletes(RandomTable& table) {
    Keys keys;
    std::vector<int32_t> ids;
    arrow::FieldVector columns;
    while (keys.columns.empty()) {
      for (size_t i = 0; i < table.size(); ++i) {
        if (table.Below(2) == 0) keys.columns.push_back(i);
      }
    }
    for (const size_t column : keys.columns) {
      ids.insert(ids.begin(), RandomTable::IdOf(column));
      columns.push_back(table.ColumnOfFile(column));
    }
    std::vector<std::string> spelled;
    for (size_t count = table.Below(4); count > 0; --count) {
      Row row;
      Row cells;
      for (const size_t column : keys.columns) {
        row.push_back(table.ValueOf(column));
        cells.push_back(table.Spell(column, row.back()));
      }
      spelled.push_back(Joined(cells));
      keys.rows.push_back(std::move(row));
    }
    keys.file = WriteKeys(ids, columns, Joined(spelled));
    return keys;
  }
};

bool Deletes(const Keys& keys, const Row& row) {
  for (const Row& key : keys.rows) {
    bool equal = true;
    for (size_t i = 0; i < keys.columns.size(); ++i)
      equal = equal && row[keys.columns[i]] == key[i];
    if (equal) return true;
  }
  return false;
}

TEST_F(RandomDeletesTest, AgreeWithAModelThatComparesRowByRow) {
  int64_t deleted = 0;
  int64_t kept = 0;
  for (uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    RandomTable table(random);
    std::vector<Keys> deletes;
    for (size_t i = 0; i < 6; ++i) deletes.push_back(WriteDeletes(table));
    std::vector<FileScanTask> tasks;
    std::string expected;
    int64_t count = 0;
    for (int64_t file = 0; file < 4; ++file) {
      std::vector<Row> rows;
      FileScanTask task = WriteData(table, file * 1000, &rows);
      std::vector<const Keys*> attached;
      for (const Keys& keys : deletes) {
        if (table.Below(2) == 0) continue;
        attached.push_back(&keys);
        task.deletes.push_back(keys.file);
      }
      for (size_t r = 0; r < rows.size(); ++r) {
        const bool gone = std::any_of(attached.begin(), attached.end(),
                                      [&](const Keys* keys) { return Deletes(*keys, rows[r]); });
        ++(gone ? deleted : kept);
        if (gone) continue;
        ++count;
        expected +=
            (expected.empty() ? "" : " ") + std::to_string(file * 1000 + static_cast<int64_t>(r));
      }
      tasks.push_back(std::move(task));
    }
    ReadRequest request = RequestFor(table.TableSchema());
    request.options.batch_size = 1 + static_cast<int64_t>(table.Below(40));
    ASSERT_EQ(CountRows(io_, Context{}, request, tasks), count);
    request.projection = SelectFields(request.schema, std::vector<std::string>{"id"});
    ASSERT_EQ(ReadColumn(request, tasks), expected);
  }
  // Both outcomes were tried.
  EXPECT_GT(deleted, 500);
  EXPECT_GT(kept, 500);
}

}  // namespace
}  // namespace nunatak
