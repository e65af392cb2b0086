#include "base/text/text_lines.hpp"

#include <gtest/gtest.h>

namespace orrery::core::text_lines_test {
namespace {

std::vector<std::string> texts(const std::vector<Token>& tokens) {
  std::vector<std::string> out;
  for (const Token& token : tokens) out.emplace_back(token.text);
  return out;
}

TEST(TextLines, EndInLfOrCrLf) {
  const auto lines = lines_of(
      "\xEF\xBB\xBF"
      "a\r\n\nb");
  EXPECT_EQ(texts(lines), (std::vector<std::string>{"a", "", "b"}));
  EXPECT_EQ(lines[2].line, 3);
  EXPECT_TRUE(lines_of("").empty());
}

TEST(TextLines, CellsKnowTheirPlaces) {
  const auto cells = cells_of({" a,\tb c ,", 7, 1});
  EXPECT_EQ(texts(cells), (std::vector<std::string>{"a", "b c", ""}));
  EXPECT_EQ(cells[0].column, 2);
  EXPECT_EQ(cells[1].column, 5);
  EXPECT_EQ(cells[1].line, 7);
}

TEST(TextLines, WholeNumbersAreWithinTheirRange) {
  EXPECT_EQ(whole_number({"12", 1, 1}, "f", "M", 1, 12), 12u);
  for (const char* text : {"0", "13", "-1", "1.0", "", "1 2", "99999999999999999999"}) {
    try {
      whole_number({text, 3, 4}, "f", "M", 1, 12);
      ADD_FAILURE() << text;
    } catch (const InputError& error) {
      EXPECT_TRUE(
          std::string(error.what()).starts_with("f:3:4: error: M has to be a whole number from 1 to 12"));
    }
  }
}

}  // namespace
}  // namespace orrery::core::text_lines_test
