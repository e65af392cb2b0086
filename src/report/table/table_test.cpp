#include "report/table/table.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "support/table_page.hpp"

namespace orrery::core::table_test {
namespace {

struct Planet {
  std::string name;
  Time year;
  Bytes photos;
  double share = 0;
  std::optional<int> moons;
};

constexpr Column<Planet> columns[] = {
    {"planet", "", "Its name.", [](auto& row) { return row.name; }, "planet"},
    {"year_ns", "ns", "Length of its year.", [](auto& row) { return row.year; }, "year"},
    {"photos_bytes", "bytes", "Size of its photos.", [](auto& row) { return row.photos; }, "photos"},
    {"share", "share", "Share of the mass.",
     [](auto& row) {
       return Real{row.share, 2};
     },
     "mass"},
    {"moons", "", "How many moons are known.", [](auto& row) { return row.moons; }, "moons"},
    {"", "", "", [](auto& row) { return row.share > 0.5 ? "heavy" : "light"; }, "kind"},
    {"odd", "", "Whether it has most of the mass; in JSON alone.", [](auto& row) { return row.share > 0.5; },
     "", Form::json},
};
const Table<Planet> table(columns);

std::vector<Planet> planets() {
  return {{"Jove, large", Time::from_ps(4'332'590'001), Bytes(1536), 0.7125, 95},
          {"Earth", Time::from_ns(365), Bytes(12), 0.0032, {}}};
}

TEST(Table, CsvHoldsExactNumbers) {
  EXPECT_EQ(csv_of(table, planets()),
            "planet,year_ns,photos_bytes,share,moons\n"
            "\"Jove, large\",4332590.001,1536,0.71,95\n"
            "Earth,365,12,0.00,\n");
}

// These are the fewest digits from which the binary64 of the microseconds or nanoseconds can be read back.
TEST(Table, TimesInCsvAreTheShortestFormOfTheirBinary64) {
  std::vector<std::int64_t> picoseconds{0,       1,         10,        999, 1'000,     1'010,
                                        999'999, 1'000'000, 1'000'001, -5,  -1'234'567};
  for (std::int64_t power = 1; power < 2'000'000'000'000'000'000; power *= 7)
    for (const std::int64_t near : {-1, 0, 1, 20, 3'000}) picoseconds.push_back(power * 5 / 2 + near);
  for (const std::int64_t ps : picoseconds) {
    const Time time = Time::from_ps(ps);
    std::string us, ns;
    append_csv(us, Cell(time), "us");
    append_csv(ns, Cell(time), "ns");
    EXPECT_EQ(us, fmt::format("{}", time.us()));
    EXPECT_EQ(ns, fmt::format("{}", time.ns()));
  }
}

TEST(Table, NumbersWithDecimalsAreRoundedToTheNearest) {
  std::mt19937_64 random(3);
  std::vector<double> values{0,          0.5,    1.5,  2.5,   0.125, 0.375, 1e-9,
                             0.99999999, 9.9995, 1e15, 1e300, -2.5,  -7.25};
  for (int exponent = -30; exponent < 60; ++exponent)
    for (int i = 0; i < 20; ++i) {
      const double value = std::ldexp(static_cast<double>(random()), exponent - 64);
      values.insert(values.end(),
                    {value, -std::round(value) / 8 - 1, std::round(value * 1e4) / 1e4 + 0.00005});
    }
  for (const double value : values)
    for (const int decimals : {0, 1, 2, 4, 6, 9, 12}) {
      std::string text;
      append_csv(text, Cell(Real{value, decimals}), "");
      EXPECT_EQ(text, fmt::format("{:.{}f}", value, decimals));
    }
  std::string nothing;
  append_csv(nothing, Cell(Real{-0.0001, 2}), "");
  EXPECT_EQ(nothing, "0.00");
}

TEST(Table, JsonHasMicrosecondsAndNoKeysOfEmptyCells) {
  EXPECT_EQ(json_of<nlohmann::ordered_json>(table, planets()).dump(),
            "[{\"planet\":\"Jove, large\",\"year_us\":4332.590001,\"photos_bytes\":1536,\"share\":0.7125,"
            "\"moons\":95,\"odd\":true},"
            "{\"planet\":\"Earth\",\"year_us\":0.365,\"photos_bytes\":12,\"share\":0.0032,\"odd\":false}]");
}

TEST(Table, TerminalsShowReadableNumbers) {
  EXPECT_EQ(text_of(table, planets()),
            "planet           year     photos   mass  moons  kind\n"
            "Jove, large  4.333 ms  1.500 KiB  71.2%     95  heavy\n"
            "Earth        365.0 ns       12 B   0.3%         light\n");
}

// A slow link is not one of no bandwidth.
TEST(Table, SmallBandwidthsKeepTheirDigits) {
  EXPECT_EQ(readable(Cell(1.25e-8), "GB/s"), "1.25e-08");
  EXPECT_EQ(readable(Cell(12.5), "GB/s"), "12.50");
  EXPECT_EQ(readable(Cell(0.0), "GB/s"), "0");
}

TEST(Table, ThePageHasTheColumnsOfTheFile) {
  const std::string page = test::page_of(table);
  EXPECT_TRUE(
      page.starts_with("| column | unit | meaning |\n| --- | --- | --- |\n| `planet` |  | Its name. |\n"))
      << page;
  EXPECT_EQ(page.find("odd"), std::string::npos);
}

std::size_t longest_line(const std::string& text) {
  std::size_t longest = 0;
  for (std::size_t at = 0, end; at < text.size(); at = end + 1) {
    end = std::min(text.size(), text.find('\n', at));
    longest = std::max(longest, end - at);
  }
  return longest;
}

TEST(TextTable, LongWordsAreWrapped) {
  const std::string description =
      "five convolutions and three fully connected layers, one after the other, "
      "as everybody knows them by now";
  const std::string text =
      TextTable{{{"model", true}, {"layers"}, {"what", true}}, {{"alexnet", "8", description}}}.text();
  EXPECT_EQ(text,
            "model   layers what\n"
            "alexnet      8 five convolutions and three fully connected layers, one after the\n"
            "               other, as everybody knows them by now\n");
}

TEST(TextTable, ColumnsThatDoNotFitStandBelow) {
  const std::string wide(30, '1');
  EXPECT_EQ((TextTable{{{"run", true}, {"a"}, {"b"}, {"c"}}, {{"x", wide, wide, wide}}}).text(),
            "run" + std::string(31, ' ') + "a" + std::string(31, ' ') + "b\nx    " + wide + "  " + wide +
                "\n\nrun" + std::string(31, ' ') + "c\nx    " + wide + "\n");
}

TEST(TextTable, ColumnsWithoutContentsAreLeftOut) {
  TextTable table_of_two{{{"run", true}, {"a"}}, {{"x", ""}, {"y", ""}}};
  EXPECT_EQ(table_of_two.text(), "run\nx\ny\n");
  table_of_two.insert(1, {"what", true}, {"one", "two"});
  EXPECT_EQ(table_of_two.text(), "run  what\nx    one\ny    two\n");
  EXPECT_EQ((TextTable{{{"run", true}, {"a"}}, {}}).text(), "run  a\n");
}

TEST(Table, PutsLinesAboveRows) {
  const TextTable list{
      {{"name", true}, {"a"}}, {{"x", "1"}, {"y", "2"}, {"z", "3"}}, {"first", "", "second"}};
  EXPECT_EQ(list.text(), "name  a\n\nfirst\nx     1\ny     2\n\nsecond\nz     3\n");
}

TEST(TextTable, ANameWithoutBlanksBreaksBehindAMark) {
  std::vector<TextColumn> wide_columns{{"run", true}};
  std::vector<std::string> row{"a-very-long-name-of-a-run/" + std::string(60, 'x')};
  for (int i = 0; i < 7; ++i) {
    wide_columns.push_back({"number"});
    row.push_back("123456");
  }
  const std::string text = TextTable{wide_columns, {row}}.text();
  EXPECT_LE(longest_line(text), terminal_width) << text;
  EXPECT_NE(text.find("a-very-long-name-of-a-"), std::string::npos) << text;
}

TEST(ReportLine, ValuesStandBelowEachOther) {
  EXPECT_EQ(report_line("total", "9.395 s"), "  total                    9.395 s\n");
  EXPECT_EQ(report_line("conv", "25.00 us", "exposed", 4), "    conv                  25.00 us  exposed\n");
  EXPECT_LE(longest_line(report_line(std::string(60, 'n'), "1 s", std::string(90, 'r'))), terminal_width);
}

TEST(Wrapped, LinesBehindTheFirstAreIndented) {
  const std::string words = std::string(70, 'a') + " " + std::string(20, 'b');
  EXPECT_EQ(wrapped(words, 4), std::string(70, 'a') + "\n    " + std::string(20, 'b'));
  EXPECT_EQ(wrapped("short", 4), "short");
  EXPECT_EQ(wrapped("a\n\n" + words + "\nb\n", 2),
            "a\n\n" + std::string(70, 'a') + "\n  " + std::string(20, 'b') + "\nb\n");
  EXPECT_LE(longest_line(wrapped(std::string(300, 'z'), 6)), terminal_width);
}

}  // namespace
}  // namespace orrery::core::table_test
