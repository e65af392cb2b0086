#include "network/link_meter.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

namespace orrery {

namespace {

struct BusyLink {
  double ns;  // time for which it would be busy at its full bandwidth
  std::uint32_t link;
  std::size_t place = 0;  // among those of its dimension, from the busiest on
};

}  // namespace

void LinkMeter::add(std::uint32_t link, double from_ns, double to_ns, double bytes_per_ns) {
  while (to_ns > interval_ns() * static_cast<double>(bytes_.most_intervals)) bytes_.double_interval();
  last_ns_ = std::max(last_ns_, to_ns);
  const double length = interval_ns();
  std::vector<double>& of = bytes_.all(link);
  for (auto i = static_cast<std::size_t>(from_ns / length); i < of.size(); ++i) {
    const double begin = static_cast<double>(i) * length;
    if (begin >= to_ns) return;
    of[i] += bytes_per_ns * std::max(0.0, std::min(to_ns, begin + length) - std::max(from_ns, begin));
  }
}

std::vector<double> LinkMeter::bytes(std::uint32_t link) const {
  return bytes_.first(link, static_cast<std::size_t>(std::ceil(last_ns_ / interval_ns())));
}

LinkHistory LinkMeter::history(const MeteredLinks& links) const {
  constexpr std::size_t most_listed = 64;
  std::vector<BusyLink> busy;
  for (std::uint32_t link = 0; link < links_; ++link)
    if (const std::vector<double> carried = bytes(link); !carried.empty())
      busy.push_back({std::accumulate(carried.begin(), carried.end(), 0.0) / links.bytes_per_ns(link), link});
  std::ranges::stable_sort(busy, std::greater(), &BusyLink::ns);
  std::map<int, std::size_t> places;
  for (BusyLink& one : busy) one.place = places[links.dimension(one.link)]++;
  std::ranges::stable_sort(busy, {}, &BusyLink::place);
  busy.resize(std::min(busy.size(), most_listed));
  std::ranges::stable_sort(busy, std::greater(), &BusyLink::ns);
  LinkHistory history;
  history.interval = Time::from_ns_rounded(interval_ns());
  for (const BusyLink& one : busy) {
    auto [from, to] = links.ends(one.link);
    history.links.push_back(
        {std::move(from), std::move(to), links.bytes_per_ns(one.link), bytes(one.link), {}});
  }
  return history;
}

}  // namespace orrery
