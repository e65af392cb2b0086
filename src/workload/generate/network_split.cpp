#include "workload/generate/network_split.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "base/diagnostics/words.hpp"
#include "base/text/text_lines.hpp"
#include "workload/astra1/layer_table_words.hpp"
#include "workload/generate/layer_split.hpp"

namespace orrery::core {

namespace {

TrainingPolicy strategy_of(const Token& cell, const SourceLocation& where) {
  const auto policy = value_of(strategy_words, cell.text);
  if (policy && splits_a_layer(*policy)) return *policy;
  std::vector<std::string_view> words = words_of(strategy_words);
  words.pop_back();
  const std::string hint = suggestion(cell.text, words);
  throw InputError(where, "unknown strategy " + backquoted(cell.text) +
                              (hint.empty() ? ", use " + alternatives(words) : hint));
}

}  // namespace

std::vector<LayerStrategy> read_layer_strategies(std::string_view text, const std::string& file,
                                                 Warnings& warnings) {
  std::vector<LayerStrategy> layers;
  std::set<std::string> names;
  for (const Token& line : layer_lines_of(text, file, warnings)) {
    const std::vector<Token> cells = cells_of(line);
    const auto place = [&](const Token& cell) { return SourceLocation{file, cell.line, cell.column}; };
    if (cells.size() != 2)
      throw InputError(place(trimmed(line)),
                       "a line is `layer,strategy`, 2 values, not " + std::to_string(cells.size()));
    LayerStrategy layer{std::string(cells[0].text), strategy_of(cells[1], place(cells[1])), place(cells[0])};
    if (!names.insert(layer.layer).second)
      throw InputError(layer.where, "layer " + backquoted(layer.layer) + " has two strategies, remove one");
    layers.push_back(std::move(layer));
  }
  return layers;
}
namespace {

constexpr std::uint64_t max_elements = 1ull << 60;

bool has_features(const NetworkLayer& layer) {
  switch (layer.kind) {
    case LayerKind::convolution:
    case LayerKind::fully_connected:
    case LayerKind::gemm:
    case LayerKind::embedding:
      return layer.weights > 0;
    default:
      return false;
  }
}

// Returns whether a layer treats each feature by itself.
bool works_feature_by_feature(LayerKind kind) {
  return kind == LayerKind::batch_norm || kind == LayerKind::relu || kind == LayerKind::dropout ||
         kind == LayerKind::pooling;
}

std::uint64_t features_of(const NetworkLayer& layer) {
  if (const auto* gemm = std::get_if<Gemm>(&layer.work)) return gemm->n;
  if (const auto* convolution = std::get_if<Convolution>(&layer.work)) return convolution->filters;
  return layer.output.channels;
}

// Returns the part of `count`, which belongs to `all` features, for `share` of them. It is exact where each
// feature has equally much.
std::uint64_t part(std::uint64_t count, std::uint64_t share, std::uint64_t all) {
  return count / all * share + (count % all * share + all - 1) / all;
}

void cut_work(Convolution& work, std::uint64_t share) {
  const std::uint64_t filters_of_group = work.filters / work.groups,
                      channels_of_group = work.channels / work.groups;
  work.groups = (share + filters_of_group - 1) / filters_of_group;
  work.channels = work.groups * channels_of_group;
  work.filters = work.groups == 1 ? share : work.groups * filters_of_group;
}

void cut_work(Elementwise& work, std::uint64_t share, std::uint64_t all) {
  work.flops *= double(share) / double(all);
  work.elements_read = part(work.elements_read, share, all);
  work.elements_written = part(work.elements_written, share, all);
}

// Leaves `share` of `all` features of the layer; the output stays.
void cut(NetworkLayer& layer, std::uint64_t share, std::uint64_t all) {
  if (auto* gemm = std::get_if<Gemm>(&layer.work)) {
    gemm->n = share;
  } else if (auto* convolution = std::get_if<Convolution>(&layer.work)) {
    cut_work(*convolution, share);
  } else {
    cut_work(std::get<Elementwise>(layer.work), share, all);
  }
  layer.weights = part(layer.weights, share, all);
  layer.biases = part(layer.biases, share, all);
}

std::uint64_t multiplied(std::uint64_t count, std::uint64_t times, const NetworkLayer& layer) {
  std::uint64_t product = 0;
  if (__builtin_mul_overflow(count, times, &product) || product > max_elements)
    throw InputError(layer.where,
                     "layer " + backquoted(layer.name) +
                         " has a tensor of more than 2^60 elements, make it or the batch smaller");
  return product;
}

// Makes the layer work on the batches of this many NPUs.
void enlarge_batch(NetworkLayer& layer, std::uint64_t times) {
  if (auto* gemm = std::get_if<Gemm>(&layer.work)) {
    multiplied(gemm->m * gemm->n, times, layer);
    gemm->m *= times;
  } else if (auto* convolution = std::get_if<Convolution>(&layer.work)) {
    multiplied(layer.output.elements() * convolution->batch, times, layer);
    convolution->batch *= times;
  } else {
    auto& work = std::get<Elementwise>(layer.work);
    work.flops *= double(times);
    work.elements_read = multiplied(work.elements_read, times, layer);
    work.elements_written = multiplied(work.elements_written, times, layer);
  }
  layer.output.channels = multiplied(layer.output.channels, times, layer);  // as held by an NPU
}

// Returns the elements of a product's input. For a convolution, they are counted without the overlap of its
// windows.
std::uint64_t input_elements(const NetworkLayer& layer) {
  if (const auto* gemm = std::get_if<Gemm>(&layer.work))
    return multiplied(multiplied(gemm->m, gemm->k, layer), gemm->batch, layer);
  if (const auto* convolution = std::get_if<Convolution>(&layer.work))
    return multiplied(layer.input.elements(), convolution->batch, layer);
  return 0;
}

std::uint64_t output_elements(const NetworkLayer& layer) {
  if (const auto* gemm = std::get_if<Gemm>(&layer.work))
    return multiplied(multiplied(gemm->m, gemm->n, layer), gemm->batch, layer);
  if (const auto* convolution = std::get_if<Convolution>(&layer.work)) {
    const Gemm product = product_of(*convolution);
    return multiplied(product.m, convolution->filters, layer);
  }
  return std::get<Elementwise>(layer.work).elements_written;
}

class NetworkSplitter {
 public:
  NetworkSplitter(NeuralNetwork network, const NetworkStrategy& strategy, Warnings& warnings)
      : network_(std::move(network)), strategy_(strategy), warnings_(warnings) {}

  NeuralNetwork split() {
    check_that_it_can_be_split();
    read_choices();
    const bool customized = strategy_.policy == TrainingPolicy::hybrid_customized;
    network_.policy = strategy_.policy;
    for (std::size_t i = 0; i < network_.layers.size(); ++i) {
      NetworkLayer& layer = network_.layers[i];
      const TrainingPolicy policy = policy_of(layer);
      if (customized) layer.policy = policy;
      if (has_features(layer)) share_out(i, ways_of(policy, strategy_.machine).model, customized);
    }
    return std::move(network_);
  }

 private:
  void check_that_it_can_be_split() const {
    const bool spread =
        network_.policy != TrainingPolicy::data ||
        std::any_of(network_.layers.begin(), network_.layers.end(), [](const NetworkLayer& l) {
          return l.forward.collective || l.input_gradient.collective;
        });
    if (spread)
      throw InputError(
          strategy_.where,
          fmt::format("the model {} says itself how NPUs share it ({}), leave the strategy out; its "
                      "parameters may choose",
                      backquoted(network_.name), word_of(policy_words, network_.policy)));
  }

  void read_choices() {
    std::vector<std::string_view> known;
    for (const NetworkLayer& layer : network_.layers)
      if (has_features(layer)) known.push_back(layer.name);
    for (const LayerStrategy& choice : strategy_.layers) {
      if (std::find(known.begin(), known.end(), choice.layer) == known.end())
        throw InputError(choice.where,
                         fmt::format("no layer {} with weights is in this model{}; a strategy is that "
                                     "of a layer with weights and of what follows it",
                                     backquoted(choice.layer), suggestion(choice.layer, known)));
      chosen_[choice.layer] = choice.policy;
    }
  }

  TrainingPolicy policy_of(const NetworkLayer& layer) const {
    if (strategy_.policy != TrainingPolicy::hybrid_customized) return strategy_.policy;
    const auto found = chosen_.find(layer.name);
    return found == chosen_.end() ? TrainingPolicy::data : found->second;
  }

  std::uint64_t share_of(const NetworkLayer& layer, std::uint64_t ways) {
    const std::uint64_t features = features_of(layer);
    if (features < ways)
      throw InputError(layer.where,
                       fmt::format("layer {}: {} NPUs cannot share {} output features, let {} share it, "
                                   "or choose another strategy",
                                   backquoted(layer.name), ways, features, fewer_npus(features)));
    if (features % ways != 0)
      warnings_.add(
          layer.where,
          fmt::format("layer {}: {} output features do not divide evenly among {} NPUs, an NPU is taken to "
                      "compute {}, as the one with most of them",
                      backquoted(layer.name), features, ways, (features + ways - 1) / ways));
    return (features + ways - 1) / ways;
  }

  static std::string fewer_npus(std::uint64_t features) {
    std::uint64_t half = features / 2;
    while (half > 1 && features % half != 0) --half;
    return half == 0 ? "one NPU" : fmt::format("at most {}, best {} or {}", features, features, half);
  }

  // Cuts the layer and those that follow it at once. With `customized`, the layer sees the batches of all
  // NPUs that share it.
  void share_out(std::size_t first, std::uint64_t ways, bool customized) {
    if (ways == 1) return;
    NetworkLayer& product = network_.layers[first];
    const std::uint64_t share = share_of(product, ways), all = features_of(product);
    std::size_t last = first;
    while (product.output.elements() > 0 && last + 1 < network_.layers.size() &&
           network_.layers[last + 1].follows_previous &&
           works_feature_by_feature(network_.layers[last + 1].kind))
      ++last;
    for (std::size_t i = first; i <= last; ++i) {
      NetworkLayer& layer = network_.layers[i];
      if (customized) enlarge_batch(layer, ways);
      cut(layer, share, all);
      if (i < last) layer.output.channels = part(layer.output.channels, share, all);
    }
    product.forward = {CollectiveKind::all_gather, output_elements(network_.layers[last])};
    if (product.has_input_gradient && input_elements(product) > 0)
      product.input_gradient = {CollectiveKind::reduce_scatter, input_elements(product)};
  }

  NeuralNetwork network_;
  const NetworkStrategy& strategy_;
  Warnings& warnings_;
  std::map<std::string, TrainingPolicy, std::less<>> chosen_;
};

}  // namespace

NeuralNetwork split_network(NeuralNetwork network, const NetworkStrategy& strategy, Warnings& warnings) {
  return NetworkSplitter(std::move(network), strategy, warnings).split();
}

std::uint64_t data_parallel_npus(const NeuralNetwork& network, const SplitMachine& machine) {
  switch (network.policy) {
    case TrainingPolicy::model:
    case TrainingPolicy::hybrid_data_model:
    case TrainingPolicy::hybrid_model_data:
      return ways_of(network.policy, machine).data;
    case TrainingPolicy::hybrid_transformer:
    case TrainingPolicy::hybrid_transformer_fwd_in_bckwd:
      return std::max<std::uint64_t>(machine.npus / static_cast<std::uint64_t>(network.model_parallel_group),
                                     1);
    case TrainingPolicy::hybrid_customized:
      return 1;  // layers differ
    default:
      return machine.npus;
  }
}

}  // namespace orrery::core
