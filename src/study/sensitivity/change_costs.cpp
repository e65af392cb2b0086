#include "study/sensitivity/change_costs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace orrery::core {

namespace {

constexpr double largest_cost = 1e15;

constexpr Key<ChangeCost> cost_keys[] = {
    key::real<&ChangeCost::fixed>("fixed", 0, largest_cost, "0", "cost that does not depend on the factor"),
    key::real<&ChangeCost::per_doubling>(
        "per-doubling", 0, largest_cost, "0",
        "cost of twice the bandwidth, half the time and so on; in between, it grows with the binary "
        "logarithm of the factor. Another word counts as one doubling"),
    key::real<&ChangeCost::each>(
        "each", 0, largest_cost, "0",
        "cost of one more, or of one less where less is better; for whole numbers only"),
};

ChangeCost read_cost(const InputNode& node) {
  ChangeCost cost;
  if (node.kind == InputNode::Kind::scalar)
    cost.per_doubling = real_of(node, "the cost of a doubling", 0, largest_cost);
  else
    read_map(node, "a cost", cost_keys, cost);
  return cost;
}

struct Number {
  double value = 0;
  std::string_view unit;
};
std::optional<Number> leading_number(std::string_view text) {
  Number number;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number.value);
  if (read.ec != std::errc()) return std::nullopt;
  number.unit = text.substr(static_cast<std::size_t>(read.ptr - text.data()));
  return number;
}

}  // namespace

ChangeCosts::ChangeCosts(const InputNode& map) {
  require_map(map, "costs");
  for (std::size_t i = 0; i < map.items.size(); ++i)
    entries_.push_back({map.names[i].text, map.names[i].where, read_cost(map.items[i])});
  if (entries_.empty())
    throw InputError(map.where,
                     "has no costs: give a parameter's name and a cost, such as "
                     "`network.*.bandwidth: 2`");
}

std::optional<double> ChangeCosts::of(std::string_view key, const std::string& from,
                                      const std::string& to) const {
  const auto entry =
      std::ranges::find_if(entries_, [&](const Entry& one) { return fits_pattern(one.pattern, key); });
  if (entry == entries_.end()) return std::nullopt;
  const ChangeCost& cost = entry->cost;
  const std::optional<Number> old = leading_number(from), better = leading_number(to);
  const bool has_factor = old && better && old->unit == better->unit && old->value > 0 && better->value > 0;
  if (cost.each > 0 && !(has_factor && old->unit.empty()))
    throw InputError(entry->where,
                     fmt::format("`each` is a cost of whole numbers, but {} is {}: give `per-doubling` or "
                                 "`fixed`",
                                 backquoted(key), backquoted(from)));
  if (from == to) return 0;
  const double doublings = has_factor ? std::abs(std::log2(better->value / old->value)) : 1;
  const double more = has_factor ? std::abs(better->value - old->value) : 0;
  return cost.fixed + cost.per_doubling * doublings + cost.each * more;
}

void ChangeCosts::warn_of_unused(const std::vector<std::string_view>& keys, Warnings& warnings) const {
  for (const Entry& entry : entries_) {
    const auto fits = [&](std::string_view key) { return fits_pattern(entry.pattern, key); };
    if (std::ranges::none_of(keys, fits))
      warnings.add(entry.where, fmt::format("the run has no parameter {}", backquoted(entry.pattern)));
  }
}

bool fits_pattern(std::string_view pattern, std::string_view text) {
  std::size_t star = std::string_view::npos, tried = 0, p = 0, t = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      tried = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p, ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++tried;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

std::vector<KeyPath> change_cost_keys() {
  return key_paths("", cost_keys);
}

}  // namespace orrery::core
