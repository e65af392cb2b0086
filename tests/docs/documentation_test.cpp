// docs/inputs.md and docs/outputs.md name everything that the program knows, and nothing that it does not.
// Only what stands there as `code` counts, outside of code blocks.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "base/file.hpp"
#include "cli/commands.hpp"
#include "cli/compute_roofline.hpp"
#include "collective/collective_words.hpp"
#include "collective/library/group_table.hpp"
#include "collective/library/library_file.hpp"
#include "collective/system_file.hpp"
#include "compute/device_file.hpp"
#include "compute/measured/shape_table.hpp"
#include "compute/roofline/sparsity.hpp"
#include "compute/systolic/scale_sim_config.hpp"
#include "report/collective_report.hpp"
#include "report/link_report.hpp"
#include "report/roofline_report.hpp"
#include "report/summary.hpp"
#include "report/systolic_report.hpp"
#include "report/trace_inspection.hpp"
#include "report/trace_tables.hpp"
#include "study/astra2/system_json.hpp"
#include "study/experiment.hpp"
#include "topology/network_file.hpp"
#include "topology/network_yaml_file.hpp"
#include "workload/astra1/layer_table_words.hpp"

namespace orrery::test {
namespace {

namespace fs = std::filesystem;
using Words = std::set<std::string>;

Words codes_in(const std::string& text) {
  const std::regex code("`([^`]+)`");
  Words words;
  bool in_block = false;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const bool fence = line.starts_with("```");
    in_block ^= fence;
    if (in_block || fence) continue;
    for (std::sregex_iterator i(line.begin(), line.end(), code), end; i != end; ++i) words.insert((*i)[1]);
  }
  return words;
}

Words codes_of_page(const char* page) {
  return codes_in(read_text_file((fs::path(ORRERY_SOURCE_DIR) / "docs" / page).string()));
}

std::string joined(const Words& words) {
  std::string out;
  for (const std::string& word : words) out += "\n  " + word;
  return out;
}

// Names those of `words` that `others` lack.
testing::AssertionResult all_among(const Words& words, const Words& others) {
  Words missing;
  std::set_difference(words.begin(), words.end(), others.begin(), others.end(),
                      std::inserter(missing, missing.end()));
  if (missing.empty()) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "missing:" << joined(missing);
}

Words strings(const std::vector<std::string_view>& words) {
  return {words.begin(), words.end()};
}

Words with_prefix(const Words& words, std::string_view prefix) {
  Words found;
  for (const std::string& word : words) {
    if (word.starts_with(prefix)) found.insert(word);
  }
  return found;
}

Words system_keys() {
  Words keys;
  for (std::string_view key : system_file_keys()) keys.insert(std::string(key) + ":");
  return keys;
}

Words long_options() {
  Words options;
  CLI::App run, search, validate, inspect, convert, compute, generate, list;
  add_run_command(run);
  add_validate_command(validate);
  add_inspect_command(inspect);
  add_convert_command(convert);
  add_compute_command(compute);
  add_search_command(search);
  add_generate_command(generate);
  add_list_command(list);
  std::vector<const CLI::App*> apps{&run, &search, &validate, &inspect, &convert, &generate, &list};
  for (const CLI::App* device : compute.get_subcommands([](CLI::App*) { return true; }))
    apps.push_back(device);
  for (const CLI::App* app : apps) {
    for (const CLI::Option* option : app->get_options()) {
      for (const std::string& name : option->get_lnames()) options.insert("--" + name);
    }
  }
  return options;
}

// The page has one line for the three steps of a layer, and one for the four kinds of collectives.
Words experiment_keys() {
  const std::regex step("(layers\\[\\]\\.)(forward|input-gradient|weight-gradient)\\.");
  const std::regex kind("(collectives\\.)[a-z-]+(\\[\\])");
  Words keys;
  for (const std::string& key : experiment_file_keys()) {
    keys.insert(std::regex_replace(std::regex_replace(key, step, "$1<step>."), kind, "$1<kind>$2"));
  }
  return keys;
}

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
  summary.dimensions.resize(1);
  summary.busiest_links.resize(1);
  summary.memory.emplace();
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

// Of a run of one node on one rank, with everything that may be there.
struct SmallTraceRun {
  SmallTraceRun() {
    auto graph = std::make_shared<chakra::TraceGraph>();
    graph->nodes.resize(1);
    graph->texts = {""};
    traces = {{graph, "trace.0.et", nullptr}};
    machine.track_local_memory = true;
    recording.ranks.resize(1);
    recording.ranks[0].nodes.resize(1);
    recording.links.resize(1);
  }
  std::vector<RankTrace> traces;
  TraceMachine machine;
  TraceRecording recording;
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

Words trace_columns() {
  const SmallTraceRun run;
  Words columns;
  for (const std::string& table :
       {ranks_csv(run.traces, run.machine, run.recording), nodes_csv(run.traces, run.recording)}) {
    std::istringstream header(table.substr(0, table.find('\n')));
    for (std::string column; std::getline(header, column, ',');) columns.insert(column);
  }
  return columns;
}

Words trace_run_keys() {
  const SmallTraceRun run;
  Words keys;
  add_trace_keys(nlohmann::json::parse(trace_json(run.traces, run.machine, run.recording)), "", keys);
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
  gemm.cost.seconds = 1;
  gemm.measured_seconds = 1;
  Words keys;
  add_keys(roofline_to_json({"", {gemm}}), "", keys);
  return keys;
}

Words collective_keys() {
  CostedGroup group;
  group.row.seconds = 1;
  Words keys;
  add_keys(collective_to_json({"", {group}}), "", keys);
  return keys;
}

Words library_keys() {
  const std::vector<std::string> keys = library_file_keys();
  return {keys.begin(), keys.end()};
}

Words device_list_keys() {
  ListedDevice listed;
  listed.device.systolic.emplace();
  Words keys;
  add_keys(device_list_to_json({listed}), "", keys);
  return keys;
}

// Titles of the result files of a run, with N for the number of a phase or dimension.
Words column_titles() {
  const fs::path run = fs::path(ORRERY_SOURCE_DIR) / "tests/golden/system/s01_ring8_allreduce/expected";
  Words titles;
  for (const auto& entry : fs::directory_iterator(run)) {
    if (entry.path().extension() != ".csv") continue;
    const std::string text = read_text_file(entry.path().string());
    const std::regex cell("[^,]*[^, ]");
    const std::string header = text.substr(0, text.find('\n'));
    for (std::sregex_iterator i(header.begin(), header.end(), cell), end; i != end; ++i) {
      const std::string title = std::regex_replace(i->str(), std::regex("[0-9]+"), "N");
      titles.insert(title.substr(title.find_first_not_of(' ')));
    }
  }
  const std::string header = links_csv({}, {}, {});
  const std::regex cell("[a-z_]+");
  for (std::sregex_iterator i(header.begin(), header.end(), cell), end; i != end; ++i)
    titles.insert(i->str());
  return titles;
}

TEST(Documentation, OnlyCodeCounts) {
  EXPECT_EQ(codes_in("a `b c` d\n```\n`e`\n```\nf `--g`\n"), (Words{"b c", "--g"}));
}

TEST(Documentation, LayerTableWords) {
  const Words page = codes_of_page("inputs.md");
  EXPECT_TRUE(all_among(strings(training_policy_words()), page));
  EXPECT_TRUE(all_among(strings(words_of(collective_words)), page));
}

TEST(Documentation, SystemFileKeys) {
  const Words page = codes_of_page("inputs.md");
  EXPECT_TRUE(all_among(system_keys(), page));
  Words with_colon;
  for (const std::string& word : page) {
    if (word.ends_with(':')) with_colon.insert(word);
  }
  EXPECT_TRUE(all_among(with_colon, system_keys())) << "no such key, but documented";
}

TEST(Documentation, NetworkFileKeys) {
  EXPECT_TRUE(all_among(strings(network_file_keys()), codes_of_page("inputs.md")));
}

TEST(Documentation, ExperimentFileKeys) {
  const Words page = codes_of_page("inputs.md"), keys = experiment_keys();
  EXPECT_TRUE(all_among(keys, page));
  for (const char* prefix :
       {"network[].", "system.", "workload.", "stragglers", "compute-jitter", "slow-links"}) {
    EXPECT_TRUE(all_among(with_prefix(page, prefix), keys)) << "no such key, but documented";
  }
}

TEST(Documentation, ExperimentFileWords) {
  const Words page = codes_of_page("inputs.md");
  EXPECT_TRUE(all_among(strings(words_of(collective_kind_words)), page));
  EXPECT_TRUE(all_among(strings(words_of(algorithm_words)), page));
  EXPECT_TRUE(all_among(strings(words_of(all_reduce_shape_words)), page));
  EXPECT_TRUE(all_among(strings(words_of(dimension_order_words)), page));
  EXPECT_TRUE(all_among(strings(words_of(queue_order_words)), page));
  EXPECT_TRUE(all_among(strings(words_of(issue_order_words)), page));
}

TEST(Documentation, Options) {
  const Words page = codes_of_page("inputs.md");
  EXPECT_TRUE(all_among(long_options(), page));
  Words known = long_options();
  known.insert("--version");  // of the program itself
  Words written;
  for (const std::string& word : with_prefix(page, "--"))
    written.insert(word.substr(0, word.find_first_of(" =")));
  EXPECT_TRUE(all_among(written, known)) << "no such option, but documented";
}

TEST(Documentation, SummaryKeys) {
  const Words page = codes_of_page("outputs.md"), keys = summary_keys();
  EXPECT_TRUE(all_among(keys, page));
  for (const char* prefix : {"layers[].", "dimensions[].", "busiest_links[].", "memory."}) {
    EXPECT_TRUE(all_among(with_prefix(page, prefix), keys)) << "no such key, but documented";
  }
}

TEST(Documentation, InspectionKeys) {
  const Words page = codes_of_page("outputs.md"), keys = inspection_keys();
  EXPECT_TRUE(all_among(keys, page));
  EXPECT_TRUE(all_among(with_prefix(page, "sets[]."), keys)) << "no such key, but documented";
}

TEST(Documentation, TraceRunKeysAndColumns) {
  const Words page = codes_of_page("outputs.md");
  EXPECT_TRUE(all_among(trace_columns(), page));
  EXPECT_TRUE(all_among(trace_run_keys(), page));
  EXPECT_TRUE(all_among(with_prefix(page, "ranks[]."), trace_run_keys())) << "no such key, but documented";
}

TEST(Documentation, TraceInputKeys) {
  const Words page = codes_of_page("inputs.md");
  EXPECT_TRUE(all_among(strings(system_json_keys()), page));
  EXPECT_TRUE(all_among(strings(memory_json_keys()), page));
  EXPECT_TRUE(all_among(strings(network_yaml_file_keys()), page));
}

TEST(Documentation, SystolicKeys) {
  const Words page = codes_of_page("outputs.md"), keys = systolic_keys();
  EXPECT_TRUE(all_among(keys, page));
}

TEST(Documentation, ScaleSimKeys) {
  EXPECT_TRUE(all_among(strings(scale_sim_config_keys()), codes_of_page("inputs.md")));
}

TEST(Documentation, DeviceFileKeys) {
  const Words page = codes_of_page("inputs.md");
  const std::vector<std::string> keys = device_file_keys();
  EXPECT_TRUE(all_among({keys.begin(), keys.end()}, page));
}

TEST(Documentation, ShapeTableColumns) {
  const Words page = codes_of_page("inputs.md");
  EXPECT_TRUE(all_among(strings(shape_table_columns()), page));
  EXPECT_TRUE(all_among(strings(words_of(datatype_words)), page));
  EXPECT_TRUE(all_among(strings(words_of(sparsity_pattern_words)), page));
}

TEST(Documentation, LibraryFilesAndTablesOfGroups) {
  const Words page = codes_of_page("inputs.md");
  EXPECT_TRUE(all_among(library_keys(), page));
  for (const char* prefix : {"protocols.", "inside.", "between."})
    EXPECT_TRUE(all_among(with_prefix(page, prefix), library_keys())) << "no such key, but documented";
  EXPECT_TRUE(all_among(strings(group_table_columns()), page));
  EXPECT_TRUE(all_among(strings(words_of(library_operation_words)), page));
  EXPECT_TRUE(all_among(strings(collective_library_names()), page));
  const LibraryConstants nccl = find_library_constants("nccl", {});
  for (const InsideLink& link : nccl.inside) EXPECT_TRUE(page.contains(link.name)) << link.name;
  for (const BetweenLink& link : nccl.between) EXPECT_TRUE(page.contains(link.name)) << link.name;
}

TEST(Documentation, ComputeKeys) {
  const Words page = codes_of_page("outputs.md");
  EXPECT_TRUE(all_among(roofline_keys(), page));
  EXPECT_TRUE(all_among(with_prefix(page, "products[]."), roofline_keys())) << "no such key, but documented";
  EXPECT_TRUE(all_among(collective_keys(), page));
  EXPECT_TRUE(all_among(with_prefix(page, "costs[]."), collective_keys())) << "no such key, but documented";
  EXPECT_TRUE(all_among(device_list_keys(), page));
  EXPECT_TRUE(all_among(with_prefix(page, "devices[]."), device_list_keys()))
      << "no such key, but documented";
}

TEST(Documentation, ColumnTitles) {
  EXPECT_TRUE(all_among(column_titles(), codes_of_page("outputs.md")));
}

}  // namespace
}  // namespace orrery::test
