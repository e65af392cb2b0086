// A neural network as one NPU sees it when several NPUs share it, by the strategies of layer_split.hpp for
// all kinds of layers. `batch` of the network is that of a data-parallel share: under data parallelism of an
// NPU, under model parallelism of the NPUs that share a layer. For a layer whose features are cut `model`
// ways:
//
//   product with weights     an NPU computes features / model of filters, columns or embeddings, holds as
//   much
//                            of the parameters, and of the groups of a convolution those of its filters
//   what follows it at once  norms, activation functions, dropout and pooling work on the NPU's features
//   forward                  the output of these is gathered: batch * features / model elements each
//   input gradient           every NPU has a partial sum of all of it, which is reduced and scattered
//   weight gradient          all-reduced among the NPUs that hold the same parameters, if there are others
//   everything else          (LRN, softmax, additions, concatenations, products without weights) is computed
//   in
//                            full by every NPU
//
// A division with a remainder counts as the largest share. Under hybrid_customized layers differ in `model`.
// The batch is then that of an NPU, and a layer that several NPUs share sees the batches of all of them.
//
// This is valid for networks that say nothing about parallelism themselves. A kept output counts in full in
// memory, as it is gathered.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "base/diagnostics/words.hpp"
#include "workload/astra1/layer_table.hpp"
#include "workload/generate/layer_split.hpp"
#include "workload/models/neural_network.hpp"

namespace orrery::core {

// The policies of a network as users write them. Under the last one, every layer has one of the others.
inline constexpr std::array<EnumName<TrainingPolicy>, 5> strategy_words{{
    {"data", TrainingPolicy::data},
    {"model", TrainingPolicy::model},
    {"hybrid-data-model", TrainingPolicy::hybrid_data_model},
    {"hybrid-model-data", TrainingPolicy::hybrid_model_data},
    {"hybrid-customized", TrainingPolicy::hybrid_customized},
}};

struct LayerStrategy {
  std::string layer;
  TrainingPolicy policy;  // a policy that splits a layer
  SourceLocation where;
};

// Reads CSV behind a header: `layer,strategy`. Blank lines are skipped. Throws InputError, also when a layer
// is named twice. `file` names the text in messages.
std::vector<LayerStrategy> read_layer_strategies(std::string_view text, const std::string& file,
                                                 Warnings& warnings);

struct NetworkStrategy {
  TrainingPolicy policy = TrainingPolicy::data;  // one of strategy_words
  // Used under hybrid_customized; layers that are not named have data.
  std::vector<LayerStrategy> layers = {};
  SplitMachine machine;
  SourceLocation where = {};  // place of the choice
};

// Splits the network. Throws InputError at a layer that has fewer features than NPUs to share them, at the
// choice when the network itself says how it is spread, and at a named layer that the network lacks. Warns of
// remainders.
NeuralNetwork split_network(NeuralNetwork network, const NetworkStrategy& strategy, Warnings& warnings);

// Returns the number of NPUs that hold the same parameters, for a network that is split or itself says how it
// is spread.
std::uint64_t data_parallel_npus(const NeuralNetwork& network, const SplitMachine& machine);

}  // namespace orrery::core
