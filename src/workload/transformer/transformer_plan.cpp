#include "workload/transformer/transformer_plan.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace orrery::core {
namespace {

std::uint64_t ceil_to(std::uint64_t value, std::uint64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

using Degree = std::uint64_t TransformerPlan::*;

class PlanCheck {
 public:
  PlanCheck(const Transformer& model, const TransformerPlan& plan, const PlanPlaces& where)
      : model_(model), plan_(plan), where_(where) {}

  std::vector<InputError> run() {
    check();
    if (keys_.empty()) return {};
    wrong_ = std::exchange(keys_, {});
    explains_ = true;
    check();
    return std::move(errors_);
  }

 private:
  void check() {
    check_heads();
    check_widths();
    check_sequence();
    check_experts();
    check_shard();
    check_pipeline();
    check_batch();
  }

  // `text` is called where errors are explained and not only found.
  template <class Text>
  void add(std::string_view key, const Text& text) {
    keys_.push_back(key);
    if (explains_) errors_.emplace_back(where_(key), text());
  }

  // Returns, for example, "4 or 8": the divisors of `number` next to a degree that leave nothing wrong with
  // it, or the only one.
  std::string fitting_divisors(std::string_view key, Degree degree, std::uint64_t number) const {
    const std::uint64_t value = plan_.*degree;
    for (const bool alone : {false, true}) {
      const auto fits = [&](std::uint64_t d) { return number % d == 0 && mends(key, degree, d, alone); };
      std::optional<std::uint64_t> below, above;
      for (std::uint64_t d = std::min(number, value); d >= 1 && !below; --d)
        if (fits(d)) below = d;
      for (std::uint64_t d = value + 1; d <= number && !above; ++d)
        if (fits(d)) above = d;
      if (below && above) return fmt::format("{} or {}", *below, *above);
      if (below || above) return std::to_string(below ? *below : *above);
    }
    return "1";
  }

  // Returns whether nothing is wrong any more with this key if its degree is another one, and nothing is with
  // a key that was right. `alone`: whatever is with others.
  bool mends(std::string_view key, Degree degree, std::uint64_t value, bool alone) const {
    TransformerPlan other = plan_;
    other.*degree = value;
    PlanCheck check(model_, other, where_);
    check.check();
    return std::ranges::none_of(check.keys_, [&](std::string_view wrong) {
      return wrong == key || (!alone && std::ranges::find(wrong_, wrong) == wrong_.end());
    });
  }

  // `key` has to divide `number` of `what`.
  void require_divisor(std::string_view key, Degree degree, std::uint64_t number, std::string_view what) {
    if (number % (plan_.*degree) == 0) return;
    add(key, [&] {
      return fmt::format("`{}` has to divide {}, {}, but is {}; use {}", key, what, number, plan_.*degree,
                         fitting_divisors(key, degree, number));
    });
  }

  void check_heads() {
    const bool by_heads = plan_.context_exchange == ContextExchange::all_to_all && plan_.context > 1;
    require_divisor("tensor", &TransformerPlan::tensor, model_.heads, "the number of heads");
    if (model_.heads % plan_.tensor != 0) return;
    if (by_heads)
      require_divisor("context", &TransformerPlan::context, model_.heads / plan_.tensor,
                      "the heads of a rank");
    const std::uint64_t sharers = plan_.tensor * (by_heads ? plan_.context : 1);
    if (model_.heads % sharers == 0 && model_.kv_heads % sharers != 0 && sharers % model_.kv_heads != 0)
      add(by_heads ? "context" : "tensor", [&] {
        return fmt::format(
            "{} heads of keys and values can neither be shared out among {} ranks nor be copied "
            "evenly; use {}",
            model_.kv_heads, sharers,
            by_heads ? fitting_divisors("context", &TransformerPlan::context, model_.heads)
                     : fitting_divisors("tensor", &TransformerPlan::tensor, model_.heads));
      });
  }

  void check_widths() {
    const bool all_experts = model_.layers_with_experts() == model_.layers;
    if (!all_experts) require_divisor("tensor", &TransformerPlan::tensor, model_.ffn, "the MLP's width");
    if (model_.moe && (plan_.expert_tensor || model_.moe->shared_experts > 0))
      require_divisor("tensor", &TransformerPlan::tensor, model_.moe->ffn, "the experts' width");
  }

  void check_sequence() {
    require_divisor("context", &TransformerPlan::context, model_.sequence, "the sequence");
    if (!plan_.sequence_parallel) return;
    if (plan_.tensor == 1) {
      add("sequence", [] {
        return "sequence parallelism is a part of tensor parallelism; use `tensor` above 1, or leave it out";
      });
    } else if (model_.sequence % plan_.context == 0 &&
               (model_.sequence / plan_.context) % plan_.tensor != 0) {
      add("tensor", [&] {
        const std::uint64_t tokens = model_.sequence / plan_.context;
        return fmt::format(
            "with sequence parallelism `tensor` has to divide the {} tokens of a rank, but is "
            "{}; use {}",
            tokens, plan_.tensor, fitting_divisors("tensor", &TransformerPlan::tensor, tokens));
      });
    }
  }

  void check_experts() {
    if (plan_.expert == 1) return;
    if (!model_.moe) {
      add("expert", [] { return "this model has no experts to share out; use 1"; });
      return;
    }
    const std::uint64_t common = std::gcd(model_.moe->experts, plan_.data);
    if (common % plan_.expert != 0)
      add("expert", [&] {
        return fmt::format(
            "`expert` has to divide {} experts and {} ranks of data parallelism, but is {}; use "
            "{}",
            model_.moe->experts, plan_.data, plan_.expert,
            fitting_divisors("expert", &TransformerPlan::expert, common));
      });
  }

  void check_shard() {
    if (plan_.shard == 0) return;
    const std::uint64_t copies = plan_.copies(model_.moe.has_value());
    if (plan_.zero == 0)
      add("shard",
          [] { return "without ZeRO nothing is shared out; use `zero` 1 to 3, or leave `shard` out"; });
    else if (copies > 0)
      require_divisor("shard", &TransformerPlan::shard, copies, "the ranks with the same parameters");
  }

  // Layers that are given by chunk.
  void check_chunks() {
    const std::vector<std::uint64_t>& layers = plan_.layers_per_chunk;
    const std::uint64_t chunks = plan_.pipeline * plan_.chunks;
    const std::uint64_t sum = std::accumulate(layers.begin(), layers.end(), std::uint64_t{0});
    if (layers.size() != chunks)
      add("layers-per-stage", [&] {
        return fmt::format("`layers-per-stage` has {} entries; give one for each of {} {}", layers.size(),
                           chunks, plan_.chunks > 1 ? "virtual stages" : "stages");
      });
    else if (sum != model_.layers)
      add("layers-per-stage", [&] {
        return fmt::format("`layers-per-stage` add up to {}; the model has {} layers", sum, model_.layers);
      });
  }

  void check_pipeline() {
    if (!plan_.layers_per_chunk.empty()) return check_chunks();
    if (model_.layers % plan_.pipeline != 0)
      add("pipeline", [&] {
        return fmt::format(
            "`pipeline` has to divide the number of layers, {}, but is {}; use {}, or give "
            "`layers-per-stage`",
            model_.layers, plan_.pipeline,
            fitting_divisors("pipeline", &TransformerPlan::pipeline, model_.layers));
      });
    if (plan_.pipeline == 1 && plan_.chunks > 1) {
      add("virtual-stages", [] { return "one stage has nothing to interleave; use 1"; });
    } else if (model_.layers % plan_.pipeline == 0) {
      require_divisor("virtual-stages", &TransformerPlan::chunks, model_.layers / plan_.pipeline,
                      "the layers of a stage");
    }
  }

  void check_batch() {
    const std::uint64_t step = plan_.micro_batch * plan_.data;
    if (plan_.global_batch % step == 0) return;
    const std::uint64_t above = ceil_to(plan_.global_batch, step);
    add("global", [&] {
      return fmt::format("`global` has to be a multiple of `micro` times `data`, {}, but is {}; use {}{}",
                         step, plan_.global_batch, above > step ? fmt::format("{} or ", above - step) : "",
                         above);
    });
  }

  const Transformer& model_;
  const TransformerPlan& plan_;
  const PlanPlaces& where_;
  bool explains_ = false;
  std::vector<std::string_view> keys_, wrong_;  // of errors: that are being found, and that are known
  std::vector<InputError> errors_;
};

}  // namespace

std::vector<std::uint64_t> TransformerPlan::layers_of_chunks(const Transformer& model) const {
  if (!layers_per_chunk.empty()) return layers_per_chunk;
  return std::vector<std::uint64_t>(pipeline * chunks, model.layers / (pipeline * chunks));
}

// An interleaved stage has every p-th chunk.
std::vector<std::vector<BlockKind>> blocks_of_stage(const Transformer& model, const TransformerPlan& plan,
                                                    std::uint64_t stage) {
  const std::vector<std::uint64_t> counts = plan.layers_of_chunks(model);
  std::vector<std::vector<BlockKind>> chunks;
  chunks.reserve(counts.size() / plan.pipeline + 1);
  std::uint64_t first = 0;
  for (std::size_t chunk = 0; chunk < counts.size(); first += counts[chunk++]) {
    if (chunk % plan.pipeline != stage) continue;
    std::vector<BlockKind>& blocks = chunks.emplace_back();
    blocks.reserve(counts[chunk] + 2);
    if (chunk == 0) blocks.push_back(BlockKind::embedding);
    for (std::uint64_t layer = first; layer < first + counts[chunk]; ++layer)
      blocks.push_back(model.has_experts(layer) ? BlockKind::layer_with_experts : BlockKind::layer);
    if (chunk + 1 == counts.size()) blocks.push_back(BlockKind::head);
  }
  return chunks;
}

std::uint64_t predicted_tokens(const Transformer& model, const TransformerPlan& plan) {
  if (plan.predicted > 0) return plan.predicted;
  if (!model.masked) return model.sequence;
  return static_cast<std::uint64_t>(std::ceil(model.masked->share * double(model.sequence)));
}

std::uint64_t padded_vocabulary(const Transformer& model, const TransformerPlan& plan) {
  return ceil_to(model.vocabulary, 128 * plan.tensor);
}

std::vector<InputError> errors_of_plan(const Transformer& model, const TransformerPlan& plan,
                                       const PlanPlaces& where) {
  return PlanCheck(model, plan, where).run();
}

}  // namespace orrery::core
