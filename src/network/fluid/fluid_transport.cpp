#include "network/fluid/fluid_transport.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "network/link/link_loads.hpp"

namespace orrery {
namespace {

constexpr double ps_per_ns = 1000;

std::vector<double> speeds_by_dimension(const LinkSpeeds& speeds, std::size_t dimensions) {
  std::vector<double> of_links;
  for (std::size_t d = 0; d < dimensions; ++d) of_links.push_back(speeds.bytes_per_ns(d));
  return of_links;
}

}  // namespace

FluidTransport::FluidTransport(const Topology& topology, const Dialect& dialect, EventLoop& loop,
                               const std::vector<std::vector<std::uint32_t>>& in_step)
    : network_(topology, dialect),
      loop_(loop),
      handler_(loop.add_handler(*this)),
      map_(topology, dialect.one_link_per_message),
      speeds_(topology, dialect),
      classes_(map_, speeds_by_dimension(speeds_, map_.dimensions())),
      in_step_(in_step) {
  for (std::size_t group = 0; group < in_step_.size(); ++group) group_of_[in_step_[group].at(0)] = group;
}

std::uint32_t FluidTransport::way_of(int source, int destination) {
  const auto [found, is_new] =
      number_of_way_.try_emplace({source, destination}, static_cast<std::uint32_t>(ways_.size()));
  if (!is_new) return found->second;
  Way way{};
  const auto from = group_of_.find(static_cast<std::uint32_t>(source));
  const auto to = group_of_.find(static_cast<std::uint32_t>(destination));
  if (from == group_of_.end() || to == group_of_.end()) {
    way.ends.emplace_back(source, destination);
  } else {
    const std::vector<std::uint32_t>&senders = in_step_[from->second], &receivers = in_step_[to->second];
    for (std::size_t i = 0; i < std::min(senders.size(), receivers.size()); ++i)
      way.ends.emplace_back(static_cast<int>(senders[i]), static_cast<int>(receivers[i]));
  }
  std::vector<Link> links;
  for (const auto& [sender, receiver] : way.ends) {
    Course course = map_.course(sender, receiver);
    do links.push_back(map_.next_link(course));
    while (map_.advance(course));
  }
  way.flow = classes_.add(std::move(links));
  way.most = speeds_.bytes_per_ns(static_cast<std::size_t>(network_.carrying_dimension(source, destination)));
  ways_.push_back(std::move(way));
  return found->second;
}

void FluidTransport::send(int source, int destination, Bytes bytes, const Event& delivered) {
  assert(source != destination && "the caller rejects such messages");
  const std::uint32_t way = way_of(source, destination);
  ways_[way].load += {bytes, 1};
  const Stamp alone = network_.duration(source, destination, bytes);
  const double bytes_ps = bytes.as_double() / ways_[way].most * ps_per_ns;
  const Stamp after_last_byte = std::max<Stamp>(0, alone - std::llround(bytes_ps));
  flow_until_now();
  flowing_.push_back({way, bytes.as_double(), 0, loop_.now(), alone, after_last_byte, false, delivered});
  settle_soon();
}

// Lets all messages that begin or end in one instant change the rates only once.
void FluidTransport::settle_soon() {
  if (settling_) return;
  settling_ = true;
  loop_.at_end_of_instant(Event{handler_, settles, 0, 0, 0});
}

void FluidTransport::handle(const Event& event) {
  if (event.what == drains) {
    if (event.object == sharing_) settle_soon();
    return;
  }
  settling_ = false;
  flow_until_now();
  deliver_drained();
  share();
}

void FluidTransport::flow_until_now() {
  const double ns = static_cast<double>(loop_.now() - until_) / ps_per_ns;
  if (ns > 0)
    for (Message& message : flowing_) message.left -= message.rate * ns;
  until_ = loop_.now();
}

// Messages drain at times that are no whole picoseconds; one that would within half of one has.
void FluidTransport::deliver_drained() {
  std::erase_if(flowing_, [&](const Message& message) {
    if (message.left > message.rate * (0.5 / ps_per_ns)) return false;
    const Clock& clock = loop_.clock();
    const Stamp at = message.slowed ? clock.add(loop_.now(), message.after_last_byte)
                                    : clock.add(message.sent, message.alone);
    loop_.at(std::max(loop_.now(), at), message.delivered);
    return true;
  });
}

void FluidTransport::share() {
  ++sharing_;
  if (flowing_.empty()) return;
  std::vector<FairFlow> flows;
  flows.reserve(flowing_.size());
  for (const Message& message : flowing_)
    flows.push_back({ways_[message.way].most, classes_.uses(ways_[message.way].flow)});
  const std::vector<double> rates = fair_rates(classes_.capacities(), flows);
  double soonest_ps = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < flowing_.size(); ++i) {
    flowing_[i].rate = rates[i];
    flowing_[i].slowed |= rates[i] < flows[i].most;
    soonest_ps = std::min(soonest_ps, flowing_[i].left / rates[i] * ps_per_ns);
  }
  const auto span = static_cast<Stamp>(std::llround(std::max(soonest_ps, 1.0)));
  loop_.after(span, Event{handler_, drains, 0, sharing_, 0});
}

std::vector<LinkUse> FluidTransport::links(Time) const {
  LinkLoads loads(map_);
  for (const Way& way : ways_)
    for (const auto& [sender, receiver] : way.ends) loads.add(sender, receiver, way.load);
  loads.settle();
  return loads.uses(speeds_);
}

}  // namespace orrery
