#include "base/diagnostics/words.hpp"

#include <gtest/gtest.h>

#include <array>

namespace orrery::core::words_test {
namespace {

constexpr std::array<EnumName<int>, 3> table{{{"one", 1}, {"two", 2}, {"three", 3}}};

TEST(Words, GoBothWays) {
  EXPECT_EQ(value_of(table, "two"), 2);
  EXPECT_EQ(value_of(table, "Two"), std::nullopt);
  EXPECT_EQ(word_of(table, 3), "three");
  EXPECT_EQ(word_of(table, 4), "");
}

TEST(Words, AreListedAsAlternatives) {
  EXPECT_EQ(alternatives(words_of(table)), "`one`, `two` or `three`");
  EXPECT_EQ(alternatives(std::vector<std::string_view>{"one"}), "`one`");
}

TEST(Words, AreQuotedWithoutControlCharactersAndCutWhenLong) {
  EXPECT_EQ(backquoted("a\x1b\x7f\nb"), "`a\\x1b\\x7f\\nb`");
  EXPECT_EQ(backquoted("größe"), "`größe`");
  EXPECT_EQ(backquoted(std::string(61, 'x')), "`" + std::string(60, 'x') + "...`");
}

TEST(Words, AreSuggestedWhenClose) {
  const std::vector<std::string_view> keys{"links-count", "units-count", "G"};
  EXPECT_EQ(suggestion("unit-count", keys), ", did you mean `units-count`?");
  EXPECT_EQ(suggestion("link-counts", keys), ", did you mean `links-count`?");
  EXPECT_EQ(suggestion("topology", keys), "");
  EXPECT_EQ(suggestion("x", keys), "");
  EXPECT_EQ(suggestion(std::string(100'000, 'x'), keys), "");
}

}  // namespace
}  // namespace orrery::core::words_test
