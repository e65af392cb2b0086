#include "network/link_meter.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "network/busiest_links.hpp"

namespace orrery::core {

void LinkMeter::add(LinkId link, double from_ns, double to_ns, double bytes_per_ns) {
  while (to_ns > interval_ns() * static_cast<double>(bytes_.max_intervals)) bytes_.double_interval();
  last_ns_ = std::max(last_ns_, to_ns);
  const double length = interval_ns();
  std::vector<double>& of = bytes_.all(link.index());
  for (auto i = static_cast<std::size_t>(from_ns / length); i < of.size(); ++i) {
    const double begin = static_cast<double>(i) * length;
    if (begin >= to_ns) return;
    of[i] += bytes_per_ns * std::max(0.0, std::min(to_ns, begin + length) - std::max(from_ns, begin));
  }
}

std::vector<double> LinkMeter::bytes(LinkId link) const {
  return bytes_.first(link.index(), static_cast<std::size_t>(std::ceil(last_ns_ / interval_ns())));
}

LinkHistory LinkMeter::history(const MeteredLinks& links) const {
  std::vector<BusyLink> busy;
  for (const LinkId link : first_ids<LinkId>(links_))
    if (const std::vector<double> carried = bytes(link); !carried.empty())
      busy.push_back({std::accumulate(carried.begin(), carried.end(), 0.0) / links.bytes_per_ns(link), link,
                      links.level(link)});
  LinkHistory history;
  history.interval = Time::from_ns_rounded(interval_ns());
  for (BusyLink& one : busiest_of_levels(std::move(busy))) {
    auto [from, to] = links.ends(one.link);
    history.links.push_back({std::move(from),
                             std::move(to),
                             std::move(one.level),
                             links.bytes_per_ns(one.link),
                             bytes(one.link),
                             {}});
  }
  return history;
}

}  // namespace orrery::core
