#include "base/database/expression.hpp"

#include <gtest/gtest.h>

namespace orrery::core {
namespace {

std::string sql(std::string_view text) {
  const std::vector<ExpressionName> names{
      {"tensor", "?1"}, {"between.bandwidth", "?2", "GB/s"}, {"tensor-2", "?3"}};
  return sql_of_expression(text, {"here"}, names, [](std::string_view quantity) {
    return quantity == "50 GB/s" || quantity == "50GB/s" ? std::optional(ReadNumber{50, "GB/s"})
                                                         : std::nullopt;
  });
}

TEST(Expression, NamesAreReplaced) {
  EXPECT_EQ(sql("tensor * 2 == 8"), "?1 * 2 == 8");
  EXPECT_EQ(sql("between.bandwidth>1 && tensor-2 in (1, 2)"), "?2>1  AND  ?3 in (1, 2)");
  EXPECT_EQ(sql("tensor-3 < 1"), "?1-3 < 1");
}

TEST(Expression, QuantitiesAreNumbers) {
  EXPECT_EQ(sql("between.bandwidth >= 50 GB/s"), "?2 >= 50");
  EXPECT_EQ(sql("between.bandwidth >= 50GB/s/2"), "?2 >= 50/2");
  EXPECT_EQ(sql("tensor < 1e-6 or tensor > 2.5"), "?1 < 1e-6 or ?1 > 2.5");
}

TEST(Expression, TextsAreQuotedAsSqlDoes) {
  EXPECT_EQ(sql("tensor == \"it's\""), "?1 == 'it''s'");
  EXPECT_EQ(sql("!(tensor = 'a') || tensor != 'b'"), " NOT (?1 = 'a')  OR  ?1 != 'b'");
}

TEST(Expression, RefusesWhatIsNone) {
  for (const char* text :
       {"", "  ", "tensr == 1", "tensor == 'a", "tensor; drop", "(tensor", "tensor)", "tensor -- 1",
        "tensor /* 1", "load_extension('x')", "tensor == @a", "tensor > 50 GB/s"})
    EXPECT_THROW((void)sql(text), InputError) << text;
}

}  // namespace
}  // namespace orrery::core
