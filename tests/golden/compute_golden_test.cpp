// The systolic array counts what SCALE-Sim v2 counted.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>

#include "base/diagnostics/words.hpp"
#include "base/files/file.hpp"
#include "base/text/text_lines.hpp"
#include "compute/systolic/systolic_cost.hpp"
#include "support/source_dir.hpp"

namespace orrery::core::test::compute_golden_test {
namespace {

namespace fs = std::filesystem;

// A line of a table, by column.
class Row {
 public:
  Row(const std::vector<Token>& titles, const std::vector<Token>& cells) {
    for (std::size_t i = 0; i < titles.size(); ++i) cells_[std::string(titles[i].text)] = cells.at(i).text;
  }
  std::string text(const std::string& title) const { return cells_.at(title); }
  std::uint64_t number(const std::string& title) const { return std::stoull(text(title)); }
  double share(const std::string& title) const { return std::stod(text(title)) / 100; }
  bool has(const std::string& title) const { return cells_.contains(title); }

 private:
  std::map<std::string, std::string> cells_;
};

std::vector<Row> rows_of(const std::string& name) {
  const std::string text =
      read_file_of_any_kind((fs::path(test::source_dir()) / "tests/golden/compute" / name).string());
  const std::vector<Token> lines = lines_of(text);
  std::vector<Row> rows;
  for (std::size_t i = 1; i < lines.size(); ++i) rows.emplace_back(cells_of(lines[0]), cells_of(lines[i]));
  return rows;
}

SystolicArray array_of(const Row& row) {
  SystolicArray array;
  array.dataflow = *value_of(dataflow_words, row.text("dataflow"));
  array.rows = row.number("rows");
  array.columns = row.number("cols");
  array.input_sram = row.number("ifmap_kb") * 1024;
  array.filter_sram = row.number("filter_kb") * 1024;
  array.output_sram = row.number("ofmap_kb") * 1024;
  return array;
}

SystolicOperation operation_of(const Row& row) {
  if (!row.has("ifmap_h"))
    return systolic_operation(Gemm{row.number("M"), row.number("N"), row.number("K"), 1}, {});
  Convolution c;
  c.height = row.number("ifmap_h");
  c.width = row.number("ifmap_w");
  c.filter_height = row.number("filter_h");
  c.filter_width = row.number("filter_w");
  c.channels = row.number("channels");
  c.filters = row.number("num_filters");
  c.stride_height = row.number("stride_h");
  c.stride_width = row.number("stride_w");
  return systolic_operation(c, LastWindow::hangs_over, {});
}

void expect_equal(const Row& row) {
  constexpr double sixth_decimal = 1e-8;  // of a percentage
  const SystolicOperation operation = operation_of(row);
  EXPECT_EQ(operation.m, row.number("M"));
  EXPECT_EQ(operation.n, row.number("N"));
  EXPECT_EQ(operation.k, row.number("K"));
  const SystolicCost cost = systolic_cost(array_of(row), operation, {});
  EXPECT_EQ(cost.cycles, row.number("total_cycles"));
  EXPECT_EQ(cost.stall_cycles, row.number("stall_cycles"));
  EXPECT_NEAR(cost.overall_utilization, row.share("overall_util_pct"), sixth_decimal);
  EXPECT_NEAR(cost.mapping_efficiency, row.share("mapping_eff_pct"), sixth_decimal);
  EXPECT_NEAR(cost.compute_utilization, row.share("compute_util_pct"), sixth_decimal);
  EXPECT_EQ(cost.sram.input_reads, row.number("sram_ifmap_reads"));
  EXPECT_EQ(cost.sram.filter_reads, row.number("sram_filter_reads"));
  EXPECT_EQ(cost.sram.output_writes, row.number("sram_ofmap_writes"));
  EXPECT_EQ(cost.dram.input_reads, row.number("dram_ifmap_reads"));
  EXPECT_EQ(cost.dram.filter_reads, row.number("dram_filter_reads"));
  const auto written = static_cast<double>(row.number("dram_ofmap_writes"));
  EXPECT_NEAR(static_cast<double>(cost.dram.output_writes), written, written * 0.001);
}

class ComputeGolden : public testing::TestWithParam<std::pair<const char*, std::size_t>> {};

TEST_P(ComputeGolden, CountsTheSame) {
  const auto [name, count] = GetParam();
  const std::vector<Row> rows = rows_of(name);
  EXPECT_EQ(rows.size(), count);
  for (const Row& row : rows) {
    SCOPED_TRACE(row.text("M") + " x " + row.text("K") + " x " + row.text("N") + " " + row.text("dataflow") +
                 " on " + row.text("rows") + " x " + row.text("cols"));
    expect_equal(row);
  }
}

INSTANTIATE_TEST_SUITE_P(ScaleSim, ComputeGolden,
                         testing::Values(std::pair{"scalesim_v2_calc.csv", std::size_t{247}},
                                         std::pair{"scalesim_v2_conv_calc.csv", std::size_t{15}}));

}  // namespace
}  // namespace orrery::core::test::compute_golden_test
