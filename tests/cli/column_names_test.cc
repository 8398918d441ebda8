#include "nunatak/cli/column_names.h"

#include <gtest/gtest.h>

#include "nunatak/base/error.h"

namespace nunatak::cli {
namespace {

using Names = std::vector<std::string>;

TEST(SplitColumnNames, CommasSeparate) {
  EXPECT_EQ(SplitColumnNames("a"), Names({"a"}));
  EXPECT_EQ(SplitColumnNames("a,b.c"), Names({"a", "b.c"}));
  EXPECT_EQ(SplitColumnNames("a, größe, a b"), Names({"a", "größe", "a b"}));
}

TEST(SplitColumnNames, QuotesKeepANameTogether) {
  EXPECT_EQ(SplitColumnNames(R"("a,b",`c"d`)"), Names({"a,b", "c\"d"}));
  EXPECT_EQ(SplitColumnNames(R"("st.ruct"."in,ner", x."y,z")"), Names({"st.ruct.in,ner", "x.y,z"}));
  EXPECT_EQ(SplitColumnNames(R"("say ""hi""","""")"), Names({"say \"hi\"", "\""}));
  EXPECT_EQ(SplitColumnNames(R"(5"x)"), Names({"5\"x"}));  // a quote inside is a character
}

TEST(SplitColumnNames, EmptyNamesAndOpenQuotesAreUsageErrors) {
  for (const char* list : {"", "a,", ",a", "a,,b", "\"\"", "\"a", "a,`b"}) {
    try {
      SplitColumnNames(list);
      ADD_FAILURE() << list;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUsage) << list;
    }
  }
}

}  // namespace
}  // namespace nunatak::cli
