#include "network/graph/foreign_transport.hpp"

#include <fmt/format.h>

#include "base/diagnostics/diagnostics.hpp"
#include "base/text/readable.hpp"

namespace orrery::core {

namespace {

constexpr std::uint64_t most_wakes_in_vain = 10'000'000;
constexpr Time model_rounding = Time::from_ps(1);  // of what a model adds up

}  // namespace

ForeignTransport::ForeignTransport(std::string name, const ForeignNetworkModel::Begin& begin,
                                   const Topology& topology, EventLoop& loop)
    : name_(std::move(name)),
      loop_(loop),
      routes_(topology),
      handler_(loop.add_handler(*this)),
      carrier_(begin(*topology.graph, *this)) {}

void ForeignTransport::refuse(const std::string& why) const {
  throw InputError({fmt::format("the network model `{}` of a plug-in", name_)}, why);
}

void ForeignTransport::send_on(Channel channel, int source, int destination, Bytes bytes,
                               const Event& delivered) {
  const std::uint32_t route = routes_.between(source, destination, channel);
  routes_.count(route, bytes);
  if (routes_.routes().routing().by_load) routes_.add_backlog(route, bytes.as_double());
  const Time alone = routes_.alone(route, bytes);
  const std::uint64_t number = sent_++;
  in_vain_ = 0;
  under_way_.emplace(number, UnderWay{source, destination, bytes, route, now() + alone, delivered});
  carrier_->send({number, source, destination, bytes, routes_[route].route, alone});
}

void ForeignTransport::deliver(std::uint64_t message) {
  const auto found = under_way_.find(message);
  if (found == under_way_.end())
    refuse(fmt::format("it delivers message {}, which is not under way", message));
  const UnderWay& arrives = found->second;
  if (now() + model_rounding < arrives.earliest)
    refuse(fmt::format("it delivers {} bytes from NPU {} to NPU {} {} before the links of their route could",
                       arrives.bytes.count(), arrives.source, arrives.destination,
                       readable_seconds((arrives.earliest - now()).ns() * 1e-9)));
  const Event delivered = arrives.delivered;
  in_vain_ = 0;
  if (routes_.routes().routing().by_load) routes_.add_backlog(arrives.route, -arrives.bytes.as_double());
  under_way_.erase(found);
  loop_.after(0, delivered);
}

void ForeignTransport::wake_at(Time when, std::uint64_t word) {
  if (when < now())
    refuse(fmt::format("it asks to be woken {} ago", readable_seconds((now() - when).ns() * 1e-9)));
  const std::uint32_t number = words_.keep(word);
  ++awaited_;
  loop_.after(loop_.clock().span(when - now()), Event{handler_, 0, 0, number, 0});
}

void ForeignTransport::handle(const Event& event) {
  const std::uint64_t word = words_.take(event.object);
  --awaited_;
  if (++in_vain_ > most_wakes_in_vain)
    refuse(fmt::format("it was woken {} times without delivering a message", most_wakes_in_vain));
  carrier_->wake(word);
}

std::vector<std::string> ForeignTransport::stall() const {
  constexpr std::size_t most_listed = 10;
  std::vector<std::string> lines;
  for (const auto& [number, message] : under_way_) {
    if (lines.size() == most_listed) break;
    lines.push_back(
        fmt::format("the network model `{}` has not delivered message {}, {} bytes from NPU {} to NPU {}",
                    name_, number, message.bytes.count(), message.source, message.destination));
  }
  if (under_way_.size() > most_listed)
    lines.push_back(fmt::format("and {} more messages", under_way_.size() - most_listed));
  return lines;
}

std::vector<LinkUse> ForeignTransport::links(Time now) const {
  std::vector<double> left;  // by route; these bytes are counted, but nobody knows which have been carried
  if (!under_way_.empty()) left.resize(routes_.size());
  for (const auto& [number, message] : under_way_) left[message.route] += message.bytes.as_double();
  std::vector<LinkUse> uses = routes_.links(left);
  for (const LinkUse& use : uses)
    if (use.busy > now + model_rounding + Time::from_ps(static_cast<std::int64_t>(use.load.messages)))
      refuse(fmt::format("the link from {} to {} has carried {} bytes within {}, for which it needs {}",
                         use.from, use.to, use.load.bytes.count(), readable_seconds(now.ns() * 1e-9),
                         readable_seconds(use.busy.ns() * 1e-9)));
  return uses;
}

}  // namespace orrery::core
