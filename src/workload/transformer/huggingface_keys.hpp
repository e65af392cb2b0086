// The keys of a `config.json` of Hugging Face's Transformers, each read with its place.
#pragma once

#include <cstdint>
#include <string_view>
#include <variant>

#include <fmt/format.h>

#include "base/located_json.hpp"

namespace orrery {

// The members of a configuration; null counts as not given.
class HuggingfaceKeys {
 public:
  explicit HuggingfaceKeys(const JsonValue& root) : root_(root) { root.as_object("the configuration"); }

  const JsonValue* find(std::string_view key) const {
    const JsonValue* value = root_.find(key);
    return value && !std::holds_alternative<std::monostate>(value->content()) ? value : nullptr;
  }
  SourceLocation where(std::string_view key) const {
    const JsonValue* value = find(key);
    return value ? value->where() : root_.where();
  }
  std::uint64_t count(std::string_view key, int most, int least = 1) const {
    const JsonValue* value = find(key);
    if (!value) throw InputError(root_.where(), fmt::format("the configuration has no `{}`, add it", key));
    const int number = value->as_int(key);
    if (number < least || number > most)
      throw InputError(value->where(),
                       fmt::format("`{}` has to be from {} to {}, not {}", key, least, most, number));
    return static_cast<std::uint64_t>(number);
  }
  std::uint64_t count_or(std::string_view key, int most, std::uint64_t otherwise, int least = 1) const {
    return find(key) ? count(key, most, least) : otherwise;
  }
  bool flag(std::string_view key, bool otherwise) const {
    const JsonValue* value = find(key);
    return value ? value->as_bool(key) : otherwise;
  }
  double share(std::string_view key) const {
    const JsonValue* value = find(key);
    if (!value) return 0;
    const double number = value->as_real(key);
    if (!(number >= 0 && number <= 1))
      throw InputError(value->where(), fmt::format("`{}` has to be from 0 to 1", key));
    return number;
  }

 private:
  const JsonValue& root_;
};

}  // namespace orrery
