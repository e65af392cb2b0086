#include "workload/training/layout_space.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace orrery::core {

namespace {

constexpr std::size_t max_layouts = 2'000'000;

std::vector<std::uint64_t> divisors(std::uint64_t number, std::uint64_t most) {
  std::vector<std::uint64_t> found;
  for (std::uint64_t d = 1; d <= std::min(number, most); ++d)
    if (number % d == 0) found.push_back(d);
  return found;
}

class Enumeration {
 public:
  Enumeration(const TrainingSetup& base, const LayoutSpace& space)
      : base_(base), model_(base.model), space_(space) {}

  LegalLayouts run() {
    for (std::uint64_t gpus = space_.gpus; gpus >= 1; gpus /= 2) {
      add_shapes(gpus);
      if (!space_.fewer_gpus || gpus % 2 != 0) break;
    }
    for (auto& [key, refused] : refused_) legal_.refused.push_back(std::move(refused));
    return std::move(legal_);
  }

 private:
  bool keeps(LayoutChoice choice) const { return space_.kept[static_cast<std::size_t>(choice)]; }

  template <class T>
  std::vector<T> choices(LayoutChoice choice, T kept, std::vector<T> all) const {
    return keeps(choice) ? std::vector<T>{kept} : std::move(all);
  }

  std::uint64_t gpus_in_node() const {
    return space_.in_node > 0 ? space_.in_node : static_cast<std::uint64_t>(base_.gpus_per_node());
  }

  // Adds all choices of axes whose product is the number of GPUs.
  void add_shapes(std::uint64_t gpus) {
    const std::uint64_t in_node = gpus_in_node();
    for (const auto tensor : choices(LayoutChoice::tensor, base_.plan.tensor, divisors(gpus, in_node))) {
      if (gpus % tensor != 0) continue;
      const std::uint64_t max_context = std::max<std::uint64_t>(1, model_.sequence / fewest_context_tokens);
      for (const auto context :
           choices(LayoutChoice::context, base_.plan.context, divisors(gpus / tensor, max_context))) {
        if (gpus / tensor % context != 0) continue;
        const std::uint64_t left = gpus / tensor / context;
        for (const auto pipeline :
             choices(LayoutChoice::pipeline, base_.plan.pipeline, divisors(left, model_.layers)))
          if (left % pipeline == 0) add_experts(tensor, context, pipeline, left / pipeline);
      }
    }
  }

  void add_experts(std::uint64_t tensor, std::uint64_t context, std::uint64_t pipeline, std::uint64_t data) {
    const std::uint64_t most = model_.moe ? model_.moe->experts : 1;
    for (const auto expert : choices(LayoutChoice::expert, base_.plan.expert, divisors(data, most))) {
      TransformerPlan plan = base_.plan;
      plan.tensor = tensor;
      plan.context = context;
      plan.pipeline = pipeline;
      plan.expert = expert;
      plan.data = data;
      if (!keeps(LayoutChoice::sequence)) plan.sequence_parallel = false;
      if (!keeps(LayoutChoice::virtual_stages)) plan.chunks = 1;
      if (!keeps(LayoutChoice::micro)) plan.micro_batch = 1;
      if (!keeps(LayoutChoice::shard) || !keeps(LayoutChoice::zero)) plan.shard = 0;
      spread_layers(plan);
      if (legal(plan)) add_ways_to_compute(plan);
    }
  }

  void spread_layers(TransformerPlan& plan) const {
    if (keeps(LayoutChoice::pipeline)) return;
    plan.layers_per_chunk.clear();
    if (plan.chunks == 1 && model_.layers % plan.pipeline != 0)
      plan.layers_per_chunk = uneven_stages(model_.layers, plan.pipeline);
  }

  bool legal(const TransformerPlan& plan) {
    const auto errors =
        errors_of_plan(model_, plan, [](std::string_view key) { return SourceLocation{std::string(key)}; });
    if (errors.empty()) return true;
    const std::string text = errors.front().what();  // "KEY: error: TEXT"
    const std::string key = text.substr(0, text.find(':'));
    RefusedShapes& refused = refused_[key];
    if (refused.count++ == 0) {
      refused.key = key;
      refused.example = text.substr(text.find("error: ") + std::string_view("error: ").size());
    }
    return false;
  }

  // Adds the numbers of chunks and micro-batches.
  void add_ways_to_compute(const TransformerPlan& shape) {
    const bool even = shape.layers_per_chunk.empty() && shape.pipeline > 1;
    const auto chunks =
        choices(LayoutChoice::virtual_stages, shape.chunks,
                even ? divisors(model_.layers / shape.pipeline, max_chunks) : std::vector<std::uint64_t>{1});
    std::vector<std::uint64_t> micro_batches;
    for (std::uint64_t micro = 1; micro <= largest_micro_batch; micro *= 2) micro_batches.push_back(micro);
    for (const auto chunk : chunks)
      for (const auto micro : choices(LayoutChoice::micro, shape.micro_batch, micro_batches)) {
        TransformerPlan plan = shape;
        plan.chunks = chunk;
        plan.micro_batch = micro;
        if (plan.global_batch % (micro * plan.data) != 0) continue;
        if (chunk > 1 && plan.micro_batches() % plan.pipeline != 0) continue;
        add_ways_to_save_memory(plan);
      }
  }

  void add_ways_to_save_memory(const TransformerPlan& shape) {
    std::vector<bool> sequence{false};
    const bool divides = model_.sequence / shape.context % shape.tensor == 0;
    if (shape.tensor > 1 && divides) sequence.push_back(true);
    std::vector<int> zero{0};
    if (shape.data * shape.context > 1) zero = {0, 1, 2, 3};
    std::vector<Recompute> recompute{Recompute::none, Recompute::full};
    if (shape.attention == AttentionKind::naive)
      recompute.insert(recompute.begin() + 1, Recompute::selective);
    for (const bool parallel : choices(LayoutChoice::sequence, shape.sequence_parallel, sequence))
      for (const Recompute again : choices(LayoutChoice::recompute, shape.recompute, recompute))
        for (const int stage : choices(LayoutChoice::zero, shape.zero, zero)) {
          TransformerPlan plan = shape;
          plan.sequence_parallel = parallel;
          plan.zero = stage;
          plan.recompute = again;
          for (const std::uint64_t shard : shards(plan)) {
            plan.shard = shard;
            add(plan);
          }
        }
  }

  // Returns the values of `shard` for fully sharded data parallelism: either all ranks with the same
  // parameters share them out, or the ranks of a node do.
  std::vector<std::uint64_t> shards(const TransformerPlan& plan) const {
    if (keeps(LayoutChoice::shard)) return {plan.zero > 0 ? base_.plan.shard : 0};
    const std::uint64_t in_node = gpus_in_node() / plan.tensor;
    const std::uint64_t copies = plan.copies(model_.moe.has_value());
    if (plan.zero < 3 || in_node < 2 || in_node >= copies || copies % in_node != 0) return {0};
    return {0, in_node};
  }

  void add(const TransformerPlan& plan) {
    if (legal_.layouts.size() == max_layouts)
      throw InputError(base_.where,
                       fmt::format("there are more than {} layouts; use fewer GPUs, or keep some "
                                   "choices as they are with --keep",
                                   max_layouts));
    legal_.layouts.push_back({plan, plan.chunks > 1 ? PipelineSchedule::interleaved : plain_schedule()});
  }

  PipelineSchedule plain_schedule() const {
    return base_.schedule == PipelineSchedule::interleaved ? PipelineSchedule::one_forward_one_backward
                                                           : base_.schedule;
  }

  const TrainingSetup& base_;
  const Transformer& model_;
  const LayoutSpace& space_;
  LegalLayouts legal_;
  std::map<std::string, RefusedShapes> refused_;  // by key
};

}  // namespace

LegalLayouts legal_layouts(const TrainingSetup& base, const LayoutSpace& space) {
  return Enumeration(base, space).run();
}

std::vector<std::uint64_t> uneven_stages(std::uint64_t layers, std::uint64_t stages) {
  std::vector<std::uint64_t> counts(stages, layers / stages);
  const std::uint64_t rest = layers % stages, first = (stages - rest) / 2;
  for (std::uint64_t i = first; i < first + rest; ++i) ++counts[i];
  return counts;
}

void take(const TrainingLayout& layout, TrainingSetup& setup) {
  setup.plan = layout.plan;
  setup.schedule = layout.schedule;
}

}  // namespace orrery::core
