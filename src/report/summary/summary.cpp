#include "report/summary/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/diagnostics/unreachable.hpp"
#include "network/analytical/cost_model.hpp"
#include "report/network/packet_report.hpp"
#include "report/statistics/staleness.hpp"
#include "report/statistics/statistics.hpp"
#include "report/summary/run_tables.hpp"
#include "simulate/collectives/collective_policies.hpp"

namespace orrery::core {

std::string described(const Dimension& dimension, const Topology& topology) {
  if (topology.graph) return fmt::format("groups of {}", dimension.size);
  switch (dimension.block) {
    case Block::ring:
      return fmt::format("ring of {}", dimension.size);
    case Block::fully_connected:
      return fmt::format("{} fully connected", dimension.size);
    case Block::switched:
      return fmt::format("switch of {}", dimension.size);
  }
  unreachable("every block has a description");
}

std::optional<HashSpread> hash_spread(const std::vector<Time>& totals_by_seed) {
  if (totals_by_seed.size() < 2) return std::nullopt;
  const auto [least, most] = std::ranges::minmax(totals_by_seed);
  double mean = 0;
  for (const Time end : totals_by_seed) mean += end.ns() / static_cast<double>(totals_by_seed.size());
  return HashSpread{totals_by_seed.size(), Time::from_ns_rounded(mean), least, most};
}

std::vector<const LayerSummary*> Summary::worst_layers(std::size_t most) const {
  std::vector<const LayerSummary*> worst;
  for (const LayerSummary& layer : layers) {
    if (layer.exposed > Time()) worst.push_back(&layer);
  }
  std::stable_sort(worst.begin(), worst.end(),
                   [](const LayerSummary* a, const LayerSummary* b) { return a->exposed > b->exposed; });
  if (worst.size() > most) worst.resize(most);
  return worst;
}

const DimensionSummary* Summary::busiest_dimension() const {
  const auto busiest =
      std::max_element(dimensions.begin(), dimensions.end(),
                       [](const DimensionSummary& a, const DimensionSummary& b) { return a.busy < b.busy; });
  return busiest == dimensions.end() || busiest->busy == 0 ? nullptr : &*busiest;
}

void Summary::set_switches(const std::vector<SwitchUse>& switches) {
  constexpr std::size_t most = 8;
  fullest_switches = switches;
  if (fullest_switches.size() > most) fullest_switches.resize(most);
}

const BusiestLinks* Summary::overloaded_links() const {
  if (messages_meet) return nullptr;
  return !busiest_links.empty() && overloaded(busiest_links.front()) ? &busiest_links.front() : nullptr;
}

namespace {

// Returns when the last rank ends each training iteration. Iterations of execution traces are not told apart.
std::vector<Time> ends_of_iterations(const Program& program, const Recording& recording, Time total) {
  std::vector<Time> last;
  for (const ClassRecord& of : recording.ranks) {
    const std::vector<Time> ends = iteration_ends(program.parts[of.part].graph, of.operations);
    if (last.size() < ends.size()) last.resize(ends.size());
    for (std::size_t k = 0; k < ends.size(); ++k) last[k] = std::max(last[k], ends[k]);
  }
  return last.empty() ? std::vector{total} : last;
}

void add_breakdown(Summary& summary, const Program& program, const Breakdown& breakdown) {
  summary.total = breakdown.step;
  summary.time = breakdown.mean;
  summary.stages = breakdown.stages;
  summary.last_rank = breakdown.last_rank;
  summary.rank_0_total = breakdown.classes.front().end;
  summary.layers = breakdown.layers;
  if (program.is_uniform()) return;
  for (std::size_t i = 0; i < program.parts.size(); ++i) {
    const ProgramPart& part = program.parts[i];
    const PartTime& time = breakdown.parts[i];
    summary.parts.push_back({part.name, part.size(), time.parts, time.awaits_messages,
                             time.awaits_collectives, part.micro_batches_in_flight});
  }
}

// Adds what each dimension carries in collectives and for how long it is busy with them, as means over ranks
// and shares of the time until everything has ended.
void add_dimensions(Summary& summary, const Program& program, const Recording& recording) {
  if (summary.dimensions.empty()) return;
  const Time end = recording.end();
  for (std::size_t part = 0; part < program.parts.size(); ++part) {
    const double share = static_cast<double>(program.parts[part].size()) / summary.npus;
    const std::vector<DimensionUse> uses = dimension_uses(program, recording.parts[part]);
    for (std::size_t d = 0; d < summary.dimensions.size(); ++d) {
      DimensionSummary& dimension = summary.dimensions[d];
      dimension.payload +=
          Bytes(static_cast<std::uint64_t>(static_cast<double>(uses[d].payload.count()) * share));
      if (end > Time()) dimension.busy += uses[d].busy.ns() / end.ns() * share;
    }
  }
}

}  // namespace

Summary summarize(const std::string& name, int iterations, const Program& program, const Machine& machine,
                  const Recording& recording, const Breakdown& breakdown) {
  Summary summary;
  summary.name = name;
  summary.dialect = machine.dialect.name;
  summary.npus = machine.topology.npus();
  summary.iterations = iterations;
  const bool as_a_whole = collective_policy_of(program, machine).as_a_whole;
  for (const Dimension& dimension : machine.topology.dimensions)
    if (!as_a_whole)  // such collectives tell no bytes of a dimension
      summary.dimensions.push_back({dimension.name, described(dimension, machine.topology), Bytes(), 0});
  add_breakdown(summary, program, breakdown);
  summary.iteration_ends = ends_of_iterations(program, recording, summary.total);
  if (std::ranges::any_of(program.parts, &ProgramPart::paces_replica)) {
    summary.staleness = largest_staleness(program, recording);
    summary.served = {training_pace(program, recording), {}};
  }
  add_dimensions(summary, program, recording);
  summary.network_model = machine.network.model->name;
  summary.messages_meet = machine.network.model->carries_collectives;
  summary.busiest_links = busiest_links(recording.links, machine.topology, recording.end());
  summary.set_switches(recording.switches);
  summary.latencies = recording.latencies;
  summary.network_cost = network_cost(machine.topology);
  summary.messages = recording.messages;
  return summary;
}

namespace {

nlohmann::json memory_json(const MemoryVerdict& verdict) {
  const DeviceMemory& need = verdict.required;
  return {{"profile", verdict.profile},
          {"total_bytes", need.total()},
          {"capacity_bytes", verdict.capacity.count()},
          {"fits", verdict.fits()},
          {"weights_bytes", need.parameters.weights},
          {"gradients_bytes", need.parameters.gradients},
          {"optimizer_bytes", need.parameters.optimizer + need.store},
          {"activations_bytes", need.activations},
          {"workspace_bytes", need.context + need.workspace}};
}

nlohmann::json training_json(const TrainingSummary& training) {
  nlohmann::json json{{"model", training.model}, {"layout", training.layout}, {"device", training.device}};
  json["software"] = training.software;
  json["software_is_named"] = training.software_is_named;
  if (!training.links.empty()) json["links"] = training.links;
  if (training.device_memory > 0) {
    json["device_memory_bytes"] = training.device_memory;
    json["usable_memory_bytes"] = training.usable;
  }
  if (const auto& inference = training.inference)
    json["inference"] = {{"phase", inference->phase},
                         {"weights_bytes", inference->weights},
                         {"cache_bytes", inference->cache},
                         {"largest_batch", inference->largest_batch}};
  return json;
}

// Adds results that are known only if layers run on a network with simulated messages, so not on a platform.
void add_network(const Summary& summary, nlohmann::json& json) {
  nlohmann::json dimensions = nlohmann::json::array();
  for (const DimensionSummary& dimension : summary.dimensions) {
    nlohmann::json& of =
        dimensions.emplace_back(nlohmann::json{{"name", dimension.name}, {"topology", dimension.kind}});
    of["payload_bytes"] = dimension.payload.count();
    of["busy_share"] = dimension.busy;
  }
  json["last_rank"] = summary.last_rank.value();
  constexpr std::size_t max_layers = 10'000;  // traces may have a million, which layers.csv lists
  if (summary.layers.size() <= max_layers)
    json["layers"] = json_of<nlohmann::json>(layer_table, layer_rows(summary));
  json["dimensions"] = dimensions;
  json["network_model"] = summary.network_model;
  const std::vector<Column<BusiestLinks>> columns = with_packets(link_table, summary.busiest_links);
  json["busiest_links"] = json_of<nlohmann::json>(Table<BusiestLinks>(columns), summary.busiest_links);
  if (!summary.fullest_switches.empty())
    json["fullest_switches"] = json_of<nlohmann::json>(switch_table, summary.fullest_switches);
  if (!summary.latencies.empty())
    json["packet_latencies"] = json_of<nlohmann::json>(vnet_latency_table, summary.latencies);
  if (summary.network_cost) json["network_cost_usd"] = *summary.network_cost;
  json["messages"] = summary.messages;
}

}  // namespace

nlohmann::json to_json(const Summary& summary) {
  if (!summary.error.empty()) return {{"name", summary.name}, {"error", summary.error}};
  nlohmann::json ends = nlohmann::json::array();
  for (Time end : summary.iteration_ends) ends.push_back(end.us());
  nlohmann::json json{{"dialect", summary.dialect}, {"iteration_ends_us", ends}};
  set_json(json, run_table, RunRow(summary));
  for (const auto& [key, value] : summary.varied) json["varied"][key] = value;
  if (!summary.warnings.empty()) json["warnings"] = summary.warnings;
  if (summary.has_network) add_network(summary, json);
  if (summary.memory) json["memory"] = memory_json(*summary.memory);
  if (summary.training) json["training"] = training_json(*summary.training);
  if (summary.accuracy) json["interval_share"] = summary.accuracy->time.share;
  if (summary.training)
    for (const TrainingSummary::Axis& axis : summary.training->axes) {
      json["exposed_by_axis_us"][axis.name] = axis.exposed.us();
      if (!axis.collectives.empty()) json["collectives_by_axis"][axis.name] = axis.collectives;
    }
  if (summary.parts.empty()) return json;
  json["bubble_share"] = summary.bubble_share();
  if (summary.staleness) json["staleness"] = *summary.staleness;
  json["parts"] = json_of<nlohmann::json>(part_table, part_rows(summary));
  return json;
}

namespace {

// Names may hold bytes that are no UTF-8, which JSON cannot.
std::string text_of(const nlohmann::json& value, int indent) {
  return value.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

// All lines but the first begin with this many blanks. Texts within JSON have no line ends.
std::string indented(const std::string& json, std::size_t blanks) {
  std::string out;
  for (const char c : json) {
    out += c;
    if (c == '\n') out.append(blanks, ' ');
  }
  return out;
}

}  // namespace

std::string json_text(const Summary& summary) {
  return text_of(to_json(summary), 2);
}

std::string experiment_json_head(const std::string& experiment, const Origin& origin) {
  return "{\n  \"experiment\": " + text_of(experiment, -1) +
         ",\n  \"origin\": " + indented(text_of(to_json(origin), 2), 2) + ",\n  \"runs\": [";
}

std::string experiment_json_run(const std::string& run, bool first) {
  return (first ? "\n    " : ",\n    ") + indented(run, 4);
}

std::string experiment_json_end() {
  return "\n  ]\n}\n";
}

}  // namespace orrery::core
