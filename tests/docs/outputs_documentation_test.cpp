// docs/outputs.md and the pages to which it leads name everything that the program writes, and nothing that
// it does not.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <regex>
#include <utility>
#include <vector>

#include "api/plugins/part_kinds.hpp"
#include "base/files/file.hpp"
#include "cli/commands.hpp"
#include "report/breakdown/rank_table.hpp"
#include "report/calculators/collective_report.hpp"
#include "report/calculators/kernel_report.hpp"
#include "report/calculators/roofline_report.hpp"
#include "report/calculators/systolic_report.hpp"
#include "report/catalogue.hpp"
#include "report/compare/run_changes.hpp"
#include "report/compare/run_comparisons.hpp"
#include "report/critical_path/path_exchanges.hpp"
#include "report/critical_path/path_operators.hpp"
#include "report/critical_path/path_report.hpp"
#include "report/memory/memory_history.hpp"
#include "report/network/flow_report.hpp"
#include "report/network/link_report.hpp"
#include "report/network/packet_report.hpp"
#include "report/network/topology_report.hpp"
#include "report/picture/draw_network.hpp"
#include "report/profile/measured_comparison.hpp"
#include "report/summary/summary.hpp"
#include "report/timeline/programs/program_timeline.hpp"
#include "report/timeline/programs/trace_timeline.hpp"
#include "report/traces/trace_inspection.hpp"
#include "report/traces/trace_tables.hpp"
#include "report/training/training_report.hpp"
#include "study/calibration/calibration_report.hpp"
#include "study/compare/crosscheck.hpp"
#include "study/search/layout_json.hpp"
#include "study/search/layout_table.hpp"
#include "study/sensitivity/sensitivity_table.hpp"
#include "study/workloads/transformer/yaml_transformer.hpp"
#include "support/documented_words.hpp"
#include "support/headings.hpp"
#include "support/source_dir.hpp"
#include "support/table_page.hpp"

namespace orrery::core::test::outputs_documentation_test {
namespace {

namespace fs = std::filesystem;

void add_keys(const nlohmann::ordered_json& value, const std::string& prefix, Words& keys) {
  if (value.is_array()) {
    for (const auto& element : value) add_keys(element, prefix + "[].", keys);
  } else if (value.is_object()) {
    for (const auto& [key, below] : value.items()) {
      keys.insert(prefix + key);
      add_keys(below, prefix + key + (below.is_object() ? "." : ""), keys);
    }
  }
}

Words summary_keys() {
  Summary summary;
  summary.layers.resize(1);
  summary.warnings.resize(1);
  summary.dimensions.resize(1);
  summary.busiest_links.resize(2);
  summary.busiest_links[0].of_packets.emplace();
  summary.busiest_links[1].of_flits.emplace();
  summary.latencies.resize(1);
  summary.fullest_switches.resize(1);
  summary.fullest_switches[0].buffer.emplace();
  summary.memory.emplace();
  summary.training.emplace();
  summary.training->links = "nvlink";
  summary.training->device_memory = 1;
  summary.training->inference.emplace();
  summary.parts.resize(1);
  summary.staleness = 0;
  summary.network_cost = 0;
  Words keys;
  add_keys(to_json(summary), "", keys);
  return keys;
}

Words inspection_keys() {
  InspectedTrace trace;
  trace.check.collectives.resize(1);
  trace.check.missing_parents.resize(1);
  InspectedSet set;
  set.traces = {trace};
  set.unmatched.resize(1);
  set.incomplete.resize(1);
  Words keys;
  add_keys(inspection_to_json({set}), "", keys);
  return keys;
}

// A run of one node on one rank, with everything that may be there.
struct SmallTraceRun {
  SmallTraceRun() {
    auto graph = std::make_shared<chakra::TraceGraph>();
    graph->nodes.push_back({.type = chakra::NodeType::invalid});
    graph->parents = std::make_shared<GraphEdges>(GraphEdges{{0, 0}, {}});
    graph->texts = {""};
    rules.track_local_memory = true;
    traces = make_trace_program({{graph, "trace.0.et", nullptr}},
                                {machine.topology, machine.system, machine.memory}, rules);
    const RankClasses one = RankClasses::all_distinct(1);
    recording.set_ranks(one, RankParts(one), {Time()}, {std::vector<Interval>(1)});
    recording.links.resize(1);
  }
  Machine machine;
  TraceRules rules;
  TraceProgram traces;
  Recording recording;
};

// Objects in lists are below "list[].", others below "object.".
void add_trace_keys(const nlohmann::json& value, const std::string& prefix, Words& keys) {
  if (value.is_array() && !value.empty()) add_trace_keys(value[0], prefix + "[].", keys);
  if (!value.is_object()) return;
  for (const auto& [key, below] : value.items()) {
    keys.insert(prefix + key);
    add_trace_keys(below, prefix + key + (below.is_object() ? "." : ""), keys);
  }
}

Words trace_run_keys() {
  const SmallTraceRun run;
  const Summary summary = summarize("traces", 1, run.traces.program, run.machine, run.recording,
                                    breakdown_of(run.traces.program, run.recording));
  Words keys;
  add_trace_keys(
      nlohmann::json::parse(trace_json(run.traces, run.rules, summary, run.recording, {{}, {}, {{}}, {}})),
      "", keys);
  return keys;
}

Words systolic_keys() {
  SystolicReport report;
  report.operators.resize(1);
  Words keys;
  add_keys(systolic_to_json(report), "", keys);
  return keys;
}

Words roofline_keys() {
  CostedGemm gemm;
  gemm.why.cost.seconds = 1;
  gemm.measured_seconds = 1;
  Words keys;
  add_keys(roofline_to_json({"", {gemm}}), "", keys);
  return keys;
}

Words kernel_cost_keys() {
  CostedKernel kernel;
  kernel.why.cost.seconds = 1;
  kernel.measured_seconds = 1;
  Words keys;
  add_keys(kernels_to_json({"", {kernel}}), "", keys);
  return keys;
}

Words collective_keys() {
  CostedGroup group;
  group.row.seconds = 1;
  Words keys;
  add_keys(collective_to_json({"", 0, {group}}), "", keys);
  return keys;
}

Words calibration_keys() {
  const Constant& constant = step_constants().front();
  FileCalibration calibration;
  calibration.calibrations.push_back(
      {"", {{&constant, 1, 1, 1}, {&constant, 1, 1, {}, "why"}}, {""}, {0}, {0}});
  Words keys;
  add_keys(calibration_to_json(calibration), "", keys);
  return keys;
}

Words search_keys() {
  Warnings warnings;
  const TrainingSetup base = read_yaml_transformer(
      parse_yaml("{ model: gpt3-6.7b, batch: { global: 1 } }", ""),
      read_platform(parse_yaml("dgx-a100", ""), {}, InputLog()), {}, InputLog(), warnings);
  LayoutSearch search;
  search.layouts.push_back({{base.plan}});
  search.layouts.front().estimate = Seconds(1);
  search.own = search.layouts.front();
  search.own.failure = "why";
  search.on_network = true;
  search.layouts.push_back(search.own);
  search.layouts.back().verdict = LayoutVerdict::failed;
  search.best.resize(1);
  search.refused.resize(1);
  Words keys;
  add_keys(layouts_to_json("", base, search), "", keys);
  return keys;
}

Words topology_keys() {
  TopologyReport report;
  report.nodes.resize(1);
  report.cables.resize(1);
  report.levels.resize(1);
  report.cuts.resize(1);
  report.hops.emplace();
  report.latency.emplace();
  report.bisection_between = 1;
  Words keys;
  add_keys(topology_to_json(report), "", keys);
  return keys;
}

Words device_list_keys() {
  nlohmann::ordered_json devices =
      std::ranges::find(catalogue_tables(), "devices", &CatalogueTable::name)->json();
  for (nlohmann::ordered_json& device : devices)
    for (const char* const peaks : {"matrix_peak_tflops", "vector_peak_tflops"})
      device.at(peaks).clear();  // each has its datatypes
  Words keys;
  add_keys({{"devices", devices}}, "", keys);
  return keys;
}

// Titles of the result files of a run, with N for the number of a phase or dimension.
Words column_titles() {
  const fs::path run = fs::path(test::source_dir()) / "tests/golden/system/s01_ring8_allreduce/expected";
  Words titles;
  for (const auto& entry : fs::directory_iterator(run)) {
    if (entry.path().extension() != ".csv") continue;
    const std::string text = read_file_of_any_kind(entry.path().string());
    const std::regex cell("[^,]*[^, ]");
    const std::string header = text.substr(0, text.find('\n'));
    for (std::sregex_iterator i(header.begin(), header.end(), cell), end; i != end; ++i) {
      const std::string title = std::regex_replace(i->str(), std::regex("[0-9]+"), "N");
      titles.insert(title.substr(title.find_first_not_of(' ')));
    }
  }
  return titles;
}

// One of the pages has the columns exactly as the table's definition says, with links as the page writes
// them.
class TablePages {
 public:
  TablePages() {
    for (const std::string& page : output_pages()) texts_.emplace_back(page, read_file_of_any_kind(page));
  }
  void expect(const std::string& columns) const {
    EXPECT_TRUE(std::ranges::any_of(
        texts_,
        [&](const auto& text) {
          return text.second.find("\n\n" + with_links(columns, text.first, places_)) != std::string::npos;
        }))
        << "no page of docs/outputs/ has\n"
        << columns;
  }

 private:
  const HeadingPlaces places_ = places_of_headings(output_pages());
  std::vector<std::pair<std::string, std::string>> texts_;  // paths of pages, and what is on them
};

TEST(OutputDocumentation, ColumnsOfFiles) {
  const TablePages pages;
  pages.expect(page_of(run_table));
  pages.expect(page_of(layer_table));
  pages.expect(page_of(comparison_table));
  pages.expect(page_of(part_table));
  pages.expect(page_of(rank_time_table));
  pages.expect(page_of(stage_table));
  pages.expect(page_of(timeline_table));
  pages.expect(page_of(link_table));
  pages.expect(page_of(link_history_table));
  pages.expect(page_of(packet_history_table));
  pages.expect(page_of(switch_history_table));
  pages.expect(page_of(layout_table));
  pages.expect(page_of(rank_table));
  pages.expect(page_of(node_table));
  pages.expect(page_of(crosscheck_table));
  pages.expect(page_of(critical_path_table));
  pages.expect(page_of(path_share_table));
  pages.expect(page_of(path_operator_table));
  pages.expect(page_of(path_exchange_table));
  pages.expect(page_of(sensitivity_table));
  pages.expect(page_of(activity_table));
  pages.expect(page_of(flow_table));
  pages.expect(page_of(flow_link_table));
  pages.expect(page_of(packet_flow_table));
  pages.expect(page_of(packet_link_table));
  pages.expect(page_of(flit_link_table));
  pages.expect(page_of(switch_table));
  pages.expect(page_of(latency_table));
  pages.expect(page_of(message_table));
  pages.expect(page_of(picture_node_table));
  pages.expect(page_of(picture_link_table));
  pages.expect(page_of(picture_moment_table));
  pages.expect(page_of(memory_history_table));
}

TEST(OutputDocumentation, KeysOfLists) {
  const TablePages pages;
  pages.expect(page_of(run_table, Form::json));
  pages.expect(page_of(layer_table, Form::json, "layers[]."));
  pages.expect(page_of(part_table, Form::json, "parts[]."));
  pages.expect(page_of(link_table, Form::json, "busiest_links[]."));
  pages.expect(page_of(packet_link_table, Form::json, "busiest_links[]."));
  pages.expect(page_of(flit_link_table, Form::json, "busiest_links[]."));
  pages.expect(page_of(switch_table, Form::json, "fullest_switches[]."));
  pages.expect(page_of(vnet_latency_table, Form::json, "packet_latencies[]."));
  pages.expect(page_of(rank_table, Form::json, "ranks[]."));
  pages.expect(page_of(input_change_table, Form::json, "comparisons[].inputs[]."));
  pages.expect(page_of(time_change_table, Form::json, "comparisons[].times[]."));
  pages.expect(page_of(layer_change_table, Form::json, "comparisons[].layers[]."));
  pages.expect(page_of(link_change_table, Form::json, "comparisons[].links[]."));
  pages.expect(page_of(step_part_table, Form::json, "comparisons[].parts[]."));
  pages.expect(page_of(activity_table, Form::json, "comparisons[].activities[]."));
  pages.expect(page_of(kernel_table, Form::json, "comparisons[].kernels[]."));
  pages.expect(page_of(rank_pair_table, Form::json, "comparisons[].ranks[]."));
  pages.expect(page_of(timeline_fact_table, Form::json));
  pages.expect(page_of(product_table, Form::json, "products[]."));
  pages.expect(page_of(kernel_cost_table, Form::json, "kernels[]."));
  pages.expect(page_of(group_cost_table, Form::json, "costs[]."));
  pages.expect(page_of(calibrated_constant_table, Form::json, "constants[]."));
  pages.expect(page_of(calibration_error_table, Form::json, "errors[]."));
  pages.expect(page_of(calibrated_row_table, Form::json, "rows[]."));
  pages.expect(page_of(systolic_table, Form::json, "operators[]."));
  pages.expect(page_of(nodes_table, Form::json, "nodes[]."));
  pages.expect(page_of(cables_table, Form::json, "cables[]."));
  pages.expect(page_of(level_table, Form::json, "levels[]."));
  pages.expect(page_of(cut_table, Form::json, "cuts[]."));
  pages.expect(page_of(device_table, Form::json, "devices[]."));
  for (const CatalogueTable& table : catalogue_tables())
    if (table.name != "devices")
      pages.expect(page_of(typed_table(catalogue_rows(table.name)), table.key() + "[]."));
  pages.expect(page_of(listed_part_table, Form::json, "plug_ins[]."));
}

TEST(OutputDocumentation, SummaryKeys) {
  const Words page = codes_of_outputs(), keys = summary_keys();
  EXPECT_TRUE(all_among(keys, page));
  for (const char* prefix : {"layers[].", "dimensions[].", "busiest_links[].", "fullest_switches[].",
                             "packet_latencies[].", "memory.", "training."}) {
    EXPECT_TRUE(all_among(with_prefix(page, prefix), keys)) << "no such key, but documented";
  }
}

TEST(OutputDocumentation, InspectionKeys) {
  const Words page = codes_of_outputs(), keys = inspection_keys();
  EXPECT_TRUE(all_among(keys, page));
  EXPECT_TRUE(all_among(with_prefix(page, "sets[]."), keys)) << "no such key, but documented";
}

TEST(OutputDocumentation, TraceRunKeys) {
  const Words page = codes_of_outputs();
  EXPECT_TRUE(all_among(trace_run_keys(), page));
  EXPECT_TRUE(all_among(with_prefix(page, "ranks[]."), trace_run_keys())) << "no such key, but documented";
}

TEST(OutputDocumentation, SystolicKeys) {
  const Words page = codes_of_outputs(), keys = systolic_keys();
  EXPECT_TRUE(all_among(keys, page));
}

TEST(OutputDocumentation, ComputeKeys) {
  const Words page = codes_of_outputs();
  EXPECT_TRUE(all_among(roofline_keys(), page));
  EXPECT_TRUE(all_among(with_prefix(page, "products[]."), roofline_keys())) << "no such key, but documented";
  EXPECT_TRUE(all_among(kernel_cost_keys(), page));
  EXPECT_TRUE(all_among(collective_keys(), page));
  EXPECT_TRUE(all_among(with_prefix(page, "costs[]."), collective_keys())) << "no such key, but documented";
  EXPECT_TRUE(all_among(device_list_keys(), page));
  EXPECT_TRUE(all_among(with_prefix(page, "devices[]."), device_list_keys()))
      << "no such key, but documented";
}

TEST(OutputDocumentation, CalibrationKeys) {
  const Words page = codes_of_outputs(), keys = calibration_keys();
  EXPECT_TRUE(all_among(keys, page));
  for (const char* const prefix : {"constants[].", "errors[]."})
    EXPECT_TRUE(all_among(with_prefix(page, prefix), keys)) << "no such key, but documented";
}

TEST(OutputDocumentation, TopologyKeys) {
  const Words page = codes_of_outputs();
  EXPECT_TRUE(all_among(topology_keys(), page));
  for (const char* const prefix : {"cables[].", "levels[].", "cuts[]."})
    EXPECT_TRUE(all_among(with_prefix(page, prefix), topology_keys())) << "no such key, but documented";
}

TEST(OutputDocumentation, SearchKeys) {
  const Words page = codes_of_outputs(), keys = search_keys();
  EXPECT_TRUE(all_among(keys, page));
  for (const char* const prefix : {"best[].", "refused[]."})
    EXPECT_TRUE(all_among(with_prefix(page, prefix), keys)) << "no such key, but documented";
}

TEST(OutputDocumentation, ColumnTitles) {
  EXPECT_TRUE(all_among(column_titles(), codes_of_outputs()));
}

}  // namespace
}  // namespace orrery::core::test::outputs_documentation_test
