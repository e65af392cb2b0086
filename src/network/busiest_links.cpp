#include "network/busiest_links.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>
#include <utility>

namespace orrery::core {

std::vector<BusyLink> busiest_of_levels(std::vector<BusyLink> links) {
  std::ranges::stable_sort(links, std::greater(), &BusyLink::busy);
  std::map<std::string_view, std::size_t> of_level;           // links of the level that came before
  std::vector<std::pair<std::size_t, std::size_t>> by_place;  // place in the level and among all links
  for (std::size_t i = 0; i < links.size(); ++i) by_place.emplace_back(of_level[links[i].level]++, i);
  std::ranges::sort(by_place);
  by_place.resize(std::min(by_place.size(), max_in_history));
  std::ranges::sort(by_place, {}, &std::pair<std::size_t, std::size_t>::second);
  std::vector<BusyLink> chosen;
  for (const auto& [place, i] : by_place) chosen.push_back(std::move(links[i]));
  return chosen;
}

}  // namespace orrery::core
