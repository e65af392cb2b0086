#include "workload/generate/layer_split.hpp"

#include <array>
#include <string>

#include "base/diagnostics/words.hpp"
#include "base/text/quantity.hpp"
#include "workload/astra1/layer_table_words.hpp"

namespace orrery::core {
namespace {

constexpr std::array<TrainingPolicy, 4> strategies{TrainingPolicy::data, TrainingPolicy::model,
                                                   TrainingPolicy::hybrid_data_model,
                                                   TrainingPolicy::hybrid_model_data};

// The layer while it is being split.
struct Splitter {
  const std::string& name;
  const SourceLocation& where;

  std::uint64_t cut(std::uint64_t size, const char* what, std::uint64_t ways, Remainder remainder) const {
    if (size < ways)
      throw InputError(where, "layer " + backquoted(name) + ": " + what + " = " + std::to_string(size) +
                                  " divided by " + std::to_string(ways) +
                                  " NPUs leaves nothing for some, enlarge it or use fewer NPUs");
    return size / ways + (remainder == Remainder::computed && size % ways != 0 ? 1 : 0);
  }

  Bytes bytes(std::uint64_t a, std::uint64_t b, std::uint64_t bytes_per_element, std::uint64_t ways) const {
    std::uint64_t all = a;
    const bool too_large =
        __builtin_mul_overflow(all, b, &all) || __builtin_mul_overflow(all, bytes_per_element, &all);
    if (too_large || all > largest_size.count())
      throw InputError(where, "layer " + backquoted(name) + ": a tensor of " + std::to_string(a) + " x " +
                                  std::to_string(b) +
                                  " elements has more than 8 PiB, make the layer smaller");
    return Bytes(all / ways);
  }
};

}  // namespace

LayerWays ways_of(TrainingPolicy policy, const SplitMachine& machine) {
  const std::uint64_t npus_per_package = machine.npus / machine.packages;
  switch (policy) {
    case TrainingPolicy::data:
      return {machine.npus, 1};
    case TrainingPolicy::model:
      return {1, machine.npus};
    case TrainingPolicy::hybrid_data_model:
      return {machine.packages, npus_per_package};
    default:
      return {npus_per_package, machine.packages};
  }
}

bool splits_a_layer(TrainingPolicy policy) {
  for (const TrainingPolicy strategy : strategies)
    if (strategy == policy) return true;
  return false;
}

std::vector<std::string_view> layer_strategy_words() {
  std::vector<std::string_view> words;
  for (const TrainingPolicy strategy : strategies) words.push_back(word_of(policy_words, strategy));
  return words;
}

LayerSplit split_layer(const std::string& name, const Gemm& gemm, TrainingPolicy policy,
                       const SplitMachine& machine, Remainder remainder, const SourceLocation& where) {
  const Splitter splitter{name, where};
  const LayerWays ways = ways_of(policy, machine);
  const std::uint64_t m = splitter.cut(gemm.m, "m", ways.data, remainder);
  const std::uint64_t n = splitter.cut(gemm.n, "n", ways.model, remainder);
  const std::uint64_t k = gemm.k;
  LayerSplit split;
  split.even = gemm.m % ways.data == 0 && gemm.n % ways.model == 0;
  split.forward.gemm = {m, n, k, 1};
  split.input_gradient.gemm = {m, k, n, 1};
  split.weight_gradient.gemm = {k, n, m, 1};
  const std::uint64_t element = machine.bytes_per_element;
  if (policy != TrainingPolicy::data) {
    split.forward.collective = CollectiveKind::all_gather;
    split.forward.size = splitter.bytes(gemm.m, gemm.n, element, machine.npus);
    split.input_gradient.collective = CollectiveKind::reduce_scatter;
    split.input_gradient.size = splitter.bytes(gemm.m, k, element, ways.data);
  }
  if (policy != TrainingPolicy::model) {
    split.weight_gradient.collective = CollectiveKind::all_reduce;
    split.weight_gradient.size = splitter.bytes(k, gemm.n, element, ways.model);
  }
  return split;
}

}  // namespace orrery::core
