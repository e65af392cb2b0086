// The keys of a `config.json` of Hugging Face's Transformers, each read with its place.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/input/node_reader.hpp"

namespace orrery::core {

// The members of a configuration, or of a map in it. A null counts as not given. Of keys that are not given,
// the values that the library takes instead are remembered.
class HuggingfaceKeys {
 public:
  explicit HuggingfaceKeys(const InputNode& root) : root_(root) { require_map(root, "the configuration"); }

  const InputNode* find(std::string_view key) const {
    const InputNode* value = root_.find(key);
    return value && value->kind != InputNode::Kind::null ? value : nullptr;
  }
  // Returns whether a key stands there, even if it is null.
  bool has(std::string_view key) const { return root_.find(key) != nullptr; }
  SourceLocation where(std::string_view key) const {
    const InputNode* value = find(key);
    return value ? value->where : root_.where;
  }
  const std::vector<InputName>& names() const { return root_.names; }
  // Reads a key that has no usual value.
  std::uint64_t count(std::string_view key, int most, int least = 1) const {
    return static_cast<std::uint64_t>(int_of(required(root_, "the configuration", key), key, least, most));
  }
  // Reads a key of which the library has a usual value. What is not given is remembered; 0: there is none.
  std::uint64_t size(std::string_view key, int most, std::uint64_t usual) {
    if (find(key) || usual == 0) return count(key, most);
    missing_.push_back({std::string(key), usual});
    return usual;
  }
  // Reads a key that follows from others, or that changes little, where it is not given.
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

  struct Missing {
    std::string key;
    std::uint64_t usual;
  };
  const std::vector<Missing>& missing() const { return missing_; }
  void add_missing(const std::vector<Missing>& of_inner) {
    missing_.insert(missing_.end(), of_inner.begin(), of_inner.end());
  }

 private:
  const InputNode& root_;
  std::vector<Missing> missing_;
};

}  // namespace orrery::core
