#include "nunatak/plan/delete_index.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <set>

#include "build_delete_index.h"
#include "fake_source.h"

namespace nunatak {
namespace {

constexpr int32_t kUnpartitioned = 0;
constexpr int32_t kByInt = 1;
constexpr int32_t kByBucket = 2;
constexpr int32_t kByDouble = 3;
constexpr int32_t kVoid = 4;

FakeSource MakeSource() {
  FakeSource source(Schema(0, {{.id = 1, .name = "a", .type = TypeId::kInt},
                               {.id = 2, .name = "b", .type = TypeId::kString},
                               {.id = 3, .name = "d", .type = TypeId::kDouble},
                               {.id = 4, .name = "r", .required = true, .type = TypeId::kLong}}));
  const auto field = [](int32_t source_id, Transform transform) {
    return PartitionField{
        {source_id}, 1000 + source_id, "p" + std::to_string(source_id), transform};
  };
  source.AddSpec({kUnpartitioned, {}});
  source.AddSpec({kByInt, {field(1, TransformId::kIdentity)}});
  source.AddSpec({kByBucket, {field(1, Transform(TransformId::kBucket, 4))}});
  source.AddSpec({kByDouble, {field(3, TransformId::kIdentity)}});
  source.AddSpec({kVoid, {field(1, TransformId::kVoid)}});
  return source;
}

DataFile Data(std::string path, int32_t spec_id = kUnpartitioned, PartitionValues partition = {}) {
  DataFile file;
  file.file_path = std::move(path);
  file.partition_spec_id = spec_id;
  file.partition = std::move(partition);
  file.record_count = 10;
  return file;
}

std::shared_ptr<DeleteFile> Position(std::string path, int64_t sequence_number,
                                     int32_t spec_id = kUnpartitioned,
                                     PartitionValues partition = {}) {
  auto out = std::make_shared<DeleteFile>();
  out->file = Data(std::move(path), spec_id, std::move(partition));
  out->file.content = FileContent::kPositionDeletes;
  out->data_sequence_number = sequence_number;
  return out;
}

std::shared_ptr<DeleteFile> WithPathBounds(std::shared_ptr<DeleteFile> file, std::string lower,
                                           std::string upper) {
  file->file.metrics = {{.field_id = kDeletePathId, .lower_bound = lower, .upper_bound = upper}};
  return file;
}

std::shared_ptr<DeleteFile> Referencing(std::shared_ptr<DeleteFile> file, std::string path) {
  file->file.referenced_data_file = std::move(path);
  return file;
}

std::shared_ptr<DeleteFile> Vector(std::string path, int64_t sequence_number, std::string data_file,
                                   int32_t spec_id = kUnpartitioned,
                                   PartitionValues partition = {}) {
  auto out = Position(std::move(path), sequence_number, spec_id, std::move(partition));
  out->file.file_format = FileFormat::kPuffin;
  out->file.content_offset = 4;
  out->file.content_size_in_bytes = 40;
  return Referencing(std::move(out), std::move(data_file));
}

std::shared_ptr<DeleteFile> Equality(std::string path, int64_t sequence_number,
                                     int32_t spec_id = kUnpartitioned,
                                     PartitionValues partition = {},
                                     std::vector<int32_t> ids = {1}) {
  auto out = Position(std::move(path), sequence_number, spec_id, std::move(partition));
  out->file.content = FileContent::kEqualityDeletes;
  out->file.equality_ids = std::move(ids);
  return out;
}

std::vector<std::string> Paths(const std::vector<DeletePtr>& files) {
  std::vector<std::string> paths;
  for (const DeletePtr& file : files) paths.push_back(file->file.file_path);
  return paths;
}

/// The deletes that an index attaches to one data file.
std::vector<DeletePtr> DeletesFor(const DeleteIndex& index, const SnapshotSource& source,
                                  const DataFile& file, int64_t sequence_number) {
  const MetricsLayout layout(index.key_columns(), source.schema());
  const FakeBatch batch({{.file = file, .sequence_number = sequence_number}},
                        file.partition_spec_id, {.metric_ids = layout.field_ids()});
  return DeleteLookup(index, batch, layout).DeletesFor(0);
}

std::vector<std::string> Attached(std::vector<DeletePtr> deletes, const DataFile& file,
                                  int64_t sequence_number) {
  const FakeSource source = MakeSource();
  return Paths(DeletesFor(BuildDeleteIndex(deletes, source), source, file, sequence_number));
}

ErrorCode CodeOf(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "no error";
  return ErrorCode::kUsage;
}

using Names = std::vector<std::string>;

TEST(DeleteIndex, SequenceRuleDiffersByKind) {
  const std::vector<DeletePtr> deletes = {Position("p4", 4), Position("p5", 5), Position("p6", 6),
                                          Equality("e4", 4), Equality("e5", 5), Equality("e6", 6)};
  EXPECT_EQ(Attached(deletes, Data("f"), 5), (Names{"p5", "e6", "p6"}));
  EXPECT_EQ(Attached({Vector("v4", 4, "f")}, Data("f"), 5), Names{});
  EXPECT_EQ(Attached({Vector("v5", 5, "f")}, Data("f"), 5), Names{"v5"});
}

TEST(DeleteIndex, PartitionScopeNeedsTheSpecToo) {
  const std::vector<Value> one = {Value::Integer(1)};
  const std::vector<DeletePtr> deletes = {Position("p1", 5, kByInt, one),
                                          Position("p2", 5, kByBucket, one),
                                          Equality("e1", 5, kByInt, one),
                                          Equality("e2", 5, kByBucket, one),
                                          Equality("other", 5, kByInt, {Value::Integer(2)}),
                                          Position("whole", 5)};
  EXPECT_EQ(Attached(deletes, Data("f", kByInt, one), 1), (Names{"e1", "p1"}));
  EXPECT_EQ(Attached(deletes, Data("f", kByBucket, one), 1), (Names{"e2", "p2"}));
  EXPECT_EQ(Attached(deletes, Data("f"), 1), Names{"whole"});
}

TEST(DeleteIndex, EqualityDeletesOfAnUnpartitionedSpecAreGlobal) {
  const std::vector<Value> one = {Value::Integer(1)};
  const std::vector<DeletePtr> deletes = {
      Equality("global", 5), Equality("void", 5, kVoid, {Value::Null()}), Position("position", 5)};
  EXPECT_EQ(Attached(deletes, Data("f", kByInt, one), 1), (Names{"global", "void"}));
}

TEST(DeleteIndex, PartitionsAreComparedByBits) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto in = [](double value) { return std::vector<Value>{Value::Real(value)}; };
  const std::vector<DeletePtr> deletes = {
      Equality("nan", 5, kByDouble, in(-nan)), Equality("zero", 5, kByDouble, in(0.0)),
      Equality("minus", 5, kByDouble, in(-0.0)), Equality("null", 5, kByDouble, {Value::Null()})};
  EXPECT_EQ(Attached(deletes, Data("f", kByDouble, in(nan)), 1), Names{"nan"});
  EXPECT_EQ(Attached(deletes, Data("f", kByDouble, in(0.0)), 1), Names{"zero"});
  EXPECT_EQ(Attached(deletes, Data("f", kByDouble, in(-0.0)), 1), Names{"minus"});
  EXPECT_EQ(Attached(deletes, Data("f", kByDouble, {Value::Null()}), 1), Names{"null"});
}

TEST(DeleteIndex, AVectorReplacesPositionDeletesButNotEqualityDeletes) {
  const std::vector<DeletePtr> deletes = {Position("p", 6), Referencing(Position("r", 6), "f"),
                                          Vector("v", 7, "f"), Equality("e", 6)};
  EXPECT_EQ(Attached(deletes, Data("f"), 5), (Names{"e", "v"}));
  EXPECT_EQ(Attached(deletes, Data("g"), 5), (Names{"e", "p"}));
}

TEST(DeleteIndex, AVectorOlderThanItsFileDoesNotApplyAndReplacesNothing) {
  EXPECT_EQ(Attached({Vector("v", 4, "f"), Position("p", 6)}, Data("f"), 5), Names{"p"});
}

TEST(DeleteIndex, TwoVectorsInOnePuffinFileAreToldApart) {
  auto first = Vector("one.puffin", 5, "f");
  auto second = Vector("one.puffin", 5, "g");
  second->file.content_offset = 44;
  const FakeSource source = MakeSource();
  const DeleteIndex index = BuildDeleteIndex({first, second}, source);
  ASSERT_EQ(DeletesFor(index, source, Data("f"), 1).size(), 1u);
  EXPECT_EQ(DeletesFor(index, source, Data("f"), 1)[0]->file.content_offset, 4);
  EXPECT_EQ(DeletesFor(index, source, Data("g"), 1)[0]->file.content_offset, 44);
}

TEST(DeleteIndex, DamagedMetadataIsRefused) {
  const FakeSource source = MakeSource();
  const auto build = [&](std::vector<DeletePtr> deletes) {
    return CodeOf([&] { BuildDeleteIndex(deletes, source); });
  };
  EXPECT_EQ(build({Vector("v", 5, "f"), Vector("w", 6, "f")}), ErrorCode::kInvalid);
  auto nameless = Vector("v", 5, "f");
  nameless->file.referenced_data_file.reset();
  EXPECT_EQ(build({nameless}), ErrorCode::kInvalid);
  EXPECT_EQ(build({Equality("e", 5, kUnpartitioned, {}, {})}), ErrorCode::kInvalid);
  auto data = Position("p", 5);
  data->file.content = FileContent::kData;
  EXPECT_EQ(build({data}), ErrorCode::kInvalid);
  auto encrypted = Position("p", 5);
  encrypted->file.key_metadata = "key";
  EXPECT_EQ(build({encrypted}), ErrorCode::kUnsupported);
}

TEST(DeleteIndex, ADeleteThatNamesAFileOfAnotherPartitionIsRefused) {
  const FakeSource source = MakeSource();
  const std::vector<Value> one = {Value::Integer(1)};
  const std::vector<Value> two = {Value::Integer(2)};
  for (const DeletePtr& file :
       {DeletePtr(Vector("v", 5, "f", kByInt, two)), DeletePtr(Vector("v", 5, "f", kByBucket, one)),
        DeletePtr(Referencing(Position("p", 5, kByInt, two), "f"))}) {
    const DeleteIndex index = BuildDeleteIndex({file}, source);
    EXPECT_EQ(CodeOf([&] { DeletesFor(index, source, Data("f", kByInt, one), 1); }),
              ErrorCode::kInvalid);
  }
}

struct PathCase {
  const char* what;
  std::string lower, upper, path;
  bool attached;
};

TEST(DeleteIndex, PathBoundsOfPositionDeletes) {
  const PathCase cases[] = {
      {"equal, the path", "s3://b/t/f1", "s3://b/t/f1", "s3://b/t/f1", true},
      {"equal, another path", "s3://b/t/f1", "s3://b/t/f1", "s3://b/t/f2", false},
      {"equal since both were cut: one file", "s3://b/t/", "s3://b/t/", "s3://b/t/f1", true},
      {"equal since both were cut: the other", "s3://b/t/", "s3://b/t/", "s3://b/t/f2", true},
      {"equal since both were cut: elsewhere", "s3://b/t/", "s3://b/t/", "s3://b/u/f2", false},
      {"range, inside", "f2", "f4", "f3", true},
      {"range, at its ends", "f2", "f4", "f4", true},
      {"range, below", "f2", "f4", "f1", false},
      {"range, above", "f2", "f4", "f5", false},
      {"range, upper bound cut but not rounded up", "s3://b/t/a1", "s3://b/t/m", "s3://b/t/m7",
       true},
      {"range, lower bound cut", "s3://b/t/a", "s3://b/t/n", "s3://b/t/a7", true},
      {"inverted", "f9", "f2", "f5", true},
  };
  for (const PathCase& c : cases) {
    const Names names =
        Attached({WithPathBounds(Position("p", 5), c.lower, c.upper)}, Data(c.path), 1);
    EXPECT_EQ(names.size(), c.attached ? 1u : 0u) << c.what;
  }
}

TEST(DeleteIndex, APathBoundAloneExcludesItsSide) {
  auto lower = Position("p", 5);
  lower->file.metrics = {{.field_id = kDeletePathId, .lower_bound = "f3"}};
  EXPECT_EQ(Attached({lower}, Data("f2"), 1), Names{});
  EXPECT_EQ(Attached({lower}, Data("f4"), 1), Names{"p"});
}

TEST(DeleteIndex, BoundedDeletesKeepToTheirPartition) {
  const auto file = WithPathBounds(Position("p", 5, kByInt, {Value::Integer(2)}), "f", "f");
  EXPECT_EQ(Attached({file}, Data("f", kByInt, {Value::Integer(1)}), 1), Names{});
  EXPECT_EQ(Attached({file}, Data("f", kByInt, {Value::Integer(2)}), 1), Names{"p"});
}

// Equality deletes and column metrics. Both sides have ten rows.

ColumnMetrics IntMetrics(std::optional<int> lower, std::optional<int> upper,
                         std::optional<int64_t> nulls) {
  const auto encode = [](std::optional<int> value) -> std::optional<std::string> {
    if (!value) return std::nullopt;
    return EncodeSingleValue(TypeId::kInt, ValueView::Integer(*value));
  };
  return {.field_id = 1,
          .value_count = nulls ? std::optional<int64_t>(10) : std::nullopt,
          .null_value_count = nulls,
          .lower_bound = encode(lower),
          .upper_bound = encode(upper)};
}

struct EqualityCase {
  const char* what;
  ColumnMetrics deletes, data;
  bool attached;
};

TEST(DeleteIndex, EqualityDeletesByTheMetricsOfTheirOwnColumns) {
  const auto none = std::nullopt;
  const EqualityCase cases[] = {
      {"ranges meet", IntMetrics(1, 5, 0), IntMetrics(5, 9, 0), true},
      {"ranges apart", IntMetrics(1, 4, 0), IntMetrics(5, 9, 0), false},
      {"ranges apart the other way", IntMetrics(5, 9, 0), IntMetrics(1, 4, 0), false},
      {"ranges apart, both have nulls", IntMetrics(1, 4, 1), IntMetrics(5, 9, 1), true},
      {"ranges apart, only the deletes have nulls", IntMetrics(1, 4, 1), IntMetrics(5, 9, 0),
       false},
      {"ranges apart, only the data has nulls", IntMetrics(1, 4, 0), IntMetrics(5, 9, 1), false},
      {"ranges apart, the data's nulls are unknown", IntMetrics(1, 4, 1), IntMetrics(5, 9, none),
       true},
      {"ranges apart, the deletes' nulls are unknown", IntMetrics(1, 4, none), IntMetrics(5, 9, 1),
       true},
      {"the data is all null, no null is deleted", IntMetrics(1, 4, 0), IntMetrics(none, none, 10),
       false},
      {"only null is deleted, the data has none", IntMetrics(none, none, 10), IntMetrics(5, 9, 0),
       false},
      {"only null is deleted, the data has some", IntMetrics(none, none, 10), IntMetrics(5, 9, 2),
       true},
      {"a bound of the deletes is missing", IntMetrics(1, none, 0), IntMetrics(5, 9, 0), true},
      {"a bound of the data is missing", IntMetrics(1, 4, 0), IntMetrics(none, 9, 0), true},
      {"the data's range is inverted", IntMetrics(1, 4, 0), IntMetrics(9, 5, 0), true},
      {"the deletes' range is inverted", IntMetrics(4, 1, 0), IntMetrics(5, 9, 0), true},
  };
  for (const EqualityCase& c : cases) {
    auto deletes = Equality("e", 5);
    deletes->file.metrics = {c.deletes};
    DataFile data = Data("f");
    data.metrics = {c.data};
    EXPECT_EQ(Attached({deletes}, data, 1).size(), c.attached ? 1u : 0u) << c.what;
  }
}

TEST(DeleteIndex, EveryColumnOfTheKeyMustMeet) {
  auto deletes = Equality("e", 5, kUnpartitioned, {}, {1, 4});
  const auto range = [](int32_t id, Type type, int64_t lower, int64_t upper) {
    return ColumnMetrics{.field_id = id,
                         .value_count = 10,
                         .null_value_count = 0,
                         .lower_bound = EncodeSingleValue(type, ValueView::Integer(lower)),
                         .upper_bound = EncodeSingleValue(type, ValueView::Integer(upper))};
  };
  deletes->file.metrics = {range(1, TypeId::kInt, 1, 4), range(4, TypeId::kLong, 1, 4)};
  DataFile data = Data("f");
  data.metrics = {range(1, TypeId::kInt, 3, 9), range(4, TypeId::kLong, 5, 9)};
  EXPECT_EQ(Attached({deletes}, data, 1), Names{});
  data.metrics = {range(1, TypeId::kInt, 3, 9), range(4, TypeId::kLong, 4, 9)};
  EXPECT_EQ(Attached({deletes}, data, 1), Names{"e"});
}

TEST(DeleteIndex, BoundsOfColumnsOutsideTheKeyPruneNothing) {
  auto deletes = Equality("e", 5, kUnpartitioned, {}, {2});
  deletes->file.metrics = {IntMetrics(1, 4, 0)};
  DataFile data = Data("f");
  data.metrics = {IntMetrics(5, 9, 0)};
  EXPECT_EQ(Attached({deletes}, data, 1), Names{"e"});
}

TEST(DeleteIndex, NansOfBothSidesMeetWhateverTheBounds) {
  const auto metrics = [](double lower, double upper, std::optional<int64_t> nans) {
    return ColumnMetrics{.field_id = 3,
                         .value_count = 10,
                         .null_value_count = 0,
                         .nan_value_count = nans,
                         .lower_bound = EncodeSingleValue(TypeId::kDouble, ValueView::Real(lower)),
                         .upper_bound = EncodeSingleValue(TypeId::kDouble, ValueView::Real(upper))};
  };
  const auto attached = [&](std::optional<int64_t> deletes_nans, std::optional<int64_t> data_nans) {
    auto deletes = Equality("e", 5, kUnpartitioned, {}, {3});
    deletes->file.metrics = {metrics(1, 4, deletes_nans)};
    DataFile data = Data("f");
    data.metrics = {metrics(5, 9, data_nans)};
    return !Attached({deletes}, data, 1).empty();
  };
  EXPECT_TRUE(attached(1, 1));
  EXPECT_TRUE(attached(1, std::nullopt));
  EXPECT_TRUE(attached(std::nullopt, std::nullopt));
  EXPECT_FALSE(attached(0, 1));
  EXPECT_FALSE(attached(1, 0));
}

TEST(DeleteIndex, PromotedBoundsAreComparedAsTheTypeOfNow) {
  auto deletes = Equality("e", 5, kUnpartitioned, {}, {4});
  const auto range = [](Type type, int64_t lower, int64_t upper) {
    return ColumnMetrics{.field_id = 4,
                         .lower_bound = EncodeSingleValue(type, ValueView::Integer(lower)),
                         .upper_bound = EncodeSingleValue(type, ValueView::Integer(upper))};
  };
  deletes->file.metrics = {range(TypeId::kLong, 7, 8)};
  DataFile data = Data("f");
  data.metrics = {range(TypeId::kInt, 5, 9)};
  EXPECT_EQ(Attached({deletes}, data, 1), Names{"e"});
  data.metrics = {range(TypeId::kInt, -9, -5)};
  EXPECT_EQ(Attached({deletes}, data, 1), Names{});
}

TEST(DeleteIndex, ADroppedKeyColumnStillPrunesAndAnUnknownOneDoesNot) {
  FakeSource source = MakeSource();
  auto deletes = Equality("e", 5, kUnpartitioned, {}, {9});
  deletes->file.metrics = {IntMetrics(1, 4, 0)};
  deletes->file.metrics[0].field_id = 9;
  DataFile data = Data("f");
  data.metrics = {IntMetrics(5, 9, 0)};
  data.metrics[0].field_id = 9;
  EXPECT_EQ(Paths(DeletesFor(BuildDeleteIndex({deletes}, source), source, data, 1)), Names{"e"});
  source.AddDroppedField({.id = 9, .name = "gone", .type = TypeId::kInt});
  EXPECT_EQ(Paths(DeletesFor(BuildDeleteIndex({deletes}, source), source, data, 1)), Names{});
}

TEST(DeleteIndex, OrderIsSequenceNumberPathOffset) {
  auto late = Equality("a", 9);
  const std::vector<DeletePtr> deletes = {late, Equality("c", 7), Position("b", 7),
                                          Position("d", 6)};
  EXPECT_EQ(Attached(deletes, Data("f"), 1), (Names{"d", "b", "c", "a"}));
}

// The scope rules once more, written down as the specification states them, over random tables.

bool SamePartition(const DataFile& a, const DataFile& b) {
  if (a.partition_spec_id != b.partition_spec_id) return false;
  return a.partition == b.partition;
}

/// Whether the bounds of a position delete's path column leave room for a path.
bool PathsAdmit(const DataFile& deletes, const std::string& path) {
  const ColumnMetrics* metrics = deletes.FindMetrics(kDeletePathId);
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
    ColumnMetrics metrics{.field_id = kDeletePathId};
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

TEST(DeleteIndex, AgreesWithTheRulesOverRandomTables) {
  for (uint32_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(seed);
    RandomTable(seed, 80).Check();
  }
}

TEST(DeleteIndex, AgreesWithTheRulesOverTablesOfManyDeletes) {
  for (uint32_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    RandomTable(seed, 2500).Check();
  }
}

}  // namespace
}  // namespace nunatak
