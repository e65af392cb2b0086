#include "network/host/host_stack_transport.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/diagnostics/unreachable.hpp"

namespace orrery::core {
namespace {

constexpr std::uint64_t max_segments = 64;

bool is_given(Bandwidth bandwidth) {
  return bandwidth.bytes_per_ns() > 0;
}

}  // namespace

HostStackTransport::HostStackTransport(std::shared_ptr<const HostStack> stack,
                                       std::unique_ptr<Transport> carrier, EventLoop& loop, int npus,
                                       int outermost_dimension, bool one_for_all)
    : CarriedTransport(std::move(carrier)),
      stack_(std::move(stack)),
      loop_(loop),
      handler_(loop.add_handler(*this)),
      npus_(npus),
      dimension_(outermost_dimension),
      one_for_all_(one_for_all) {}

std::string HostStackTransport::name_of(Kind kind) {
  switch (kind) {
    case outward_copies:
    case inward_copies:
      return "host-memory";
    case proxies:
      return "proxy";
    case cores:
      return "cores";
    case reads:
    case writes:
      return "card";
  }
  unreachable("every part of a host has a name");
}

HostStackTransport::Kind HostStackTransport::kind_of(Stage stage) {
  switch (stage) {
    case copy_out:
      return outward_copies;
    case handing_over:
      return proxies;
    case reading:
      return reads;
    case writing:
      return writes;
    case copy_in:
      return inward_copies;
    case sending_core:
    case receiving_core:
    case network:
      break;
  }
  return cores;
}

bool HostStackTransport::inside_host(int source, int destination) const {
  return source / stack_->npus_per_host == destination / stack_->npus_per_host;
}

void HostStackTransport::send_with(const MessageService& service, int source, int destination, Bytes bytes,
                                   const Event& delivered) {
  if (inside_host(source, destination)) {
    carrier().send_with(service, source, destination, bytes, delivered);
    return;
  }
  MessageService of_segments = service;
  of_segments.acknowledged.reset();
  of_segments.facts = nullptr;  // they would be those of one segment
  const bool works_by_bytes = stack_->per_packet > Time() || is_given(stack_->copying) ||
                              is_given(stack_->card) || is_given(stack_->staging);
  const std::uint64_t packets = bytes > Bytes() ? (bytes.count() - 1) / stack_->packet.count() + 1 : 1;
  std::uint64_t segments = 1, packets_each = packets;
  if (works_by_bytes) {
    packets_each = (packets - 1) / max_segments + 1;
    segments = (packets - 1) / packets_each + 1;
  }
  // The segments belong to one flow, so they do not share links with each other.
  if (segments > 1) of_segments.channel.for_one = false;
  const std::uint32_t number = messages_.keep({.service = of_segments,
                                               .source = source,
                                               .destination = destination,
                                               .bytes = bytes,
                                               .segment = stack_->packet * packets_each,
                                               .delivered = delivered,
                                               .segments = static_cast<std::uint32_t>(segments)});
  messages_[number].arrived[copy_out] = messages_[number].segments;
  enter(number, copy_out);
}

Bytes HostStackTransport::bytes_of(const Message& message, std::uint32_t segment) {
  return std::min(message.segment, message.bytes - message.segment * segment);
}

double HostStackTransport::service_ns(const Message& message, Stage stage) const {
  const std::uint32_t segment = message.passed[stage];
  const double bytes = bytes_of(message, segment).as_double();
  const auto at = [&](Bandwidth bandwidth) {
    return is_given(bandwidth) ? bytes / bandwidth.bytes_per_ns() : 0.0;
  };
  const auto first = [&](Time time) { return segment == 0 ? time.ns() : 0.0; };
  switch (stage) {
    case copy_out:
    case copy_in:
      return first(stack_->staging_latency) + at(stack_->staging);
    case handing_over:
      return first(stack_->proxy);
    case sending_core:
    case receiving_core: {
      const double packets = std::max(1.0, std::ceil(bytes / stack_->packet.as_double()));
      return first(stage == sending_core ? stack_->send : stack_->receive) + at(stack_->copying) +
             packets * stack_->per_packet.ns();
    }
    case reading:
    case writing:
      return at(stack_->card);
    case network:
      break;
  }
  return 0;
}

// Work that hardware does in place of a core delays a message, but keeps no core busy.
bool HostStackTransport::keeps_busy(Stage stage) const {
  return kind_of(stage) != cores || stack_->cores > 0;
}

HostStackTransport::Server& HostStackTransport::server(const Message& message, Stage stage) {
  const Kind kind = kind_of(stage);
  const int npu = one_for_all_ ? 0 : stage < network ? message.source : message.destination;
  const auto found = servers_.find({npu, kind});
  if (found != servers_.end()) return found->second;
  const int count = kind == cores ? stack_->cores : 1;
  return servers_.emplace(std::pair(npu, kind), Server{Servers(count), {}}).first->second;
}

void HostStackTransport::arrive(std::uint32_t number, std::size_t stage) {
  Message& message = messages_[number];
  ++message.arrived[stage];
  if (stage < stages) {
    enter(number, static_cast<Stage>(stage));
  } else if (message.arrived[stage] == message.segments) {
    const Event delivered = messages_.take(number).delivered;
    loop_.dispatch(delivered);
  }
}

// The next segment of the message enters the stage if it has arrived there and the one before it has left.
void HostStackTransport::enter(std::uint32_t number, Stage stage) {
  Message& message = messages_[number];
  if (message.busy[stage] || message.passed[stage] == message.arrived[stage]) return;
  message.busy[stage] = true;
  if (stage == network) {
    const Bytes bytes = bytes_of(message, message.passed[network]++);
    message.busy[network] = false;
    carrier().send_with(message.service, message.source, message.destination, bytes,
                        Event{handler_, network, number, message.delivered.object, message.delivered.extra});
    enter(number, network);
    return;
  }
  const double ns = service_ns(message, stage);
  if (ns <= 0) {
    leave(number, stage);
  } else if (!keeps_busy(stage)) {
    serve(number, stage);
  } else {
    if (asking_.empty()) loop_.at_end_of_instant(Event{handler_, asks, 0, 0, 0});
    asking_.push_back({message.delivered.object, message.delivered.extra, stage, number});
  }
}

// If several ask in one instant, they are served in an order that is the same for all NPUs which do the same.
void HostStackTransport::admit() {
  std::ranges::stable_sort(asking_);
  for (const Asking& one : asking_)
    if (server(messages_[one.number], one.stage).servers.enter({one.number, one.stage}))
      serve(one.number, one.stage);
  asking_.clear();
}

void HostStackTransport::serve(std::uint32_t number, Stage stage) {
  const double ns = service_ns(messages_[number], stage);
  loop_.after(Time::from_ns_rounded(ns).ps(), Event{handler_, stage, number, 0, 0});
}

void HostStackTransport::handle(const Event& event) {
  if (event.what == asks) {
    admit();
    return;
  }
  const auto stage = static_cast<Stage>(event.what);
  const std::uint32_t number = event.rank;
  if (stage == network) {
    arrive(number, writing);
    return;
  }
  const Message& message = messages_[number];
  if (keeps_busy(stage)) {
    Server& by = server(message, stage);
    by.work.busy_ns += service_ns(message, stage);
    by.work.load += {bytes_of(message, message.passed[stage]), 1};
    if (const std::optional<Servers::Job> next = by.servers.leave())
      serve(next->message, static_cast<Stage>(next->stage));
  }
  leave(number, stage);
}

void HostStackTransport::leave(std::uint32_t number, Stage stage) {
  Message& message = messages_[number];
  message.busy[stage] = false;
  const bool is_last = ++message.passed[stage] == message.segments;
  arrive(number, stage + 1);
  if (!is_last) enter(number, stage);  // behind the last one, the message may be through
}

std::vector<LinkUse> HostStackTransport::links(Time now) const {
  std::vector<LinkUse> uses = carrier().links(now);
  std::map<std::pair<Kind, Work>, std::pair<int, std::uint64_t>> alike;  // first NPU and number of them
  for (const auto& [key, server] : servers_) {
    const auto [known, is_new] = alike.try_emplace({key.second, server.work}, key.first, 0);
    known->second.second += one_for_all_ ? static_cast<std::uint64_t>(npus_) : 1;
  }
  for (const auto& [key, npus] : alike) {
    const auto& [kind, work] = key;
    const std::string npu = "npu" + std::to_string(npus.first), server = npu + "." + name_of(kind);
    const bool is_inward = kind == writes || kind == inward_copies;
    const double busy_ns = work.busy_ns / (kind == cores ? stack_->cores : 1);
    uses.push_back({is_inward ? server : npu, is_inward ? npu : server, dimension_, npus.second, work.load,
                    Time::from_ns_rounded(busy_ns)});
  }
  std::ranges::stable_sort(uses, [](const LinkUse& a, const LinkUse& b) { return a.busy > b.busy; });
  return uses;
}

}  // namespace orrery::core
