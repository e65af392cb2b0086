// Knows what is known about the load of each link of a network.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "network/link_history.hpp"
#include "network/link_use.hpp"
#include "report/picture/network_picture.hpp"

namespace orrery::core {

class KnownLoads {
 public:
  // `end` is the end of the run. Keeps a reference to the history.
  KnownLoads(const std::vector<LinkUse>& uses, const LinkHistory& history, Time end);

  // Returns the loads by the names of the links' ends. Where links are not told apart, the load of all of
  // them is at the first one. Other links have carried nothing.
  const std::map<LinkEnds, PictureLoad>& by_ends() const { return loads_; }
  // Return whether it is not known which links carried what, in a dimension and in any dimension.
  bool is_unclear(int dimension) const { return unclear_.contains(dimension); }
  bool is_any_unclear() const { return !unclear_.empty(); }
  // Returns the load of each link of a dimension, which has `links` of them, where all loads are equal.
  // Otherwise returns null.
  const PictureLoad* of_each(int dimension, std::uint64_t links) const;
  // Returns the loads of all links of a dimension.
  PictureLoad of_dimension(int dimension) const;
  // Returns what links carry when, by the names of their ends.
  const std::map<LinkEnds, const LinkSeries*>& series() const { return series_; }
  Time interval() const { return history_.interval; }

 private:
  std::map<LinkEnds, PictureLoad> loads_;
  std::map<int, PictureLoad> by_dimension_;
  // By dimension: how many links are alike, and the load of each.
  std::map<int, std::vector<std::pair<std::uint64_t, PictureLoad>>> sets_;
  std::set<int> unclear_;
  std::map<LinkEnds, const LinkSeries*> series_;
  const LinkHistory& history_;
};

// Adds what the series say of a drawn link to the picture.
void add_moments(const std::vector<const LinkSeries*>& series, Time interval, std::size_t link,
                 NetworkPicture& picture);

}  // namespace orrery::core
