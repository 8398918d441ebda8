#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <set>

#include "delete_files.h"

namespace nunatak {
namespace {

// The scope rules once more, written down as the specification states them, over random tables.

bool SamePartition(const DataFile& a, const DataFile& b) {
  if (a.partition_spec_id != b.partition_spec_id) return false;
  return a.partition == b.partition;
}

/// Whether the bounds of a position delete's path column leave room for a path.
bool PathsAdmit(const DataFile& deletes, const std::string& path) {
  const ColumnMetrics* metrics = deletes.FindMetrics(kDeletePathColumnId);
  if (!metrics) return true;
  const std::optional<std::string>& lower = metrics->lower_bound;
  const std::optional<std::string>& upper = metrics->upper_bound;
  const auto above_upper = [&](const std::string& p) {
    return p > *upper && !p.starts_with(*upper);
  };
  if (lower && upper && above_upper(*lower)) return true;
  return !(lower && path < *lower) && !(upper && above_upper(path));
}

/// What the metrics of a column leave room for, as the specification defines them; every file has
/// ten rows.
struct Room {
  bool nulls, values, nans;
  std::optional<std::pair<double, double>> range;
};

Room RoomOf(const DataFile& file, const Field& field) {
  const ColumnMetrics* metrics = file.FindMetrics(field.id);
  const ColumnMetrics known = metrics ? *metrics : ColumnMetrics{.field_id = field.id};
  const auto number = [&](const std::string& bound) {
    ValueView value;
    EXPECT_TRUE(DecodeSingleValue(field.type, AsBytes(bound), &value));
    return value.kind == ValueView::Kind::kReal ? value.real : static_cast<double>(value.integer);
  };
  Room room;
  room.nulls = !field.required && known.null_value_count != 0;
  room.values = field.required || known.null_value_count != 10;
  room.nans = field.type.id() == TypeId::kDouble && known.nan_value_count != 0;
  if (known.lower_bound && known.upper_bound) {
    const std::pair<double, double> range(number(*known.lower_bound), number(*known.upper_bound));
    if (range.first <= range.second) room.range = range;
  }
  return room;
}

bool MayShare(const Room& a, const Room& b) {
  if (a.nulls && b.nulls) return true;
  if (!a.values || !b.values) return false;
  if ((a.nans && b.nans) || !a.range || !b.range) return true;
  return a.range->first <= b.range->second && b.range->first <= a.range->second;
}

bool MayDelete(const DataFile& deletes, const DataFile& data, const Schema& schema) {
  return std::all_of(deletes.equality_ids->begin(), deletes.equality_ids->end(), [&](int32_t id) {
    const Field& field = *schema.FindField(id);
    return MayShare(RoomOf(deletes, field), RoomOf(data, field));
  });
}

bool VectorApplies(const DeleteFile& d, const DataFile& f, int64_t sequence_number) {
  return d.file.is_deletion_vector() && f.file_path == d.file.referenced_data_file &&
         sequence_number <= d.data_sequence_number && SamePartition(d.file, f);
}

bool Applies(const DeleteFile& d, const DataFile& f, int64_t sequence_number,
             const std::vector<DeletePtr>& all, const FakeSource& source) {
  if (VectorApplies(d, f, sequence_number)) return true;
  if (d.file.is_deletion_vector()) return false;
  if (d.file.is_equality_delete()) {
    return sequence_number < d.data_sequence_number &&
           (SamePartition(d.file, f) || source.spec(d.file.partition_spec_id).IsUnpartitioned()) &&
           MayDelete(d.file, f, source.schema());
  }
  if (d.file.referenced_data_file && f.file_path != *d.file.referenced_data_file) return false;
  if (!d.file.referenced_data_file && !PathsAdmit(d.file, f.file_path)) return false;
  if (sequence_number > d.data_sequence_number || !SamePartition(d.file, f)) return false;
  return std::none_of(all.begin(), all.end(), [&](const DeletePtr& other) {
    return VectorApplies(*other, f, sequence_number);
  });
}

/// With a few thousand deletes, the partitions have enough of them to be indexed.
class RandomTable {
 public:
  RandomTable(uint32_t seed, int deletes) : random_(seed), source_(MakeSource()) {
    for (int i = 0; i < kDataFiles; ++i) AddData(i);
    for (int i = 0; i < deletes; ++i) AddDelete(i);
  }

  void Check() {
    const DeleteIndex index = BuildDeleteIndex(deletes_, source_);
    size_t attached = 0;
    for (const FakeEntry& entry : data_) {
      std::set<std::string> want;
      for (const DeletePtr& d : deletes_) {
        if (Applies(*d, entry.file, entry.sequence_number, deletes_, source_)) {
          want.insert(d->file.file_path);
        }
      }
      const Names names = Paths(DeletesFor(index, source_, entry.file, entry.sequence_number));
      EXPECT_EQ(std::set<std::string>(names.begin(), names.end()), want) << entry.file.file_path;
      EXPECT_EQ(names.size(), want.size()) << "attached twice";
      attached += names.size();
    }
    EXPECT_GT(attached, 0u);
  }

 private:
  static constexpr int kDataFiles = 60;

  int Pick(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }

  std::pair<int32_t, std::vector<Value>> Partition() {
    const double reals[] = {0.0, -0.0, std::numeric_limits<double>::quiet_NaN()};
    const int32_t spec_id = Pick(5);
    if (spec_id == kUnpartitioned) return {spec_id, {}};
    if (spec_id == kVoid || Pick(4) == 0) return {spec_id, {Value::Null()}};
    if (spec_id == kByDouble) return {spec_id, {Value::Real(reals[Pick(3)])}};
    return {spec_id, {Value::Integer(Pick(2))}};
  }

  /// A path of a data file, or a piece of one, or something near it.
  std::string PathBound() {
    std::string path = DataPath(Pick(kDataFiles + 10));
    if (Pick(3) == 0) path.resize(static_cast<size_t>(Pick(static_cast<int>(path.size()) + 1)));
    if (Pick(4) == 0) path += "~";
    return path;
  }

  std::shared_ptr<DeleteFile> WithRandomPaths(std::shared_ptr<DeleteFile> file) {
    if (Pick(6) == 0) return file;
    ColumnMetrics metrics{.field_id = kDeletePathColumnId};
    if (Pick(8) != 0) metrics.lower_bound = PathBound();
    if (Pick(8) != 0) metrics.upper_bound = Pick(3) == 0 ? metrics.lower_bound : PathBound();
    // Mostly in order, mostly narrow; the rest inverted, wide or both cut to one text.
    const bool turn = metrics.upper_bound && metrics.lower_bound > metrics.upper_bound;
    if (turn && Pick(5) != 0) std::swap(metrics.lower_bound, metrics.upper_bound);
    file->file.metrics = {std::move(metrics)};
    return file;
  }

  /// Metrics of the columns that deletes compare by: narrow, wide, inverted, unknown, null and NaN.
  std::vector<ColumnMetrics> Metrics() {
    std::vector<ColumnMetrics> all;
    for (int32_t id : {1, 3, 4}) {
      if (Pick(8) == 0) continue;
      const Type& type = source_.schema().FindField(id)->type;
      const std::optional<int64_t> counts[] = {0, 0, 0, 3, 10, std::nullopt};
      const std::optional<int64_t> nans[] = {0, 0, 2, std::nullopt};
      const int width = Pick(5) == 0 ? 100 : 5;
      const int lower = Pick(100);
      const auto bound = [&](int number) -> std::optional<std::string> {
        if (Pick(10) == 0) return std::nullopt;
        if (type.id() != TypeId::kDouble)
          return EncodeSingleValue(type, ValueView::Integer(number));
        const bool is_nan = Pick(20) == 0;
        return EncodeSingleValue(
            type, ValueView::Real(is_nan ? std::numeric_limits<double>::quiet_NaN() : number));
      };
      all.push_back({.field_id = id,
                     .value_count = 10,
                     .null_value_count = counts[Pick(6)],
                     .nan_value_count = nans[Pick(4)],
                     .lower_bound = bound(lower),
                     .upper_bound = bound(lower + Pick(width) - (Pick(10) == 0 ? 10 : 0))});
    }
    return all;
  }

  static std::string DataPath(int i) {
    return "t/" + std::to_string(i % 7) + "/data-" + std::to_string(i);
  }

  void AddData(int i) {
    auto [spec_id, partition] = Partition();
    data_.push_back({Data(DataPath(i), spec_id, std::move(partition)), Pick(8)});
    data_.back().file.metrics = Metrics();
  }

  void AddDelete(int i) {
    const std::string path = "delete-" + std::to_string(i);
    const int64_t sequence_number = Pick(9);
    auto [spec_id, partition] = Partition();
    const FakeEntry& target = data_[static_cast<size_t>(Pick(kDataFiles))];
    const std::vector<int32_t> keys[] = {{1}, {3}, {4}, {1, 3}, {4, 1, 3}};
    switch (Pick(4)) {
      case 0: {
        auto file = Equality(path, sequence_number, spec_id, std::move(partition), keys[Pick(5)]);
        file->file.metrics = Metrics();
        deletes_.push_back(std::move(file));
        break;
      }
      case 1:
        deletes_.push_back(
            WithRandomPaths(Position(path, sequence_number, spec_id, std::move(partition))));
        break;
      case 2:
        deletes_.push_back(Referencing(
            Position(path, sequence_number, target.file.partition_spec_id, target.file.partition),
            target.file.file_path));
        break;
      case 3:
        if (!with_vector_.insert(target.file.file_path).second) break;
        deletes_.push_back(Vector(path, sequence_number, target.file.file_path,
                                  target.file.partition_spec_id, target.file.partition));
        break;
    }
  }

  std::mt19937 random_;
  FakeSource source_;
  std::vector<FakeEntry> data_;
  std::vector<DeletePtr> deletes_;
  std::set<std::string> with_vector_;
};

TEST(DeleteRules, AgreeWithTheIndexOverRandomTables) {
  for (uint32_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(seed);
    RandomTable(seed, 80).Check();
  }
}

TEST(DeleteRules, AgreeWithTheIndexOverTablesOfManyDeletes) {
  for (uint32_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    RandomTable(seed, 2500).Check();
  }
}

}  // namespace
}  // namespace nunatak
