#include "support/key_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <regex>
#include <sstream>

#include "collective/library/group_table.hpp"
#include "collective/library/library_file.hpp"
#include "collective/plan/system_file.hpp"
#include "compute/device_file.hpp"
#include "compute/kernels/kernel_table.hpp"
#include "compute/measured/shape_table.hpp"
#include "compute/systolic/scale_sim_config.hpp"
#include "memory/memory_profile.hpp"
#include "network/flows/flow_file.hpp"
#include "network/host/host_stack_file.hpp"
#include "study/astra2/system_json.hpp"
#include "study/calibration/measured/step_measurements.hpp"
#include "study/experiment/run_keys.hpp"
#include "study/sensitivity/change_costs.hpp"
#include "study/space/value_ranges.hpp"
#include "study/workloads/layer_table/yaml_data_parallel.hpp"
#include "study/workloads/layer_table/yaml_layers.hpp"
#include "study/workloads/layer_table/yaml_workload.hpp"
#include "study/workloads/traces/yaml_traces.hpp"
#include "study/workloads/transformer/yaml_transformer.hpp"
#include "topology/files/network_file.hpp"
#include "topology/files/network_yaml_file.hpp"
#include "topology/flits/flit_network_file.hpp"
#include "topology/graph/builders/network_builders.hpp"
#include "topology/graph/formats/written_graph.hpp"
#include "workload/transformer/catalogue/transformer_file.hpp"

namespace orrery::core::test {
namespace {

using Paths = std::vector<KeyPath>;

std::string raised(int number) {
  constexpr std::string_view digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string out;
  for (const char digit : std::to_string(number)) out += digits[digit - '0'];
  return out;
}

std::string number(double value) {
  const double tens = std::log10(value), twos = std::log2(value);
  if (value >= 1e5 && tens == std::floor(tens)) return "10" + raised(static_cast<int>(tens));
  if (value > 65'536 && twos == std::floor(twos)) return "2" + raised(static_cast<int>(twos));
  return fmt::format("{}", value);
}

std::string joined(const std::vector<std::string_view>& words) {
  std::string out;
  for (const std::string_view word : words) out += fmt::format("{}`{}`", out.empty() ? "" : ", ", word);
  return out;
}

std::string value_of(const KeyFacts& key) {
  if (key.type == KeyType::map) return "map";
  if (!key.value.empty()) return std::string(key.value);
  switch (key.type) {
    case KeyType::integer:
    case KeyType::real:
      return fmt::format("{} to {}", number(key.least), number(key.largest));
    case KeyType::share:
      return "above 0, to 1";
    case KeyType::boolean:
      return "true or false";
    case KeyType::time:
      return "time";
    case KeyType::size:
      return "size";
    case KeyType::bandwidth:
      return "bandwidth";
    case KeyType::rate:
      return "compute rate";
    case KeyType::word:
      return joined(key.words());
    case KeyType::text:
      return "text";
    default:
      return "";
  }
}

std::string default_of(const KeyFacts& key) {
  if (key.type == KeyType::word)
    for (const std::string_view word : key.words())
      if (word == key.fallback) return fmt::format("`{}`", word);
  return std::string(key.fallback);
}

std::string meaning_of(const KeyFacts& key) {
  std::vector<std::string_view> kinds;
  for (const NotApplicable& useless : key.useless)
    if (useless.kind >= 0) kinds.push_back(name_of_run_kind(useless.kind));
  if (kinds.empty()) return std::string(key.meaning);
  return fmt::format("{}; not in {}", key.meaning, fmt::join(kinds, " or "));
}

// Returns what stands behind the path in a row.
std::string rest_of_row(const KeyFacts& key, bool over_base) {
  std::string row;
  for (const std::string& cell : {value_of(key), over_base ? "the base's" : default_of(key), meaning_of(key)})
    row += cell.empty() ? " |" : fmt::format(" {} |", cell);
  return row;
}

// There is one line for the three steps of a layer, and one for the four kinds of collectives.
std::string shown(const std::string& path) {
  static const std::regex step("(layers\\[\\]\\.)(forward|input-gradient|weight-gradient)\\.");
  static const std::regex kind("(collectives\\.)[a-z-]+(\\[\\])");
  return std::regex_replace(std::regex_replace(path, step, "$1<step>."), kind, "$1<kind>$2");
}

// Keys of one declaration share a row, and so do keys of one map of which the same is said.
std::string table_of(const std::string& prefix, const Paths& paths) {
  struct Row {
    std::string place, rest;  // the map, or the declaration where several maps share it
    std::vector<std::string> keys;
  };
  static const std::regex link("platform\\.(inside|between)\\.(?!base).*");
  std::vector<Row> rows;
  std::map<const KeyFacts*, std::size_t> row_of;
  for (const KeyPath& path : paths) {
    const std::string key = prefix + path.path, code = fmt::format("`{}`", shown(key));
    const std::string map = key.substr(0, key.rfind('.') + 1);
    const std::string rest = rest_of_row(*path.facts, std::regex_match(key, link));
    const bool says_something = !path.facts->meaning.empty();
    std::size_t row = row_of.contains(path.facts) ? row_of.at(path.facts) : rows.size();
    for (std::size_t i = 0; i < rows.size() && row == rows.size() && says_something; ++i)
      if (rows[i].place == map && rows[i].rest == rest) row = i;
    row_of.emplace(path.facts, row);
    if (row == rows.size()) rows.push_back({map, rest, {}});
    std::vector<std::string>& keys = rows[row].keys;
    if (std::ranges::find(keys, code) == keys.end()) keys.push_back(code);
  }
  std::string table = "| key | value | default | meaning |\n| --- | --- | --- | --- |\n";
  for (const Row& row : rows) table += fmt::format("| {} |{}\n", fmt::join(row.keys, ", "), row.rest);
  return table;
}

Paths without(Paths paths, std::string_view prefix) {
  std::erase_if(paths, [&](const KeyPath& path) { return path.path.starts_with(prefix); });
  return paths;
}
Paths only(Paths paths, std::string_view prefix) {
  std::erase_if(paths, [&](const KeyPath& path) { return !path.path.starts_with(prefix); });
  return paths;
}
// Returns the keys as they stand in files of pairs.
Paths with_colons(Paths paths) {
  for (KeyPath& path : paths) path.path += ':';
  return paths;
}
// Returns what stands below one of the file's own keys.
Paths below(std::string_view key) {
  Paths paths = experiment_file_keys(key);
  paths.erase(paths.begin());
  return paths;
}
Paths ranks_that_differ() {
  Paths paths;
  for (const char* key : {"stragglers", "compute-jitter", "slow-links"})
    for (const KeyPath& path : below(key)) paths.push_back(path);
  return paths;
}

std::string key_table(const std::string& name) {
  static const std::map<std::string, std::function<std::string()>> tables{
      {"runs", [] { return table_of("", experiment_file_keys("")); }},
      {"comparisons", [] { return table_of("", below("comparisons")); }},
      {"sweeps", [] { return table_of("", below("sweep")); }},
      {"ranges of values", [] { return table_of("", value_range_keys()); }},
      {"objectives", [] { return table_of("", below("objectives")); }},
      {"network", [] { return table_of("", below("network")); }},
      {"system", [] { return table_of("", below("system")); }},
      {"models", [] { return table_of("workload", without(yaml_model_keys(), ".pipeline")); }},
      {"layers", [] { return table_of("workload", without(yaml_layers_keys(), ".pipeline")); }},
      {"pipelines", [] { return table_of("workload", only(yaml_layers_keys(), ".pipeline")); }},
      {"execution traces", [] { return table_of("workload", yaml_trace_keys()); }},
      {"exchange of gradients", [] { return table_of("workload", yaml_data_parallel_keys()); }},
      {"transformers", [] { return table_of("workload", yaml_transformer_keys()); }},
      {"platforms", [] { return table_of("", below("platform")); }},
      {"ranks that differ", [] { return table_of("", ranks_that_differ()); }},
      {"failures", [] { return table_of("", below("failures")); }},
      {"host stacks", [] { return table_of("", below("host-stack")); }},
      {"files of host stacks", [] { return table_of("", host_stack_file_keys()); }},
      {"packets", [] { return table_of("", below("packets")); }},
      {"library files", [] { return table_of("", library_file_keys()); }},
      {"device files", [] { return table_of("", device_file_keys()); }},
      {"transformer files", [] { return table_of("", transformer_file_keys()); }},
      {"tables of groups", [] { return table_of("", group_table_columns()); }},
      {"tables of kernels", [] { return table_of("", kernel_table_columns()); }},
      {"tables of products", [] { return table_of("", shape_table_columns()); }},
      {"tables of steps", [] { return table_of("", step_table_columns()); }},
      {"memory files", [] { return table_of("", memory_file_keys()); }},
      {"system files of ASTRA-sim 1.0", [] { return table_of("", with_colons(system_file_keys())); }},
      {"network files of ASTRA-sim 1.0", [] { return table_of("", network_file_keys()); }},
      {"network files of flits", [] { return table_of("", flit_network_file_keys()); }},
      {"system files of ASTRA-sim 2", [] { return table_of("", system_json_keys()); }},
      {"network files of ASTRA-sim 2", [] { return table_of("", network_yaml_file_keys()); }},
      {"costs", [] { return table_of("", change_cost_keys()); }},
      {"flow files", [] { return table_of("", flow_file_keys()); }},
      {"rings", [] { return table_of("", ring_builder.keys()); }},
      {"tori", [] { return table_of("", torus_builder.keys()); }},
      {"trees", [] { return table_of("", fat_tree_builder.keys()); }},
      {"dragonflies", [] { return table_of("", dragonfly_builder.keys()); }},
      {"boxes of NVLink switches", [] { return table_of("", nvlink_builder.keys()); }},
      {"DGX-1V", [] { return table_of("", dgx_1v_builder.keys()); }},
      {"nodes and links", [] { return table_of("", written_graph_keys()); }},
      {"files of remote memory", [] { return table_of("", memory_json_keys()); }},
      {"configurations of SCALE-Sim", [] { return table_of("", scale_sim_config_keys()); }},
  };
  return tables.at(name)();
}

}  // namespace

std::string with_key_tables(const std::string& page) {
  constexpr std::string_view begin = "<!-- keys of ", end = " -->";
  std::istringstream lines(page);
  std::string out;
  bool in_table = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(begin)) {
      const std::string name = line.substr(begin.size(), line.size() - begin.size() - end.size());
      out += line + "\n\n" + key_table(name) + "\n";
      in_table = true;
    } else if (!in_table || (!line.empty() && !line.starts_with('|'))) {
      in_table = false;
      out += line + '\n';
    }
  }
  return out;
}

}  // namespace orrery::core::test
