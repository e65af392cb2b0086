#include "workload/transformer/layout_text.hpp"

#include <cstdint>
#include <string_view>

#include <fmt/format.h>

#include "base/diagnostics/words.hpp"

namespace orrery::core {

std::string layout_text(const TransformerPlan& plan) {
  std::string text;
  const auto say = [&](const std::string& what) { text += (text.empty() ? "" : ", ") + what; };
  const auto add = [&](std::string_view name, std::uint64_t ranks) {
    if (ranks > 1) say(fmt::format("{} {}", name, ranks));
  };
  add(plan.sequence_parallel ? "tensor+sequence" : "tensor", plan.tensor);
  add("context", plan.context);
  add("pipeline", plan.pipeline);
  add("virtual stages", plan.chunks);
  add("data", plan.data);
  add("of it expert", plan.expert);
  add("micro-batch", plan.micro_batch);
  if (plan.zero > 0 && plan.has_replicas())
    say(fmt::format("ZeRO {}{}", plan.zero, plan.shard > 0 ? fmt::format(" among {}", plan.shard) : ""));
  if (plan.repeats_operations()) say(fmt::format("recompute {}", word_of(recompute_words, plan.recompute)));
  return text.empty() ? "one GPU" : text;
}

}  // namespace orrery::core
