#include "study/sensitivity/improvement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/text/quantity.hpp"

namespace orrery::core {

namespace {

// Returns which direction is better, according to the quantity's unit. There is no such direction for sizes
// and for values that are no quantity.
Better route_of_unit(const std::string& value) {
  if (bandwidth_in(value) || flops_in(value) || frequency_in(value)) return Better::more;
  return time_in(value) ? Better::less : Better::never;
}

bool is_number_type(KeyType type) {
  return type == KeyType::integer || type == KeyType::real || type == KeyType::share;
}

// Returns whether other words may stand in place of the value, instead of more or less of it.
bool is_word_at(const KeyFacts& key, const std::string& value) {
  if (key.type == KeyType::word || key.type == KeyType::boolean) return true;
  if (key.type != KeyType::other && key.type != KeyType::text) return false;
  return !bytes_in(value) && route_of_unit(value) == Better::never;
}

Better route_of(const std::string& value, const KeyFacts* key) {
  if (!key) return route_of_unit(value);
  if (key->better != Better::as_unit) return key->better;
  return key->type == KeyType::share ? Better::more : route_of_unit(value);
}

// Returns the words that may stand at a key. If there are none, returns those that its declaration says to
// try.
std::vector<std::string> words_at(const KeyFacts& key) {
  std::vector<std::string> words;
  if (key.type == KeyType::boolean) return {"true", "false"};
  if (key.words) {
    for (const std::string_view word : key.words()) words.emplace_back(word);
    return words;
  }
  for (std::string_view rest = key.sample; !rest.empty();) {
    const std::size_t end = std::min(rest.find('|'), rest.size());
    words.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return words;
}

}  // namespace

std::vector<Improvement> Improvement::of(const std::string& value, const KeyFacts* key) {
  const Better route = route_of(value, key);
  std::vector<Improvement> routes;
  if (route == Better::never) return routes;
  if (route == Better::either && is_word_at(*key, value)) {
    for (const std::string& word : words_at(*key))
      if (word != value) routes.emplace_back().word_ = word;
    return routes;
  }
  Improvement scaled;
  const char* const end = value.data() + value.size();
  const auto number = std::from_chars(value.data(), end, scaled.number_);
  if (number.ec != std::errc() || scaled.number_ <= 0) return routes;
  scaled.unit_ = std::string(number.ptr, end);
  if (key && is_number_type(key->type)) {
    if (!scaled.unit_.empty()) return routes;  // a default that depends on others, such as "16; 7 of ..."
    scaled.whole_ = key->type == KeyType::integer;
    scaled.min_ = key->least;
    scaled.largest_ = key->largest;
  }
  for (const Better one : {Better::more, Better::less}) {
    if (route != one && route != Better::either) continue;
    scaled.more_ = one == Better::more;
    routes.push_back(scaled);
  }
  return routes;
}

std::optional<std::string> Improvement::at(double factor) const {
  if (is_word()) return word_;
  double value = more_ ? number_ * factor : number_ / factor;
  if (whole_ && more_) value = std::max(number_ + 1, std::round(value));
  if (whole_ && !more_) value = std::min(number_ - 1, std::floor(value));
  if (largest_ > min_) value = std::clamp(value, min_, largest_);
  if (value == number_) return std::nullopt;
  return whole_ ? fmt::format("{:.0f}", value) : fmt::format("{:.9g}{}", value, unit_);
}

}  // namespace orrery::core
