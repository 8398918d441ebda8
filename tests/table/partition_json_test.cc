#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "nunatak/table/schema_json.h"
#include "table/thrown_error.h"

namespace nunatak {
namespace {

PartitionSpec ParseSpec(std::string_view fields) {
  const std::string text = fmt::format(R"({{"spec-id":0,"fields":{}}})", fields);
  return PartitionSpecFromJson(JsonDocument::Parse(text).root());
}

SortOrder ParseOrder(std::string_view field) {
  const std::string text = fmt::format(R"({{"order-id":1,"fields":[{}]}})", field);
  return SortOrderFromJson(JsonDocument::Parse(text).root());
}

std::vector<PartitionField> ParseFields(std::string_view text) {
  return PartitionFieldsFromJson(JsonDocument::Parse(text).root().Array());
}

// The example of Appendix C, "Partition Specs".
TEST(PartitionSpecJson, ReadsTheExampleOfTheSpecification) {
  const PartitionSpec spec =
      ParseSpec(R"([{"source-id":4,"field-id":1000,"name":"ts_day","transform":"day"},)"
                R"({"source-id":1,"field-id":1001,"name":"id_bucket","transform":"bucket[16]"}])");
  ASSERT_EQ(spec.fields.size(), 2U);
  EXPECT_EQ(spec.fields[0].source_id(), 4);
  EXPECT_EQ(spec.fields[0].field_id, 1000);
  EXPECT_EQ(spec.fields[0].name, "ts_day");
  EXPECT_EQ(spec.fields[0].transform, Transform(TransformId::kDay));
  EXPECT_EQ(spec.fields[1].transform, Transform(TransformId::kBucket, 16));
}

TEST(PartitionSpecJson, RoundTrips) {
  for (const char* fields :
       {"[]", R"([{"name":"a","transform":"identity","source-id":1,"field-id":1000}])",
        R"([{"name":"a","transform":"bucket[4]","source-ids":[1,2],"field-id":1000}])",
        R"([{"name":"a","transform":"hilbert","source-id":1,"field-id":1000}])",
        R"([{"name":"a","transform":"void","source-id":1,"field-id":1003}])"}) {
    const std::string text = fmt::format(R"({{"spec-id":0,"fields":{}}})", fields);
    const PartitionSpec spec = PartitionSpecFromJson(JsonDocument::Parse(text).root());
    EXPECT_EQ(PartitionSpecToJson(spec).dump(), text);
  }
}

TEST(PartitionSpecJson, NumbersFieldsOfVersion1From1000) {
  const std::vector<PartitionField> fields =
      ParseFields(R"([{"name":"a","transform":"identity","source-id":1},)"
                  R"({"name":"b","transform":"day","source-id":2}])");
  ASSERT_EQ(fields.size(), 2U);
  EXPECT_EQ(fields[0].field_id, 1000);
  EXPECT_EQ(fields[1].field_id, 1001);
}

TEST(PartitionSpecJson, RefusesIdsOnSomeFieldsOnly) {
  EXPECT_ERROR(ParseFields(R"([{"name":"a","transform":"identity","source-id":1,"field-id":1000},)"
                           R"({"name":"b","transform":"day","source-id":2}])"),
               ErrorCode::kInvalid, "field-id is missing in 1 of 2");
}

TEST(PartitionSpecJson, ReadsOneSourceInAList) {
  const PartitionSpec spec =
      ParseSpec(R"([{"name":"a","transform":"day","source-ids":[7],"field-id":1000}])");
  EXPECT_EQ(spec.fields[0].source_id(), 7);
  EXPECT_EQ(spec.fields[0].transform, Transform(TransformId::kDay));
}

TEST(PartitionSpecJson, TransformsOfSeveralSourcesAreUnknown) {
  const PartitionSpec spec =
      ParseSpec(R"([{"name":"a","transform":"bucket[4]","source-ids":[1,2],"field-id":1000}])");
  EXPECT_EQ(spec.fields[0].source_ids, (std::vector<int32_t>{1, 2}));
  EXPECT_EQ(spec.fields[0].transform.id(), TransformId::kUnknown);
  EXPECT_EQ(spec.fields[0].transform.ToString(), "bucket[4]");
  const PartitionSpec dropped =
      ParseSpec(R"([{"name":"a","transform":"void","source-ids":[1,2],"field-id":1000}])");
  EXPECT_EQ(dropped.fields[0].transform.id(), TransformId::kVoid);
}

struct BadJson {
  const char* fields;
  const char* message;
};

TEST(PartitionSpecJson, SaysWhatIsWrong) {
  const BadJson cases[] = {
      {R"([{"name":"a","transform":"day","field-id":1000}])",
       "fields: [0]: required field 'source-id'"},
      {R"([{"name":"a","transform":"day","source-ids":[],"field-id":1000}])", "'source-id'"},
      {R"([{"name":"a","source-id":1,"field-id":1000}])", "'transform'"},
      {R"([{"transform":"day","source-id":1,"field-id":1000}])", "'name'"},
      {R"([{"name":"a","transform":"bucket[0]","source-id":1,"field-id":1000}])", "transform: "},
      {R"([{"name":"a","transform":"bucket[-1]","source-id":1,"field-id":1000}])", "bucket[-1]"},
      {R"([{"name":"a","transform":"truncate[0]","source-id":1,"field-id":1000}])", "truncate[0]"},
      {"[null]", "fields: [0]: expected an object"},
      {"7", "fields: expected an array"},
      {"null", "'fields' is missing"},
  };
  for (const BadJson& c : cases) {
    EXPECT_ERROR(ParseSpec(c.fields), ErrorCode::kInvalid, c.message) << c.fields;
  }
}

// The example of Appendix C, "Sort Orders".
TEST(SortOrderJson, RoundTripsTheExampleOfTheSpecification) {
  const char* text =
      R"({"order-id":1,"fields":[)"
      R"({"transform":"identity","source-id":2,"direction":"asc","null-order":"nulls-first"},)"
      R"({"transform":"bucket[4]","source-id":3,"direction":"desc","null-order":"nulls-last"}]})";
  const SortOrder order = SortOrderFromJson(JsonDocument::Parse(text).root());
  ASSERT_EQ(order.fields.size(), 2U);
  EXPECT_EQ(order.order_id, 1);
  EXPECT_EQ(order.fields[0].direction, SortDirection::kAscending);
  EXPECT_EQ(order.fields[0].null_order, NullOrder::kNullsFirst);
  EXPECT_EQ(order.fields[1].source_ids, std::vector<int32_t>{3});
  EXPECT_EQ(order.fields[1].direction, SortDirection::kDescending);
  EXPECT_EQ(order.fields[1].null_order, NullOrder::kNullsLast);
  EXPECT_EQ(SortOrderToJson(order).dump(), text);
}

TEST(SortOrderJson, ReadsWordsWithoutCaseAndSeveralSources) {
  const SortOrder order = ParseOrder(
      R"({"transform":"zorder","source-ids":[1,2],"direction":"DESC","null-order":"NULLS-LAST"})");
  EXPECT_EQ(order.fields[0].direction, SortDirection::kDescending);
  EXPECT_EQ(order.fields[0].null_order, NullOrder::kNullsLast);
  EXPECT_EQ(order.fields[0].source_ids, (std::vector<int32_t>{1, 2}));
  EXPECT_EQ(SortOrderToJson(order)["fields"][0]["source-ids"].dump(), "[1,2]");
}

TEST(SortOrderJson, SaysWhatIsWrong) {
  EXPECT_ERROR(
      ParseOrder(R"({"transform":"day","source-id":1,"direction":"up","null-order":"nulls-last"})"),
      ErrorCode::kInvalid, "direction: expected 'asc' or 'desc', got 'up'");
  EXPECT_ERROR(ParseOrder(R"({"transform":"day","source-id":1,"direction":"asc"})"),
               ErrorCode::kInvalid, "'null-order'");
}

}  // namespace
}  // namespace nunatak
