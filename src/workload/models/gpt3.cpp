#include "workload/models/gpt3.hpp"

#include <string>
#include <utility>

#include "workload/models/layer_cost.hpp"

namespace orrery {
namespace {

constexpr int largest_option = 1 << 24;
constexpr int most_transformer_layers = 10'000;

void check(const Gpt3Options& o) {
  const auto require = [&](bool good, const std::string& what) {
    if (!good) throw InputError(o.where, what);
  };
  const auto require_range = [&](int value, int largest, const char* key) {
    require(value >= 1 && value <= largest,
            std::string(key) + " has to be from 1 to " + std::to_string(largest));
  };
  require_range(o.transformer_layers, most_transformer_layers, "transformer-layers");
  require_range(o.tensor_parallel, largest_option, "tensor-parallel");
  require_range(o.batch, largest_option, "batch");
  require_range(o.sequence, largest_option, "sequence");
  require_range(o.hidden, largest_option, "hidden");
  require_range(o.heads, largest_option, "heads");
  require_range(o.vocabulary, largest_option, "vocabulary");
  const auto require_multiple = [&](int value, int divisor, const char* text) {
    require(value % divisor == 0, std::string(text) + ", but " + std::to_string(value) +
                                      " is not a multiple of " + std::to_string(divisor));
  };
  require_multiple(o.hidden, o.heads, "hidden has to be a multiple of heads");
  require_multiple(o.heads, o.tensor_parallel, "heads has to be a multiple of tensor-parallel");
  require_multiple(o.vocabulary, o.tensor_parallel, "vocabulary has to be a multiple of tensor-parallel");
}

class Gpt3Builder {
 public:
  explicit Gpt3Builder(const Gpt3Options& o)
      : o_(o),
        cost_(o.flops_per_second, o.bytes_per_element, o.where),
        tokens_(double(o.batch) * o.sequence),
        hidden_share_(double(o.hidden) / o.tensor_parallel),
        activations_(cost_.bytes(tokens_ * o.hidden)) {
    table_.policy = TrainingPolicy::hybrid_transformer_fwd_in_bckwd;
    table_.model_parallel_group = o.tensor_parallel;
    table_.where = o.where;
  }

  // Recomputation runs from a block's first layer when the backward pass reaches its last one.
  void add_block(const std::string& number) {
    table_.checkpoints.push_back(static_cast<int>(table_.layers.size()));
    add_attention(number);
    add_perceptron(number);
    add_layer("layerNorm" + number, 2 * tokens_ * o_.hidden);
    table_.initiators.insert(table_.initiators.begin(), static_cast<int>(table_.layers.size()) - 1);
  }

  void add_projection() {
    const double vocabulary_share = double(o_.vocabulary) / o_.tensor_parallel;
    Layer& layer = add_product("projection", vocabulary_share);
    attach(layer.forward, CollectiveKind::all_gather, cost_.bytes(tokens_ * vocabulary_share));
    attach(layer.input_gradient, CollectiveKind::all_reduce, activations_);
  }

  LayerTable take() { return std::move(table_); }

 private:
  void add_attention(const std::string& number) {
    // One gradient for the block's input, summed over Q, K and V and over the group.
    attach(add_product("Q" + number, hidden_share_).input_gradient, CollectiveKind::all_reduce, activations_);
    add_product("K" + number, hidden_share_);
    add_product("V" + number, hidden_share_);
    // Every pair of tokens, over heads/t heads of h/heads columns each.
    const double pairs = double(o_.batch) * o_.sequence * o_.sequence;
    add_layer("QK" + number, pairs * hidden_share_);
    add_layer("softmax" + number, pairs * hidden_share_);
    Layer& concat = add_product("concat" + number, hidden_share_);
    attach(concat.forward, CollectiveKind::all_reduce, activations_);
    attach(concat.input_gradient, CollectiveKind::all_gather, cost_.bytes(tokens_ * hidden_share_));
  }

  void add_perceptron(const std::string& number) {
    const double expanded_share = 4 * hidden_share_;
    Layer& up = add_product("X" + number + "W1b1", expanded_share);
    attach(up.input_gradient, CollectiveKind::all_reduce, activations_);
    Layer& down = add_product("X" + number + "W2b2", expanded_share);
    attach(down.forward, CollectiveKind::all_reduce, activations_);
  }

  // A product of the tokens with this NPU's hidden x `columns` (or transposed) share of the weights.
  Layer& add_product(const std::string& name, double columns) {
    Layer& layer = add_layer(name, 2 * tokens_ * o_.hidden * columns);
    attach(layer.weight_gradient, CollectiveKind::all_reduce, cost_.bytes(o_.hidden * columns));
    return layer;
  }

  Layer& add_layer(const std::string& name, double operations) {
    const LayerStep step{cost_.time(operations), {}, false, {}};
    return table_.layers.emplace_back(Layer{name, step, step, step, Time::from_ns(1), {}, o_.where});
  }

  static void attach(LayerStep& step, CollectiveKind kind, Bytes size) {
    step.collective = kind;
    step.size = size;
  }

  const Gpt3Options& o_;
  LayerCost cost_;
  double tokens_;        // M
  double hidden_share_;  // h / t
  Bytes activations_;    // M h e
  LayerTable table_;
};

}  // namespace

LayerTable gpt3(const Gpt3Options& options) {
  check(options);
  Gpt3Builder builder(options);
  for (int block = 1; block <= options.transformer_layers; ++block) builder.add_block(std::to_string(block));
  builder.add_projection();
  return builder.take();
}

}  // namespace orrery
