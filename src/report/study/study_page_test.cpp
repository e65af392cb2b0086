#include "report/study/study_page.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/synthetic_study.hpp"

namespace orrery::core::study_page_test {
namespace {

// What stands in a page: its description and the bytes of its cells.
struct Unpacked {
  nlohmann::json header;
  std::string bytes;
};

std::string decoded(std::string_view text) {
  static constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char digit : text) {
    if (digit == '=') break;
    bits = bits << 6 | static_cast<std::uint32_t>(digits.find(digit));
    if ((count += 6) < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xff);
  }
  return bytes;
}

Unpacked unpacked(const std::string& page) {
  const std::string_view mark = "id=\"tables\">";
  const std::size_t begin = page.find(mark) + mark.size();
  const std::string packed = decoded(std::string_view(page).substr(begin, page.find('<', begin) - begin));
  std::string text(1 << 20, '\0');
  uLongf size = static_cast<uLongf>(text.size());
  EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(text.data()), &size,
                       reinterpret_cast<const Bytef*>(packed.data()), static_cast<uLong>(packed.size())),
            Z_OK);
  text.resize(size);
  const std::size_t end = text.find('\0');
  return {nlohmann::json::parse(text.substr(0, end)), text.substr(end + 1)};
}

// Returns the whole number that the planes of bytes from `begin` on hold of a row.
std::uint64_t whole(const Unpacked& page, std::size_t begin, std::size_t width, std::size_t row) {
  const auto rows = page.header["rows"].get<std::size_t>();
  std::uint64_t number = 0;
  for (std::size_t plane = 0; plane < width; ++plane)
    number |= std::uint64_t{static_cast<std::uint8_t>(page.bytes[begin + plane * rows + row])} << 8 * plane;
  return number;
}

// Returns the cells of a column as the page's script makes them.
std::vector<nlohmann::json> cells_of(const Unpacked& page, std::string_view name) {
  const auto rows = page.header["rows"].get<std::size_t>();
  std::size_t begin = 0;
  for (const nlohmann::json& column : page.header["columns"]) {
    const auto width = column["width"].get<std::size_t>();
    if (column["name"] != name) {
      begin += width * rows;
      continue;
    }
    std::vector<nlohmann::json> cells;
    for (std::size_t row = 0; row < rows; ++row) {
      const std::uint64_t number = whole(page, begin, width, row);
      if (column.contains("scale") && column["scale"] == 0) {
        const double real = std::bit_cast<double>(number);
        cells.push_back(std::isnan(real) ? nlohmann::json() : nlohmann::json(real));
      } else if (number == 0) {
        cells.emplace_back();
      } else if (column.contains("words")) {
        cells.push_back(column["words"][number - 1]);
      } else {
        const std::int64_t multiple =
            static_cast<std::int64_t>(number - 1) + column["least"].get<std::int64_t>();
        cells.push_back(static_cast<double>(multiple) / column["scale"].get<double>());
      }
    }
    return cells;
  }
  return {};
}

// A study of three runs, of which `column` is a further column.
StudyPage study_with(TypedColumn column, const std::vector<Cell>& cells) {
  StudyPage study;
  study.name = "three";
  study.runs.rows = cells.size();
  TypedColumn run = typed_column("run", "", "", ValueType::text), status = run;
  status.name = "status";
  for (const Cell& cell : cells) {
    run.add("r" + std::to_string(run.text_ends.size()));
    status.add("ok");
    column.add(cell);
  }
  study.runs.columns = {run, status, std::move(column)};
  return study;
}

std::vector<nlohmann::json> round_trip(ValueType type, const std::vector<Cell>& cells) {
  return cells_of(unpacked(study_page(study_with(typed_column("x", "us", "", type), cells))), "x");
}

using Cells = std::vector<nlohmann::json>;

TEST(StudyPage, HoldsNumbersToTheLastBit) {
  EXPECT_EQ(round_trip(ValueType::real, {Real{1.5}, Real{-3.25}, Cell()}), (Cells{1.5, -3.25, nullptr}));
  EXPECT_EQ(round_trip(ValueType::real, {Real{1.0 / 3}, Cell(), Real{-1e300}}),
            (Cells{1.0 / 3, nullptr, -1e300}));
  EXPECT_EQ(round_trip(ValueType::real, {Real{123456.789012}, Real{0.000001}}),
            (Cells{123456.789012, 0.000001}));
  EXPECT_EQ(round_trip(ValueType::integer, {std::int64_t{-70000}, std::int64_t{1} << 52, Cell()}),
            (Cells{-70000.0, 0x1p52, nullptr}));
}

TEST(StudyPage, HoldsNumbersWhoseSpanIsNoExactNumber) {
  EXPECT_EQ(round_trip(ValueType::real, {Real{8e15}, Real{-8e15}}), (Cells{8e15, -8e15}));
}

TEST(StudyPage, TakesWhatIsInfiniteOrMissingForNothing) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(round_trip(ValueType::real, {Real{infinity}, Real{2}, Real{std::nan("")}}),
            (Cells{nullptr, 2.0, nullptr}));
  EXPECT_EQ(round_trip(ValueType::real, {Cell(), Cell()}), (Cells{nullptr, nullptr}));
  EXPECT_EQ(round_trip(ValueType::text, {"", Cell(), "a"}), (Cells{nullptr, nullptr, "a"}));
}

TEST(StudyPage, HoldsTextsOnceAndBooleansAsWords) {
  const Unpacked page =
      unpacked(study_page(study_with(typed_column("x", "", "", ValueType::text), {"b", "a", "b"})));
  EXPECT_EQ(page.header["columns"][2]["words"], (Cells{"b", "a"}));
  EXPECT_EQ(cells_of(page, "x"), (Cells{"b", "a", "b"}));
  EXPECT_EQ(round_trip(ValueType::boolean, {true, Cell(), false}), (Cells{"yes", nullptr, "no"}));
}

TEST(StudyPage, HoldsMoreThanAByteOfTexts) {
  std::vector<Cell> names;
  Cells expected;
  for (int i = 0; i < 300; ++i) {
    names.emplace_back(std::to_string(i));
    expected.emplace_back(std::to_string(i));
  }
  EXPECT_EQ(round_trip(ValueType::text, names), expected);
}

TEST(StudyPage, NamesKeysObjectivesAndColumns) {
  StudyPage study = synthetic_study(20);
  study.objectives[1].maximum = true;
  const Unpacked page = unpacked(study_page(study));
  EXPECT_EQ(page.header["rows"], 20);
  EXPECT_EQ(page.header["keys"], nlohmann::json(study.keys));
  EXPECT_EQ(page.header["objectives"][0], (nlohmann::json{{"column", "step_us"}, {"maximum", false}}));
  EXPECT_EQ(page.header["objectives"][1]["maximum"], true);
  EXPECT_EQ(page.header["columns"].size(), study.runs.columns.size());
  EXPECT_EQ(page.header["columns"][0]["meaning"], "Meaning of run.");
  EXPECT_EQ(page.header["origin"]["command"][0], "sweep");
}

TEST(StudyPage, EqualStudiesMakeEqualPages) {
  EXPECT_EQ(study_page(synthetic_study(500)), study_page(synthetic_study(500)));
}

TEST(StudyPage, KeepsMarkupInNamesOutOfThePage) {
  StudyPage study = synthetic_study(10);
  study.name = "<img src=x onerror=alert(1)><!--tables-->";
  const std::string page = study_page(study);
  EXPECT_EQ(page.find("onerror"), page.find("onerror=alert(1)&gt;"));
  EXPECT_NE(page.find("<title>&lt;img"), std::string::npos);
  EXPECT_EQ(unpacked(page).header["name"], study.name);
}

TEST(StudyPage, HasNoRunsWhereThereAreNone) {
  const Unpacked page = unpacked(study_page(synthetic_study(0)));
  EXPECT_EQ(page.header["rows"], 0);
  EXPECT_TRUE(page.bytes.empty());
}

TEST(StudyPage, RefusesColumnsThatTheRunsLack) {
  StudyPage study = synthetic_study(3);
  study.keys.emplace_back("nothing");
  EXPECT_THROW(study_page(study), std::logic_error);
  study = synthetic_study(3);
  study.objectives.push_back({"nothing", false});
  EXPECT_THROW(study_page(study), std::logic_error);
  study = synthetic_study(3);
  study.runs.columns.erase(study.runs.columns.begin());
  EXPECT_THROW(study_page(study), std::logic_error);
}

}  // namespace
}  // namespace orrery::core::study_page_test
