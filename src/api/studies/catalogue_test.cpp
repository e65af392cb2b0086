// Programs see what comes with Orrery as the lists that `orrery list` prints.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/files/file.hpp"
#include "orrery/calculators.hpp"
#include "orrery/experiment.hpp"
#include "orrery/machine.hpp"
#include "orrery/workload.hpp"
#include "support/cases.hpp"
#include "support/source_dir.hpp"

namespace orrery::core::test::api_catalogue_test {
namespace {

using orrery::ColumnType;

nlohmann::json listed(const std::string& what) {
  const Outcome outcome = call_orrery({"list", what, "--json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  return nlohmann::json::parse(outcome.output);
}

// Returns a cell as JSON has it.
nlohmann::json cell_of(const orrery::Table& table, std::size_t row, const orrery::ColumnInfo& column) {
  if (table.is_missing(row, column.name)) return nullptr;
  switch (column.type) {
    case ColumnType::boolean:
      return *table.boolean(row, column.name);
    case ColumnType::integer:
      return *table.integer(row, column.name);
    case ColumnType::real:
      return *table.real(row, column.name);
    case ColumnType::text:
      break;
  }
  return *table.text(row, column.name);
}

// Every value of the list is in the table, too, except `but`, and each column says what it means.
void expect_equal(const orrery::Table& table, const nlohmann::json& list,
                  const std::vector<std::string>& but = {}) {
  ASSERT_EQ(table.rows(), list.size());
  ASSERT_GT(table.rows(), 1u);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    nlohmann::json cells = nlohmann::json::object();
    for (const orrery::ColumnInfo& column : table.columns()) {
      EXPECT_TRUE(column.meaning.ends_with(".")) << column.name;
      cells[column.name] = cell_of(table, row, column);
    }
    for (const auto& [key, value] : list[row].items()) {
      if (std::ranges::find(but, key) != but.end()) continue;
      EXPECT_EQ(cells[key], value) << table.name() << ", row " << row << ", " << key;
    }
  }
}

TEST(ApiCatalogue, HasTheListsOfTheProgram) {
  const nlohmann::json networks = listed("models");
  expect_equal(orrery::models(), networks["models"]);
  expect_equal(orrery::transformers(), networks["transformers"]);
  expect_equal(orrery::platforms(), listed("platforms")["platforms"]);
  expect_equal(orrery::stacks(), listed("stacks")["stacks"]);
  expect_equal(orrery::host_stacks(), listed("host-stacks")["host_stacks"]);
  expect_equal(orrery::devices(), listed("devices")["devices"],
               {"matrix_peak_tflops", "vector_peak_tflops", "sources"});
}

TEST(ApiCatalogue, DevicesHaveAColumnForEachPeak) {
  const orrery::Table table = orrery::devices();
  const nlohmann::json list = listed("devices")["devices"];
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (const std::string units : {"matrix", "vector"}) {
      std::size_t peaks = 0;
      for (const char* const type : {"fp64", "fp32", "tf32", "fp16", "bf16", "fp8", "int8", "fp4"}) {
        const std::string column = units + "_" + type + "_tflops";
        peaks += table.is_missing(row, column) ? 0 : 1;
        const nlohmann::json& said = list[row][units + "_peak_tflops"];
        EXPECT_EQ(table.real(row, column).value_or(0), said.value(type, 0.0)) << row << " " << column;
      }
      EXPECT_EQ(peaks, list[row][units + "_peak_tflops"].size()) << row;
    }
    const std::string sources(*table.text(row, "sources"));
    for (const std::string source : list[row]["sources"])
      EXPECT_NE(sources.find(source), std::string::npos) << row;
  }
}

// Every name of a table stands where its documentation says.
TEST(ApiCatalogue, NamesAreThoseThatExperimentsTake) {
  const orrery::Table devices = orrery::devices(), platforms = orrery::platforms(),
                      transformers = orrery::transformers();
  for (std::size_t row = 0; row < devices.rows(); ++row) {
    const std::string device(*devices.text(row, "device"));
    EXPECT_TRUE(orrery::cost_products({.device = device})) << device;
  }
  for (std::size_t row = 0; row < platforms.rows(); ++row) {
    const std::string platform(*platforms.text(row, "platform"));
    EXPECT_TRUE(orrery::cost_collective({.platform = platform})) << platform;
  }
  for (std::size_t row = 0; row < transformers.rows(); ++row) {
    const std::string word(*transformers.text(row, "transformer"));
    const orrery::Table one = orrery::describe_transformer(word).value().table("transformers").value();
    EXPECT_EQ(one.integer(0, "parameters"), transformers.integer(row, "parameters")) << word;
  }
}

TEST(ApiCatalogue, DescribesTransformersOfFilesAsTheProgramDoes) {
  const std::string file = source_dir() + "/examples/transformers/sixty-four-experts.yaml";
  const auto found = orrery::describe_transformer(file).value();
  EXPECT_EQ(found.text(), call_orrery({"list", file}).output);
  EXPECT_EQ(nlohmann::json::parse(found.json()), listed(file));
  EXPECT_TRUE(found.warnings().empty());

  const TemporaryFolder folder;
  const std::string config = (folder.path() / "model").string();
  write_file_atomically(config, R"({"model_type": "gpt2", "attn_pdrop": 0.0})");
  const auto described = orrery::describe_transformer(config).value();
  EXPECT_EQ(described.table("transformers").value().integer(0, "layers"), 12);
  ASSERT_FALSE(described.warnings().empty());
  EXPECT_EQ(described.warnings().front().find(config + ":1:"), 0u) << described.warnings().front();
}

TEST(ApiCatalogue, SaysThatThereIsNoSuchTransformer) {
  const auto unknown = orrery::describe_transformer("llama3-8c");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.problems().front().kind, orrery::ProblemKind::input);
  EXPECT_EQ(unknown.problems().front().place, "name_or_file");
  EXPECT_NE(unknown.problems().front().message.find("llama3-8b"), std::string::npos);
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "layers.yaml").string();
  write_file_atomically(file, "layres: 12\n");
  const auto wrong = orrery::describe_transformer(file);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.problems().front().place.find(file + ":1:1"), 0u) << wrong.problems().front();
}

}  // namespace
}  // namespace orrery::core::test::api_catalogue_test
