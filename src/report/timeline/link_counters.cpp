#include "report/timeline/link_counters.hpp"

#include <fmt/format.h>

namespace orrery {

namespace {

using Unit = TimelineCounter::Unit;

// Returns a counter with a value for each interval, and none behind the last.
TimelineCounter counter_of(std::string name, Unit unit, Time interval, const auto& items,
                           const auto& value_of) {
  TimelineCounter counter{std::move(name), unit, {}};
  for (const auto& item : items)
    counter.values.emplace_back(interval * static_cast<std::int64_t>(counter.values.size()), value_of(item));
  counter.values.emplace_back(interval * static_cast<std::int64_t>(counter.values.size()), 0);
  return counter;
}

}  // namespace

void add_counters(const LinkHistory& history, TimelineSink& sink) {
  constexpr double percent = 100;
  if (!history.links.empty()) sink.begin({"links"});
  for (const LinkSeries& link : history.links) {
    const std::string name = fmt::format("{} to {}", link.from, link.to);
    const double most = history.interval.ns() * link.bytes_per_ns;
    sink.add(counter_of(name + ", use", Unit::percent, history.interval, link.bytes,
                        [&](double bytes) { return bytes / most * percent; }));
    if (!link.packets.empty())
      sink.add(counter_of(name + ", longest queue", Unit::bytes, history.interval, link.packets,
                          [](const PacketInterval& of) { return static_cast<double>(of.longest_queue); }));
  }
  if (!history.switches.empty()) sink.begin({"switches"});
  for (const SwitchSeries& of : history.switches)
    sink.add(counter_of(of.name + ", most held", Unit::bytes, history.interval, of.held,
                        [](const HeldInInterval& held) { return static_cast<double>(held.peak); }));
}

}  // namespace orrery
