// Sums up the links of a machine, of which there can be millions, as few sets of equal links.
#pragma once

#include <map>
#include <vector>

#include "network/link/link_map.hpp"
#include "network/link_use.hpp"

namespace orrery::core {

class LinkSets {
 public:
  // Keeps a reference.
  explicit LinkSets(const LinkMap& map) : map_(map), latest_(sets_.end()) {}

  // Returns whether each link is worth adding by itself.
  static bool lists_each(const LinkMap& map) { return map.size() <= max_listed_links; }

  // Adds `count` links that have carried this load each. `first` is the link with the lowest number.
  void add(Link first, std::uint64_t count, const LinkLoad& load, Time busy);

  // Returns a set for each dimension and load. The busiest set comes first, and of equally busy ones that
  // with the lowest number.
  std::vector<LinkUse> busiest_first() const;

 private:
  struct Key {
    int dimension;
    Time busy;
    LinkLoad load;
    auto operator<=>(const Key&) const = default;
  };
  struct Set {
    Link first;
    std::uint64_t links;
    std::vector<Link> all;  // fewer than `links` where it is not known which links these are
  };

  LinkUse use_of(const Key& key, const Set& set) const;

  const LinkMap& map_;
  std::map<Key, Set> sets_;
  std::map<Key, Set>::iterator latest_;
};

}  // namespace orrery::core
