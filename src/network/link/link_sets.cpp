#include "network/link/link_sets.hpp"

#include <algorithm>
#include <tuple>

namespace orrery {

void LinkSets::add(Link first, std::uint64_t count, const LinkLoad& load, Time busy) {
  const Key key{map_.dimension(first), busy, load};
  if (latest_ == sets_.end() || latest_->first != key) latest_ = sets_.try_emplace(key, Set{first, 0}).first;
  Set& set = latest_->second;
  set.first = std::min(set.first, first);
  set.links += count;
}

std::vector<LinkUse> LinkSets::busiest_first() const {
  std::vector<const std::pair<const Key, Set>*> order;
  for (const auto& set : sets_) order.push_back(&set);
  std::sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
    return std::tie(b->first.busy, a->second.first) < std::tie(a->first.busy, b->second.first);
  });
  std::vector<LinkUse> uses;
  uses.reserve(order.size());
  for (const auto* set : order) {
    auto [from, to] = map_.ends(set->second.first);
    uses.push_back({std::move(from), std::move(to), set->first.dimension, set->second.links, set->first.load,
                    set->first.busy});
  }
  return uses;
}

}  // namespace orrery
