#include "workload/transformer/layout_text.hpp"

#include <cstdint>
#include <string_view>

#include <fmt/format.h>

#include "base/words.hpp"

namespace orrery {

std::string layout_text(const TransformerPlan& plan) {
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

}  // namespace orrery
