#include "workload/training/training_memory.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "memory/memory_verdict.hpp"
#include "workload/transformer/blocks/inference_memory.hpp"

namespace orrery::core {

namespace {

constexpr double gib = 0x1p30;

// Returns small changes of the plan that make it fit.
std::vector<std::string> ways_to_fit(const TrainingSetup& setup) {
  const TransformerPlan& plan = setup.plan;
  std::vector<std::string> ways;
  const auto fits = [&](const auto& change, const std::string& text) {
    TrainingSetup other = setup;
    change(other.plan);
    const bool does = max_memory(other) <= usable_memory(other);
    if (does) ways.push_back(text);
    return does;
  };
  if (plan.attention == AttentionKind::naive)
    fits([](TransformerPlan& other) { other.attention = AttentionKind::flash; }, "`attention: flash`");
  for (const Recompute recompute : {Recompute::selective, Recompute::full})
    if (recompute > plan.recompute && ways.empty())
      fits([&](TransformerPlan& other) { other.recompute = recompute; },
           fmt::format("`recompute: {}`", word_of(recompute_words, recompute)));
  for (int zero = plan.zero + 1; zero <= 3 && plan.data > 1; ++zero)
    if (fits([&](TransformerPlan& other) { other.zero = zero; }, fmt::format("`zero: {}`", zero))) break;
  for (std::uint64_t micro = plan.micro_batch / 2; micro >= 1; micro /= 2)
    if (fits([&](TransformerPlan& other) { other.micro_batch = micro; },
             fmt::format("micro-batches of {}", micro)))
      break;
  return ways;
}

std::vector<std::string> batches_that_fit(const TrainingSetup& setup) {
  const std::uint64_t most = largest_inference_batch(setup);
  if (most == 0) return {};
  return {fmt::format("a batch of {}", most)};
}

}  // namespace

StageMemory memory_of_stage(const TrainingSetup& setup, std::size_t stage, const ModelParts& parts) {
  if (setup.plan.forward_only) return inference_memory(setup.model, setup.plan, stage, parts);
  return stage_memory(setup.model, setup.plan, stage, setup.schedule, setup.optimizer, setup.precision,
                      parts);
}

double max_memory(const TrainingSetup& setup, const ModelParts& parts) {
  double most = 0;
  for (std::size_t stage = 0; stage < setup.plan.pipeline; ++stage)
    most = std::max(most, memory_of_stage(setup, stage, parts).total());
  return most;
}

double max_memory(const TrainingSetup& setup) {
  return max_memory(setup, model_parts(setup.model, setup.plan));
}

double usable_memory(const TrainingSetup& setup) {
  return usable_share * setup.device.facts.memory_size.as_double();
}

std::uint64_t largest_inference_batch(const TrainingSetup& setup) {
  const auto fits = [&](std::uint64_t sequences) {
    TrainingSetup other = setup;
    other.plan.global_batch = sequences * other.plan.data;
    other.plan.micro_batch = std::min(other.plan.micro_batch, sequences);
    if (setup.plan.micro_batches() == 1) other.plan.micro_batch = sequences;
    return max_memory(other) <= usable_memory(other);
  };
  std::uint64_t most = 0;
  constexpr std::uint64_t more_than_anyone = std::uint64_t{1} << 24;
  for (std::uint64_t step = more_than_anyone; step > 0; step /= 2)
    if (fits(most + step)) most += step;
  return most * setup.plan.data;
}

void require_training_memory(const TrainingSetup& setup, bool allow, Warnings& warnings) {
  const double need = max_memory(setup), usable = usable_memory(setup);
  if (need <= usable) return;
  std::string text =
      fmt::format("{} needs {:.1f} GiB on a device, but {:.1f} GiB can be used",
                  setup.plan.forward_only ? "inference" : "training", need / gib, usable / gib);
  const std::vector<std::string> ways =
      setup.plan.forward_only ? batches_that_fit(setup) : ways_to_fit(setup);
  if (ways.empty()) text += "; more tensor or pipeline parallelism is needed";
  for (std::size_t i = 0; i < ways.size(); ++i)
    text += (i == 0 ? "; " : i + 1 < ways.size() ? ", " : " or ") + ways[i];
  if (!ways.empty()) text += " would fit";
  if (!allow) throw InputError(setup.where, text + "; --allow-oom goes on nevertheless");
  warnings.add(setup.where, text);
}

}  // namespace orrery::core
