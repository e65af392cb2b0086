#include "network/link/link_sets.hpp"

#include <algorithm>
#include <tuple>

namespace orrery::core {

void LinkSets::add(Link first, std::uint64_t count, const LinkLoad& load, Time busy) {
  const Key key{map_.dimension(first), busy, load};
  if (latest_ == sets_.end() || latest_->first != key)
    latest_ = sets_.try_emplace(key, Set{first, 0, {}}).first;
  Set& set = latest_->second;
  set.first = std::min(set.first, first);
  set.links += count;
  if (count == 1 && lists_each(map_)) set.all.push_back(first);
}

LinkUse LinkSets::use_of(const Key& key, const Set& set) const {
  auto [from, to] = map_.ends(set.first);
  LinkUse use{std::move(from), std::move(to), key.dimension, set.links, key.load, key.busy};
  if (set.links == 1 || set.all.size() != set.links) return use;
  for (const Link link : set.all) {
    LinkMap::Ends ends = map_.ends(link);
    use.listed.emplace_back(std::move(ends.from), std::move(ends.to));
  }
  return use;
}

std::vector<LinkUse> LinkSets::busiest_first() const {
  std::vector<const std::pair<const Key, Set>*> order;
  for (const auto& set : sets_) order.push_back(&set);
  std::sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
    return std::tie(b->first.busy, a->second.first) < std::tie(a->first.busy, b->second.first);
  });
  std::vector<LinkUse> uses;
  uses.reserve(order.size());
  for (const auto* set : order) uses.push_back(use_of(set->first, set->second));
  return uses;
}

}  // namespace orrery::core
