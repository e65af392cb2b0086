#include "network/fluid/link_classes.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

namespace orrery::core {

std::uint32_t LinkClasses::add(std::vector<Link> links, FlowProgress::Order order) {
  constexpr Class no_class = std::numeric_limits<Class>::max();
  // The links of the flow, split by the class that they were in, their capacity and how often they are used.
  // Links that do not join are by themselves.
  std::map<std::tuple<Class, double, std::uint64_t, Link>, std::vector<Link>> parts;
  std::sort(links.begin(), links.end());
  for (auto link = links.begin(); link != links.end();) {
    const auto end = std::upper_bound(link, links.end(), *link);
    const auto found = class_of_.find(*link);
    parts[{found == class_of_.end() ? no_class : found->second, capacity_(*link),
           static_cast<std::uint64_t>(end - link), joins_ ? 0 : *link}]
        .push_back(*link);
    link = end;
  }
  std::vector<MaxMinRates::Use> uses;
  for (const auto& [key, members] : parts) {
    const auto& [before, capacity, times, apart] = key;
    Class now = before;
    if (before == no_class) {
      now = flows_.add_resource(capacity);
    } else if (members.size() < links_[before]) {
      now = flows_.split(before);
      links_[before] -= members.size();
    }
    if (now != before) {
      links_[now] = members.size();
      for (const Link link : members) class_of_[link] = now;
    }
    uses.push_back({now, static_cast<double>(times)});
  }
  return flows_.add_route(uses, order);
}

}  // namespace orrery::core
