#include "topology/channels/channel_search.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace orrery::core {

ChannelSearch::ChannelSearch(const HostPaths& paths)
    : paths_(paths), host_(paths.host()), nvlink_switch_(host_.has_nvlink_switch()) {
  for (const HostGraph::Link& link : host_.links) room_.push_back(link.rate);
  for (std::uint32_t port = 0; port < host_.ports; ++port)
    port_room_.push_back(host_.links[host_.nodes[host_.port(port)].links[0]].rate);
}

ChannelSearch::Outcome ChannelSearch::improve(const HostChannels& trial, ChannelCounts counts, int steps,
                                              HostChannels& best) {
  trial_ = trial;
  trial_.channels.clear();
  trial_.hops = 0;
  best_ = &best;
  counts_ = counts;
  steps_ = steps;
  max_ = false;
  next_channel();
  return {max_, steps_};
}

void ChannelSearch::next_channel() {
  trial_.channels.emplace_back();
  if (host_.ports > 0)
    start_at_ports();
  else
    start_at_gpus();
  trial_.channels.pop_back();
}

void ChannelSearch::start_at_gpus() {
  if (number() == 0)
    try_gpu(none, 0, 0, none, Order::by_number);
  else
    try_gpu(none, trial_.channels[number() - 1].order[0], 0, none, Order::repeated);
  if (trial_.same && number() > 0) return;
  for (std::uint32_t gpu = 0; gpu < gpus(); ++gpu) try_gpu(none, gpu, 0, none, Order::free);
}

// Channel c starts at port c of the list.
void ChannelSearch::start_at_ports() {
  const std::vector<std::uint32_t> ports = ports_for(0, gpus());
  constexpr Rate whole = 1000;  // a port has room for rates in whole GB/s
  const Rate rate = trial_.rate_outside / whole * whole;
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const std::uint32_t port = ports[(number() + i) % ports.size()];
    if (trial_.cross_nic == 2 && number() % 2 == 1 && port != trial_.channels[number() - 1].exit) continue;
    if (port_room_[port] < rate) continue;
    port_room_[port] -= rate;
    channel().entry = port;
    enter_by(port);
    port_room_[port] += rate;
  }
}

void ChannelSearch::enter_by(std::uint32_t port) {
  const std::uint32_t from = host_.port(port);
  const std::uint32_t to_port = trial_.pattern == ChannelPattern::ring ? gpus() - 1 : 0;
  if (number() > 0) {
    try_gpu(from, trial_.channels[number() - 1].order[0], 0, to_port, Order::repeated);
    if (trial_.same) return;
  } else if (!nvlink_switch_) {  // with steps of its own
    constexpr int few = 1 << 10;
    const int others = std::exchange(steps_, few);
    try_gpu(from, 0, 0, to_port, Order::by_number);
    steps_ = max_ ? 0 : others;
  }
  if (const auto gpu = paths_.gpu_of(port)) try_gpu(from, *gpu, 0, to_port, Order::free);
  for (const std::uint32_t gpu : paths_.near_gpus(port)) try_gpu(from, gpu, 0, to_port, Order::free);
}

void ChannelSearch::try_gpu(std::uint32_t from, std::uint32_t gpu, std::uint32_t step, std::uint32_t to_port,
                            Order order) {
  const Rate rate = from == none ? 0 : rate_between(from, gpu);
  if (from != none && !take(from, gpu, rate)) return;
  if (std::ranges::find(channel().order, gpu) == channel().order.end()) {
    channel().order.push_back(gpu);
    at_gpu(step, to_port, order);
    channel().order.pop_back();
  }
  if (from != none) give_back(from, gpu, rate);
}

void ChannelSearch::at_gpu(std::uint32_t step, std::uint32_t to_port, Order order) {
  if (steps_ <= 0) return;
  --steps_;
  const std::uint32_t gpu = channel().order.back();
  if (step == to_port) {
    leave_by_ports(step, order);
  } else if (step + 1 < gpus()) {
    for (const std::uint32_t next : next_gpus(step, to_port, order))
      try_gpu(gpu, next, step + 1, to_port, order);
  } else if (trial_.pattern == ChannelPattern::ring && host_.ports == 0) {
    close_ring();
  } else {
    complete();
  }
}

bool ChannelSearch::may_leave_by(std::uint32_t port, std::uint32_t step) {
  const std::uint32_t entry = channel().entry;
  if (trial_.pattern == ChannelPattern::tree && port != entry) return false;
  if (trial_.pattern == ChannelPattern::balanced_tree && step > 0 && port != channel().exit) return false;
  if (trial_.pattern == ChannelPattern::ring && trial_.cross_nic == 2)
    return number() % 2 == 0 || port == trial_.channels[number() - 1].entry;
  return trial_.cross_nic != 0 || port == entry;
}

void ChannelSearch::leave_by_ports(std::uint32_t step, Order order) {
  const std::uint32_t gpu = channel().order.back();
  const bool balanced = trial_.pattern == ChannelPattern::balanced_tree;
  const Rate rate = trial_.rate_outside / (balanced ? 2 : 1);
  const std::uint32_t exit = channel().exit;
  for (const std::uint32_t port : ports_for(gpu, gpu + 1)) {
    if (!may_leave_by(port, step) || !take(gpu, host_.port(port), rate)) continue;
    channel().exit = port;
    at_gpu(step, balanced && step == 0 && gpus() > 1 ? 1 : none, order);
    channel().exit = exit;
    give_back(gpu, host_.port(port), rate);
  }
}

void ChannelSearch::close_ring() {
  const std::uint32_t first = channel().order.front(), last = channel().order.back();
  if (first == last) return complete();
  if (!take(last, first, trial_.rate_inside)) return;
  complete();
  give_back(last, first, trial_.rate_inside);
}

void ChannelSearch::complete() {
  const std::size_t count = trial_.channels.size();
  if (is_better()) {
    *best_ = trial_;
    if (count == counts_.most) {
      max_ = true;
      steps_ = 0;
      return;
    }
  }
  if (count < counts_.most) next_channel();
}

bool ChannelSearch::is_better() const {
  if (trial_.channels.size() < counts_.least) return false;
  if (trial_.total() != best_->total()) return trial_.total() > best_->total();
  return trial_.pattern == best_->pattern && trial_.cross_nic == best_->cross_nic &&
         trial_.hops < best_->hops;
}

std::vector<std::uint32_t> ChannelSearch::next_gpus(std::uint32_t step, std::uint32_t to_port,
                                                    Order order) const {
  const HostChannel& channel = trial_.channels.back();
  if (order == Order::by_number) return {step + 1};
  if (order == Order::repeated) return {trial_.channels[trial_.channels.size() - 2].order[step + 1]};
  const std::uint32_t gpu = channel.order.back();
  const auto distance = [&](std::uint32_t next) { return (next + gpus() - gpu) % gpus(); };
  const bool leads_to_port = to_port == step + 1;
  const auto key = [&](std::uint32_t next) {
    const HostPath& between = paths_.path(gpu, next);
    std::tuple<Rate, std::size_t> out{0, 0};
    if (leads_to_port) {
      const HostPath& path = paths_.path(next, host_.port(channel.entry));
      out = {-path.rate, path.links.size()};
    }
    return std::tuple(out, -between.rate, between.links.size(), distance(next));
  };
  std::vector<std::uint32_t> next;
  for (std::uint32_t other = 0; other < gpus(); ++other)
    if (std::ranges::find(channel.order, other) == channel.order.end() && paths_.path(gpu, other).rate > 0)
      next.push_back(other);
  std::ranges::sort(next, {}, key);
  return nvlink_switch_ ? neighbours_first(next, gpu) : next;
}

// Behind an NVLink switch all GPUs are equally near, so only the GPUs with the next numbers are tried.
std::vector<std::uint32_t> ChannelSearch::neighbours_first(const std::vector<std::uint32_t>& next,
                                                           std::uint32_t gpu) const {
  const std::uint32_t before = (gpu + gpus() - 1) % gpus(), after = (gpu + 1) % gpus();
  std::vector<std::uint32_t> wanted{after};
  if (trial_.pattern == ChannelPattern::ring) wanted = {before, after};
  if (trial_.pattern == ChannelPattern::balanced_tree) wanted = {after, before};
  if (before == after) wanted.resize(1);
  std::erase_if(wanted, [&](std::uint32_t other) { return std::ranges::find(next, other) == next.end(); });
  return wanted;
}

// The ports that GPUs use come first, then the others from near to far.
std::vector<std::uint32_t> ChannelSearch::ports_for(std::uint32_t first_gpu, std::uint32_t last_gpu) const {
  std::vector<std::uint32_t> ports;
  const auto append = [&](std::uint32_t port) {
    if (std::ranges::find(ports, port) == ports.end()) ports.push_back(port);
  };
  for (std::uint32_t gpu = first_gpu; gpu < last_gpu; ++gpu)
    for (std::uint32_t channel = 0; channel < host_.ports; ++channel)
      if (const auto port = paths_.port_of(gpu, channel)) append(*port);
  for (auto type = PathType::loc; type <= trial_.outside; type = static_cast<PathType>(int(type) + 1))
    for (std::uint32_t gpu = first_gpu; gpu < last_gpu; ++gpu)
      for (std::uint32_t port = 0; port < host_.ports; ++port)
        if (paths_.path(gpu, host_.port(port)).type == type) append(port);
  return ports;
}

Rate ChannelSearch::rate_between(std::uint32_t from, std::uint32_t to) const {
  return from < gpus() && to < gpus() ? trial_.rate_inside : trial_.rate_outside;
}

// GPUs before Ampere answer data that come from a NIC with an eighth of them.
Rate ChannelSearch::back_traffic(std::uint32_t from, const HostGraph::Link& link, Rate rate) const {
  constexpr Rate share = 8;
  const bool answers = host_.generation == GpuGeneration::before_ampere && from >= gpus() && link.to < gpus();
  return answers ? rate / share : 0;
}

bool ChannelSearch::take(std::uint32_t from, std::uint32_t to, Rate rate) {
  const HostPath& path = paths_.path(from, to);
  const bool both_gpus = from < gpus() && to < gpus();
  if (path.type == PathType::dis || path.type > (both_gpus ? trial_.inside : trial_.outside)) return false;
  for (const std::uint32_t id : path.links) {
    const HostGraph::Link& link = host_.links[id];
    const Rate back = back_traffic(from, link, rate);
    if (room_[id] < rate || (back > 0 && room_[link.reverse] < back)) return false;
  }
  use(path, from, rate);
  trial_.hops += path.links.size();
  return true;
}

void ChannelSearch::give_back(std::uint32_t from, std::uint32_t to, Rate rate) {
  const HostPath& path = paths_.path(from, to);
  use(path, from, -rate);
  trial_.hops -= path.links.size();
}

void ChannelSearch::use(const HostPath& path, std::uint32_t from, Rate rate) {
  for (const std::uint32_t id : path.links) {
    room_[id] -= rate;
    room_[host_.links[id].reverse] -= back_traffic(from, host_.links[id], rate);
  }
}

}  // namespace orrery::core
