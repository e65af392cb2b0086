// The keys of a `config.json` of Hugging Face's Transformers, each read with its place.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/node_reader.hpp"

namespace orrery {

// The members of a configuration. A null counts as not given.
class HuggingfaceKeys {
 public:
  explicit HuggingfaceKeys(const InputNode& root) : root_(root) { require_map(root, "the configuration"); }

  const InputNode* find(std::string_view key) const {
    const InputNode* value = root_.find(key);
    return value && value->kind != InputNode::Kind::null ? value : nullptr;
  }
  SourceLocation where(std::string_view key) const {
    const InputNode* value = find(key);
    return value ? value->where : root_.where;
  }
  std::uint64_t count(std::string_view key, int most, int least = 1) const {
    return static_cast<std::uint64_t>(int_of(required(root_, "the configuration", key), key, least, most));
  }
  std::uint64_t count_or(std::string_view key, int most, std::uint64_t otherwise, int least = 1) const {
    return find(key) ? count(key, most, least) : otherwise;
  }
  bool flag(std::string_view key, bool otherwise) const {
    const InputNode* value = find(key);
    return value ? bool_of(*value, key) : otherwise;
  }
  double share(std::string_view key) const {
    const InputNode* value = find(key);
    return value ? real_of(*value, key, 0, 1) : 0;
  }

 private:
  const InputNode& root_;
};

}  // namespace orrery
