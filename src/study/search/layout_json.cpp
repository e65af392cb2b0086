#include "study/search/layout_json.hpp"

#include <nlohmann/json.hpp>

#include "study/search/best_layout.hpp"
#include "study/search/layout_table.hpp"
#include "workload/training/training_memory.hpp"

namespace orrery::core {

namespace {

constexpr double microseconds = 1e6;

// Sets what is known besides of a layout that may have been run on a network.
void set_estimate(nlohmann::ordered_json& json, const SearchedLayout& one) {
  if (one.estimate > Seconds()) json["estimated_step_us"] = one.estimate.count() * microseconds;
  if (!one.failure.empty()) json["failure"] = one.failure;
}

nlohmann::ordered_json found_to_json(const TrainingSetup& base, const SearchedLayout& one,
                                     const TrainingResult& result) {
  nlohmann::ordered_json exposed;
  for (const Axis axis : all_axes)
    exposed[std::string(name_of(axis))] = result.exposed[static_cast<std::size_t>(axis)].us();
  exposed["pipeline"] = result.exposed_pipeline.us();
  const StepLoss loss = largest_loss(result);
  nlohmann::ordered_json layout;
  set_layout(layout, one);
  nlohmann::ordered_json json{{"gpus", one.layout.plan.ranks()},
                              {"layout", layout},
                              {"keys", layout_keys(base, one.layout)},
                              {"step_us", one.step.count() * microseconds},
                              {"compute_us", result.time.compute.us()},
                              {"bubble_us", result.time.bubble.us()},
                              {"exposed_us", result.time.exposed.us()},
                              {"idle_us", result.time.idle.us()},
                              {"exposed_by_axis_us", exposed},
                              {"loss", loss.what},
                              {"loss_share", loss.share},
                              {"tokens_per_second", result.tokens_per_second},
                              {"model_flop_utilization", result.model_flop_utilization()},
                              {"hardware_flop_utilization", result.hardware_flop_utilization()},
                              {"memory_bytes", one.memory},
                              {"own", one.is_own}};
  set_estimate(json, one);
  return json;
}

nlohmann::ordered_json own_to_json(const TrainingSetup& base, const SearchedLayout& own) {
  nlohmann::ordered_json layout;
  set_layout(layout, own);
  nlohmann::ordered_json json{{"verdict", word_of(layout_verdict_words, own.verdict)},
                              {"gpus", own.layout.plan.ranks()},
                              {"layout", layout},
                              {"keys", layout_keys(base, own.layout)}};
  if (own.step > Seconds()) json["step_us"] = own.step.count() * microseconds;
  json["memory_bytes"] = own.memory;
  set_estimate(json, own);
  return json;
}

}  // namespace

nlohmann::ordered_json layouts_to_json(const std::string& name, const TrainingSetup& base,
                                       const LayoutSearch& search) {
  nlohmann::ordered_json json{{"verdict", search.best.empty() ? "" : best_layout_sentence(base, search)},
                              {"name", name},
                              {"model", base.model.name},
                              {"device", base.device.facts.name},
                              {"sequences", base.plan.global_batch},
                              {"sequence_length", base.model.sequence},
                              {"usable_memory_bytes", usable_memory(base)},
                              {"simulated", search.count(LayoutVerdict::simulated)},
                              {"beaten", search.count(LayoutVerdict::beaten)},
                              {"out_of_memory", search.count(LayoutVerdict::out_of_memory)}};
  if (search.on_network) {
    json["estimated"] = search.count(LayoutVerdict::estimated);
    json["failed"] = nlohmann::ordered_json::array();
    for (const SearchedLayout& one : search.layouts)
      if (one.verdict == LayoutVerdict::failed)
        json["failed"].push_back({{"keys", layout_keys(base, one.layout)}, {"failure", one.failure}});
  }
  json["refused"] = nlohmann::ordered_json::array();
  for (const RefusedShapes& refused : search.refused)
    json["refused"].push_back({{"key", refused.key}, {"count", refused.count}, {"example", refused.example}});
  json["own"] = own_to_json(base, search.own);
  for (std::size_t i = 0; i < search.best.size(); ++i)
    json["best"].push_back(found_to_json(base, search.layouts[i], search.best[i]));
  return json;
}

}  // namespace orrery::core
