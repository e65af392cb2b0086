#include "orrery/table.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <stdexcept>
#include <utility>

#include "api/arrow_stream.hpp"
#include "report/table/row_sink.hpp"

namespace orrery::core::test::api_table_test {
namespace {

struct Planet {
  std::string name;
  std::optional<std::int64_t> moons;
  Time year;
  bool has_rings;
};

constexpr Column<Planet> planet_columns[] = {
    {"name", "", "Name of the planet.", [](auto& row) { return std::string_view(row.name); }},
    {"moons", "", "Number of its moons, where it is known.", [](auto& row) { return row.moons; }},
    {"year_us", "us", "Time around its sun.", [](auto& row) { return row.year; }},
    {"has_rings", "", "Whether it has rings.", [](auto& row) { return row.has_rings; }},
};

// Nine rows, so that bits take more than a byte.
std::shared_ptr<const TypedTable> planets() {
  std::vector<Planet> rows;
  for (int i = 0; i < 9; ++i)
    rows.push_back({"planet " + std::to_string(i), i == 3 ? std::nullopt : std::optional<std::int64_t>(i),
                    Time::from_ns(i * 1500), i % 2 == 1});
  return std::make_shared<const TypedTable>(
      typed_table({"planets.csv", {core::Table<Planet>(planet_columns), std::move(rows)}}));
}

TEST(ApiTable, KnowsItsColumns) {
  const orrery::Table table(planets());
  EXPECT_EQ(table.name(), "planets");
  EXPECT_EQ(table.rows(), 9u);
  ASSERT_EQ(table.columns().size(), 4u);
  EXPECT_EQ(table.columns()[2].name, "year_us");
  EXPECT_EQ(table.columns()[2].unit, "us");
  EXPECT_EQ(table.columns()[2].meaning, "Time around its sun.");
  EXPECT_EQ(table.columns()[0].type, ColumnType::text);
  EXPECT_EQ(table.columns()[1].type, ColumnType::integer);
  EXPECT_EQ(table.columns()[2].type, ColumnType::real);
  EXPECT_EQ(table.columns()[3].type, ColumnType::boolean);
  EXPECT_TRUE(table.has("moons"));
  EXPECT_FALSE(table.has("suns"));
}

TEST(ApiTable, GivesItsValues) {
  const orrery::Table table(planets());
  EXPECT_EQ(table.text(8, "name"), "planet 8");
  EXPECT_EQ(table.integer(8, "moons"), 8);
  EXPECT_EQ(table.real(8, "moons"), 8);
  EXPECT_EQ(table.integer(3, "moons"), std::nullopt);
  EXPECT_TRUE(table.is_missing(3, "moons"));
  EXPECT_EQ(table.real(1, "year_us"), 1.5);
  EXPECT_EQ(table.boolean(7, "has_rings"), true);
  EXPECT_EQ(table.boolean(8, "has_rings"), false);
  EXPECT_EQ(table.reals("year_us")[2], 3.0);
  EXPECT_EQ(table.integers("moons").size(), 9u);
  EXPECT_THROW((void)table.real(9, "year_us"), std::out_of_range);
  EXPECT_THROW((void)table.real(0, "suns"), std::out_of_range);
  EXPECT_THROW((void)table.text(0, "moons"), std::invalid_argument);
}

// Reads the one batch of a stream as another library would.
struct Batch {
  explicit Batch(const orrery::Table& table) {
    ArrowArrayStream stream{};
    table.export_arrow(&stream);
    EXPECT_EQ(stream.get_schema(&stream, &schema), 0);
    EXPECT_EQ(stream.get_next(&stream, &array), 0);
    ArrowArray last{};
    EXPECT_EQ(stream.get_next(&stream, &last), 0);
    EXPECT_EQ(last.release, nullptr);
    stream.release(&stream);
    EXPECT_EQ(stream.release, nullptr);
  }
  ~Batch() {
    if (schema.release) schema.release(&schema);
    if (array.release) array.release(&array);
  }
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  template <class Value>
  const Value* values(int column, int buffer) const {
    return static_cast<const Value*>(array.children[column]->buffers[buffer]);
  }

  ArrowSchema schema{};
  ArrowArray array{};
};

TEST(ApiTable, StreamsToReadersOfArrow) {
  const auto values = planets();
  const Batch batch{orrery::Table(values)};
  EXPECT_STREQ(batch.schema.format, "+s");
  ASSERT_EQ(batch.schema.n_children, 4);
  const char* const formats[] = {"U", "l", "g", "b"};
  for (int i = 0; i < 4; ++i) EXPECT_STREQ(batch.schema.children[i]->format, formats[i]);
  EXPECT_STREQ(batch.schema.children[2]->name, "year_us");
  EXPECT_EQ(batch.array.length, 9);
  EXPECT_EQ(batch.array.children[1]->null_count, 1);
  EXPECT_EQ(batch.array.children[2]->null_count, 0);
  EXPECT_EQ(batch.values<std::uint8_t>(1, 0)[0], 0xf7);
  EXPECT_EQ(batch.values<std::uint8_t>(3, 1)[0], 0xaa);
  const auto* const ends = batch.values<std::int64_t>(0, 1);
  EXPECT_EQ(std::string_view(batch.values<char>(0, 2) + ends[2], static_cast<std::size_t>(ends[3] - ends[2])),
            "planet 2");
  // Numbers are not copied.
  EXPECT_EQ(batch.values<double>(2, 1), values->find("year_us")->reals.data());
}

TEST(ApiTable, LivesAsLongAsAChildThatWasMovedOutOfIt) {
  ArrowArray child{};
  std::weak_ptr<const TypedTable> watched;
  {
    const auto values = planets();
    watched = values;
    Batch batch{orrery::Table(values)};
    child = *batch.array.children[2];
    batch.array.children[2]->release = nullptr;  // as the C data interface says it
  }
  EXPECT_FALSE(watched.expired());
  EXPECT_EQ(static_cast<const double*>(child.buffers[1])[8], 12.0);
  child.release(&child);
  EXPECT_EQ(child.release, nullptr);
  EXPECT_TRUE(watched.expired());
}

TEST(ApiTable, TellsUnitsAndMeaningsInTheMetadata) {
  const Batch batch{orrery::Table(planets())};
  const char* at = batch.schema.children[2]->metadata;
  const auto number = [&] {
    std::int32_t value = 0;
    std::memcpy(&value, at, sizeof value);
    at += sizeof value;
    return value;
  };
  const auto text = [&] {
    const auto size = static_cast<std::size_t>(number());
    const std::string_view read(at, size);
    at += size;
    return read;
  };
  EXPECT_EQ(number(), 2);
  EXPECT_EQ(text(), "unit");
  EXPECT_EQ(text(), "us");
  EXPECT_EQ(text(), "meaning");
  EXPECT_EQ(text(), "Time around its sun.");
}

TEST(ApiTable, MayHaveNoRows) {
  const orrery::Table table(std::make_shared<const TypedTable>(
      typed_table({"planets.csv", {core::Table<Planet>(planet_columns), std::vector<Planet>()}})));
  EXPECT_EQ(table.rows(), 0u);
  EXPECT_EQ(table.columns().size(), 4u);
  const Batch batch(table);
  EXPECT_EQ(batch.array.length, 0);
}

}  // namespace
}  // namespace orrery::core::test::api_table_test
