// One layer of a model file, with typed access to its keys, in which numbers are expressions.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/input/node_reader.hpp"
#include "workload/models/expression.hpp"
#include "workload/models/neural_network.hpp"

namespace orrery::core {

class LayerText {
 public:
  LayerText(const InputNode& node, const Parameters& parameters) : node_(node), parameters_(parameters) {}

  struct Pair {  // along height and width
    std::uint64_t height, width;
  };

  const SourceLocation& where() const { return node_.where; }
  std::uint64_t batch() const { return parameters_.find("batch")->second; }

  const InputNode* find(std::string_view key) const { return node_.find(key); }
  // Returns the number at a key, which has to be there. The value is at least 1.
  std::uint64_t number(std::string_view key) const {
    return count_of(required(node_, "this layer", key), key, 1);
  }
  std::uint64_t number(std::string_view key, std::uint64_t fallback) const {
    const InputNode* value = node_.find(key);
    return value ? count_of(*value, key, 1) : fallback;
  }
  // Returns two values: one number stands for both, or there is a list of two.
  Pair pair(std::string_view key, Pair fallback, std::uint64_t least = 1) const {
    const InputNode* value = node_.find(key);
    if (!value) return fallback;
    if (value->kind != InputNode::Kind::list) {
      const std::uint64_t both = count_of(*value, key, least);
      return {both, both};
    }
    if (value->items.size() != 2) reject_value(*value, key, "a number or a list of two");
    return {count_of(value->items[0], key, least), count_of(value->items[1], key, least)};
  }
  bool flag(std::string_view key, bool fallback) const {
    const InputNode* value = node_.find(key);
    return value ? bool_of(*value, key) : fallback;
  }

  std::uint64_t count_of(const InputNode& value, std::string_view key, std::uint64_t least) const {
    const std::uint64_t count = value_of_expression(value, key, parameters_);
    if (count < least) reject_value(value, key, "at least " + std::to_string(least));
    return count;
  }

  const InputNode& node() const { return node_; }
  const Parameters& parameters() const { return parameters_; }

 private:
  const InputNode& node_;
  const Parameters& parameters_;
};

// Returns the product of numbers from a file. Throws at the layer when it is above largest_count.
inline std::uint64_t checked_product(const LayerText& text, std::initializer_list<std::uint64_t> factors,
                                     std::string_view what) {
  return checked_product(factors, what, text.where());
}

}  // namespace orrery::core
