#include "study/layout_table.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "workload/training/training_memory.hpp"

namespace orrery {

namespace {

constexpr double gib = 0x1p30;

double tokens_of(const TrainingSetup& base) {
  return static_cast<double>(base.plan.global_batch * base.model.sequence);
}

// "tensor 8, data 4": axes of more than one rank.
std::string axes_text(const TransformerPlan& plan) {
  std::string text;
  const auto add = [&](std::string_view name, std::uint64_t ranks) {
    if (ranks > 1) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, ranks);
  };
  add(plan.sequence_parallel ? "tensor+sequence" : "tensor", plan.tensor);
  add("context", plan.context);
  add("pipeline", plan.pipeline);
  add("virtual stages", plan.chunks);
  add("data", plan.data);
  add("of it expert", plan.expert);
  add("micro-batch", plan.micro_batch);
  if (plan.zero > 0) text += fmt::format("{}ZeRO {}", text.empty() ? "" : ", ", plan.zero);
  if (plan.shard > 0) text += fmt::format(" among {}", plan.shard);
  if (plan.recompute != Recompute::none)
    text += fmt::format("{}recompute {}", text.empty() ? "" : ", ", word_of(recompute_words, plan.recompute));
  return text.empty() ? "one GPU" : text;
}

std::string best_table(const LayoutSearch& search) {
  std::string text =
      fmt::format("{:>4} {:>7} {:>12} {:>12} {:>6} {:>8} {:>7} {:>8} {:>9}  layout\n", "rank", "GPUs",
                  "step ms", "tokens/s", "MFU", "compute", "bubble", "exposed", "memory");
  for (std::size_t i = 0; i < search.best.size(); ++i) {
    const TrainingResult& result = search.best[i];
    const SearchedLayout& one = search.layouts[i];
    const auto share = [&](Time time) { return 100 * time.ns() / result.step.ns(); };
    fmt::format_to(
        std::back_inserter(text),
        "{:>4} {:>7} {:>12.3f} {:>12.0f} {:>5.1f}% {:>7.1f}% {:>6.1f}% {:>7.1f}% {:>5.1f} GiB  {}\n", i + 1,
        one.layout.plan.ranks(), one.seconds * 1e3, result.tokens_per_second,
        100 * result.model_flop_utilization(), share(result.compute), share(result.bubble),
        share(result.exposed_total()), one.memory / gib, axes_text(one.layout.plan));
  }
  return text;
}

std::string left_out(const LayoutSearch& search, double usable) {
  std::string text =
      fmt::format("{} layouts: {} simulated", search.layouts.size(), search.count(LayoutVerdict::simulated));
  if (const auto beaten = search.count(LayoutVerdict::beaten))
    text += fmt::format(", {} take longer than these at least", beaten);
  if (const auto full = search.count(LayoutVerdict::out_of_memory))
    text += fmt::format(", {} need more than the {:.1f} GiB that can be used", full, usable / gib);
  text += '\n';
  for (const RefusedShapes& refused : search.refused)
    text += fmt::format("{} combinations of axes left out for `{}`, such as: {}\n", refused.count,
                        refused.key, refused.example);
  return text;
}

}  // namespace

std::string layout_keys(const TrainingSetup& base, const TrainingLayout& layout) {
  const TransformerPlan& plan = layout.plan;
  std::string text = fmt::format("batch: {{ global: {}, micro: {} }}\nparallelism: {{ ", plan.global_batch,
                                 plan.micro_batch);
  const auto add = [&](std::string_view key, std::uint64_t value, std::uint64_t usual) {
    if (value != usual) text += fmt::format("{}: {}, ", key, value);
  };
  add("tensor", plan.tensor, 1);
  if (plan.sequence_parallel) text += "sequence: true, ";
  add("context", plan.context, 1);
  if (plan.context_exchange != ContextExchange::ring)
    text += fmt::format("context-exchange: {}, ", word_of(context_exchange_words, plan.context_exchange));
  add("expert", plan.expert, 1);
  if (!plan.expert_tensor) text += "expert-tensor: false, ";
  add("pipeline", plan.pipeline, 1);
  if (layout.schedule != PipelineSchedule::one_forward_one_backward)
    text += fmt::format("schedule: {}, ", word_of(pipeline_schedule_words, layout.schedule));
  add("virtual-stages", plan.chunks, 1);
  if (!plan.layers_per_chunk.empty())
    text += fmt::format("layers-per-stage: [{}], ", fmt::join(plan.layers_per_chunk, ", "));
  add("zero", static_cast<std::uint64_t>(plan.zero), 0);
  add("shard", plan.shard, 0);
  if (base.order != RankMesh{}.order) {
    std::vector<std::string_view> axes;
    for (const MeshAxis axis : base.order) axes.push_back(word_of(mesh_axis_words, axis));
    text += fmt::format("order: [{}], ", fmt::join(axes, ", "));
  }
  text += fmt::format("data: {} }}\n", plan.data);
  if (plan.recompute != Recompute::none)
    text += fmt::format("recompute: {}\n", word_of(recompute_words, plan.recompute));
  return text;
}

std::string why_none_fits(const TrainingSetup& base, const LayoutSearch& search) {
  if (search.layouts.empty()) {
    std::string text = "no layout can be run";
    for (const RefusedShapes& refused : search.refused) text += "; " + refused.example;
    return text;
  }
  const auto least =
      std::min_element(search.layouts.begin(), search.layouts.end(),
                       [](const SearchedLayout& a, const SearchedLayout& b) { return a.memory < b.memory; });
  return fmt::format(
      "none of {} layouts fits; the smallest ({}) needs {:.1f} GiB on a device, but {:.1f} GiB can be used; "
      "more GPUs are needed",
      search.layouts.size(), axes_text(least->layout.plan), least->memory / gib, usable_memory(base) / gib);
}

std::string layout_report(const std::string& name, const TrainingSetup& base, const LayoutSearch& search) {
  std::string text = fmt::format("{}: {} on {}, {} sequences of {} tokens\n\n", name, base.model.name,
                                 base.device.facts.name, base.plan.global_batch, base.model.sequence);
  return text + best_table(search) + '\n' + left_out(search, usable_memory(base)) +
         "\nthe best as keys of `workload`:\n" + layout_keys(base, search.layouts.front().layout);
}

std::string layouts_csv(const TrainingSetup& base, const LayoutSearch& search) {
  std::string text =
      "rank,verdict,gpus,tensor,sequence,context,expert,pipeline,virtual_stages,data,zero,shard,micro,"
      "recompute,"
      "step_us,tokens_per_second,memory_bytes\n";
  const double tokens = tokens_of(base);
  std::size_t rank = 0;
  for (const SearchedLayout& one : search.layouts) {
    const TransformerPlan& plan = one.layout.plan;
    const bool simulated = one.verdict == LayoutVerdict::simulated;
    fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{:.0f}\n",
                   simulated ? std::to_string(++rank) : "", word_of(layout_verdict_words, one.verdict),
                   plan.ranks(), plan.tensor, plan.sequence_parallel ? 1 : 0, plan.context, plan.expert,
                   plan.pipeline, plan.chunks, plan.data, plan.zero, plan.shard, plan.micro_batch,
                   word_of(recompute_words, plan.recompute),
                   one.seconds > 0 ? fmt::format("{}", one.seconds * 1e6) : "",
                   simulated ? fmt::format("{:.0f}", tokens / one.seconds) : "", one.memory);
  }
  return text;
}

}  // namespace orrery
