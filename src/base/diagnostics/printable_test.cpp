#include "base/diagnostics/printable.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace orrery::core::printable_test {

namespace {

TEST(Printable, LeavesNormalTextAlone) {
  for (const char* text : {"", "conv2d_1 (3x3)",
                           "Stra\xc3\x9f"
                           "e",
                           "\xe2\x94\x82 \xf0\x9f\x9a\x80"}) {
    EXPECT_EQ(printable(text), text);
    EXPECT_TRUE(is_printable(text));
  }
}

TEST(Printable, EscapesWhatATerminalWouldObey) {
  EXPECT_EQ(printable("a\x1b[31mb"), "a\\x1b[31mb");
  EXPECT_EQ(printable("a\nb\rc\td"), "a\\nb\\rc\\td");
  EXPECT_EQ(printable("\x7f"), "\\x7f");
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
  EXPECT_EQ(printable("\xc2\x9b[2J"), "\\xc2\\x9b[2J");  // the control sequence introducer, U+009B
  EXPECT_FALSE(is_printable("a\x1b"));
}

// Other bytes that are no UTF-8 are letters of older encodings.
TEST(Printable, EscapesControlCharactersOfOneByte) {
  EXPECT_EQ(printable("\x9b[2J"), "\\x9b[2J");
  EXPECT_EQ(printable("\xc0\x9b"), "\xc0\\x9b");
  EXPECT_EQ(printable("stra\xdf-e"), "stra\xdf-e");
}

TEST(Printable, LinesKeepTheirEnds) {
  EXPECT_EQ(printable_lines("a\nb\x1b\n"), "a\nb\\x1b\n");
}

TEST(Printable, JsonStaysTheSameJson) {
  const nlohmann::json json{{"name", "a\n\x7f\xc2\x9b\xc3\x9f"}};
  const std::string text = printable_json(json.dump(1));
  EXPECT_TRUE(text.find("\x7f") == std::string::npos && text.find("\xc2\x9b") == std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(text), json);
}

}  // namespace

}  // namespace orrery::core::printable_test
