#include "network/fluid/link_classes.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

namespace orrery {

LinkClasses::Class LinkClasses::new_class(std::uint64_t links, double capacity) {
  links_.push_back(links);
  capacities_.push_back(capacity);
  return static_cast<Class>(links_.size() - 1);
}

std::uint32_t LinkClasses::add(std::vector<Link> links) {
  constexpr Class none = std::numeric_limits<Class>::max();
  // The links of the flow, parted by the class that they were in, their dimension and how often they are
  // used.
  std::map<std::tuple<Class, int, std::uint64_t>, std::vector<Link>> parts;
  std::sort(links.begin(), links.end());
  for (auto link = links.begin(); link != links.end();) {
    const auto end = std::upper_bound(link, links.end(), *link);
    const auto found = class_of_.find(*link);
    parts[{found == class_of_.end() ? none : found->second, map_.dimension(*link),
           static_cast<std::uint64_t>(end - link)}]
        .push_back(*link);
    link = end;
  }
  std::vector<ResourceUse> uses;
  for (const auto& [key, members] : parts) {
    const auto& [before, dimension, times] = key;
    Class now = before;
    if (before == none || members.size() < links_[before]) {
      now = new_class(members.size(), bytes_per_ns_[static_cast<std::size_t>(dimension)]);
      for (const Link link : members) class_of_[link] = now;
    }
    if (before != none && now != before) {
      links_[before] -= members.size();
      for (std::vector<ResourceUse>& others : uses_) {
        const auto use = std::ranges::find(others, before, &ResourceUse::resource);
        if (use != others.end()) others.push_back({now, use->weight});
      }
    }
    uses.push_back({now, static_cast<double>(times)});
  }
  uses_.push_back(std::move(uses));
  return static_cast<std::uint32_t>(uses_.size() - 1);
}

}  // namespace orrery
