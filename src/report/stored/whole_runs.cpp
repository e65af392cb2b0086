#include "report/stored/whole_runs.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "network/network_models.hpp"
#include "workload/parallelism/sharding.hpp"

namespace orrery::core {

namespace {

using Json = nlohmann::json;

Time microseconds_at(const Json& map, const char* key) {
  constexpr double ps = 1e6;
  const auto found = map.find(key);
  return found == map.end() ? Time() : Time::from_ps(std::llround(found->get<double>() * ps));
}

// Sets a member where the map has the key.
template <class Value>
void take(const Json& map, const char* key, Value& value) {
  if (const auto found = map.find(key); found != map.end()) value = found->get<Value>();
}
template <class Value>
void take(const Json& map, const char* key, std::optional<Value>& value) {
  if (const auto found = map.find(key); found != map.end()) value = found->get<Value>();
}
void take(const Json& map, const char* key, Bytes& bytes) {
  if (const auto found = map.find(key); found != map.end()) bytes = Bytes(found->get<std::uint64_t>());
}

void read_links_and_switches(const Json& run, Summary& summary) {
  const Json links = run.value("busiest_links", Json::array());
  for (std::size_t i = 0; i < std::min(links.size(), summary.busiest_links.size()); ++i)
    take(links[i], "links", summary.busiest_links[i].links);
  for (const Json& of : run.value("fullest_switches", Json::array())) {
    SwitchUse& use = summary.fullest_switches.emplace_back();
    take(of, "switch", use.name);
    take(of, "peak", use.peak);
    take(of, "drops", use.drops);
    take(of, "marks", use.marks);
    take(of, "pauses", use.pauses);
  }
}

void read_network(const Json& run, Summary& summary) {
  const auto model = run.find("network_model");
  summary.has_network = model != run.end();
  if (!summary.has_network) return;
  summary.network_model = model->get<std::string>();
  const auto known = value_of(network_model_words, summary.network_model);
  summary.messages_meet = !known || (*known)->carries_collectives;  // models of plug-ins carry them all
  take(run, "messages", summary.messages);
  take(run, "network_cost_usd", summary.network_cost);
  summary.last_rank = RankId(run.value("last_rank", 0u));
  const Json dimensions = run.value("dimensions", Json::array());
  for (std::size_t i = 0; i < std::min(dimensions.size(), summary.dimensions.size()); ++i)
    take(dimensions[i], "payload_bytes", summary.dimensions[i].payload);
  read_links_and_switches(run, summary);
}

void read_parts(const Json& run, Summary& summary) {
  const Json parts = run.value("parts", Json::array());
  for (std::size_t i = 0; i < std::min(parts.size(), summary.parts.size()); ++i) {
    PartSummary& part = summary.parts[i];
    part.awaits_messages = microseconds_at(parts[i], "awaits_messages_us");
    part.awaits_collectives = microseconds_at(parts[i], "awaits_collectives_us");
    take(parts[i], "micro_batches_in_flight", part.micro_batches_in_flight);
    take(parts[i], "memory_bytes", part.memory);
  }
}

void read_memory(const Json& run, Summary& summary) {
  const auto memory = run.find("memory");
  if (memory == run.end()) return;
  MemoryVerdict& verdict = summary.memory.emplace();
  DeviceMemory& need = verdict.required;
  take(*memory, "profile", verdict.profile);
  take(*memory, "capacity_bytes", verdict.capacity);
  take(*memory, "weights_bytes", need.parameters.weights);
  take(*memory, "gradients_bytes", need.parameters.gradients);
  take(*memory, "optimizer_bytes", need.parameters.optimizer);
  take(*memory, "activations_bytes", need.activations);
  take(*memory, "workspace_bytes", need.workspace);
}

void read_training_facts(const Json& run, Summary& summary) {
  const auto facts = run.find("training");
  if (facts == run.end() || !summary.training) return;
  TrainingSummary& training = *summary.training;
  take(*facts, "model", training.model);
  take(*facts, "layout", training.layout);
  take(*facts, "device", training.device);
  take(*facts, "links", training.links);
  take(*facts, "device_memory_bytes", training.device_memory);
  take(*facts, "usable_memory_bytes", training.usable);
  if (const auto inference = facts->find("inference"); inference != facts->end()) {
    InferenceSummary& of = training.inference.emplace();
    take(*inference, "phase", of.phase);
    take(*inference, "weights_bytes", of.weights);
    take(*inference, "cache_bytes", of.cache);
    take(*inference, "largest_batch", of.largest_batch);
  }
  const Json collectives = run.value("collectives_by_axis", Json::object());
  for (TrainingSummary::Axis& axis : training.axes) take(collectives, axis.name.c_str(), axis.collectives);
  // JSON has no order; axes have one, which messages between stages follow.
  std::ranges::stable_sort(training.axes, {}, [](const TrainingSummary::Axis& axis) {
    return std::ranges::find(all_axes, axis.name, [](Axis of) { return name_of(of); }) - all_axes.begin();
  });
}

void read_inferred(const Json& run, Summary& summary) {
  if (run.contains("samples_per_second"))
    take(run, "samples_per_second", summary.inferred_per_second.emplace());
}

void read_served(const Json& run, Summary& summary) {
  if (!run.contains("steps_per_s")) return;
  ServedPace& served = summary.served.emplace();
  take(run, "steps_per_s", served.pace.steps_per_second);
  take(run, "mean_staleness", served.pace.mean_staleness);
  take(run, "time_to_accuracy_s", served.seconds_to_accuracy);
}

Summary whole_summary(const Json& run, const Summary& compared) {
  Summary summary = compared;
  if (!summary.error.empty()) return summary;
  for (const Json& warning : run.value("warnings", Json::array()))
    summary.warnings.push_back(warning.get<std::string>());
  for (const Json& end : run.value("iteration_ends_us", Json::array()))
    summary.iteration_ends.push_back(Time::from_ps(std::llround(end.get<double>() * 1e6)));
  take(run, "staleness", summary.staleness);
  read_served(run, summary);
  read_inferred(run, summary);
  if (const auto seeds = run.find("hash_seeds"); seeds != run.end()) {
    const auto of_run = [&](const char* key) {  // what is told is of a step
      return Time::from_ps(microseconds_at(run, key).ps() * std::max(1, summary.iterations));
    };
    summary.hashes = {seeds->get<std::size_t>(), of_run("hash_mean_us"), of_run("hash_least_us"),
                      of_run("hash_most_us")};
  }
  read_network(run, summary);
  read_parts(run, summary);
  read_memory(run, summary);
  read_training_facts(run, summary);
  return summary;
}

}  // namespace

WholeRuns read_whole_runs(std::string_view text, const std::string& file) {
  WholeRuns whole;
  std::vector<StoredRun> stored = read_stored_runs(text, file);
  try {
    const Json document = Json::parse(text);
    take(document, "experiment", whole.experiment);
    const auto runs = document.find("runs");
    for (std::size_t i = 0; i < stored.size(); ++i) {
      const Json& run = runs == document.end() ? document : (*runs)[i];
      whole.runs.push_back({stored[i], whole_summary(run, stored[i].summary),
                            run.dump(2, ' ', false, Json::error_handler_t::replace)});
    }
  } catch (const Json::exception& error) {
    throw InputError({file}, std::string("is no summary of results: ") + error.what());
  }
  return whole;
}

}  // namespace orrery::core
