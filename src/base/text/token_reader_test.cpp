#include "base/text/token_reader.hpp"

#include <gtest/gtest.h>

namespace orrery::core::token_reader_test {
namespace {

TEST(TokenReader, SplitsAtAllWhiteSpaceAndKnowsPlaces) {
  TokenReader reader("\r\n one\ttwo\r\n\n\f\vthree", "f");
  const Token one = reader.next("");
  EXPECT_EQ(one.text, "one");
  EXPECT_EQ(reader.where(one).text(), "f:2:2");
  EXPECT_EQ(reader.where(reader.peek()).text(), "f:2:6");
  EXPECT_EQ(reader.next("").text, "two");
  const Token three = reader.next("");
  EXPECT_EQ(three.text, "three");
  EXPECT_EQ(reader.where(three).text(), "f:4:3");
  EXPECT_TRUE(reader.at_end());
}

TEST(TokenReader, SaysWhatIsMissingAtTheEnd) {
  TokenReader reader("a \n", "f");
  reader.next("");
  ASSERT_TRUE(reader.at_end());
  try {
    reader.next("a number");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "f:2:1: error: the file ends where a number has to stand");
  }
}

TEST(TokenReader, IsAtTheEndOfAnEmptyText) {
  EXPECT_TRUE(TokenReader("", "f").at_end());
  EXPECT_TRUE(TokenReader(" \n\t", "f").at_end());
}

TEST(ParseNumber, TakesWholeTokensOnly) {
  EXPECT_EQ(parse_signed("-12"), -12);
  EXPECT_EQ(parse_unsigned("18446744073709551615"), UINT64_MAX);
  for (const char* text : {"", "-", "1.5", "16ns", "+1", "0x10", "1e3", " 1", "99999999999999999999"}) {
    EXPECT_EQ(parse_signed(text), std::nullopt) << text;
    EXPECT_EQ(parse_unsigned(text), std::nullopt) << text;
  }
  EXPECT_EQ(parse_unsigned("-1"), std::nullopt);
}

TEST(ParseNumber, TakesFiniteRealsOnly) {
  EXPECT_EQ(parse_real("0.0038"), 0.0038);
  EXPECT_EQ(parse_real("-1e3"), -1000);
  for (const char* text : {"", "abc", "1.5x", "inf", "nan", "1e999", "0x1p3"})
    EXPECT_EQ(parse_real(text), std::nullopt) << text;
}

TEST(ParseNumber, TakesTheLeadingInteger) {
  const auto cut = parse_leading_integer("4.9");
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->value, 4);
  EXPECT_EQ(cut->rest, ".9");
  EXPECT_EQ(parse_leading_integer("-1")->value, -1);
  EXPECT_EQ(parse_leading_integer("+7")->value, 7);
  for (const char* text : {"", "abc", "+", "-", "+-3", "99999999999999999999"})
    EXPECT_FALSE(parse_leading_integer(text)) << text;
}

}  // namespace
}  // namespace orrery::core::token_reader_test
