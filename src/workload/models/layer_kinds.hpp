// The kinds of layers a model file may hold: their words, keys, shapes and work.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "workload/models/layer_text.hpp"
#include "workload/models/neural_network.hpp"

namespace orrery::core {

struct LayerWord {
  std::string_view word;  // the key that says the kind; its value is the kind's main number
  std::span<const std::string_view> keys;
  // Makes the layer's shapes, work and parameters. The reader adds its name and what follows it.
  NetworkLayer (*make)(const LayerText& text, const TensorShape& input);
  bool takes_input = true;
};

// Returns the words of all kinds. Any of them can stand in a list of layers.
std::span<const LayerWord> layer_words();

// The following functions make layers that follow another one and keep its shape.
NetworkLayer batch_norm_after(const TensorShape& input, std::uint64_t batch, const SourceLocation& where);
NetworkLayer relu_after(const TensorShape& input, std::uint64_t batch, const SourceLocation& where);

// Returns the layer that joins branches. Throws InputError at `where` when their shapes do not match.
NetworkLayer addition_of(std::span<const TensorShape> branches, std::uint64_t batch,
                         const SourceLocation& where);
NetworkLayer concatenation_of(std::span<const TensorShape> branches, std::uint64_t batch,
                              const SourceLocation& where);

}  // namespace orrery::core
