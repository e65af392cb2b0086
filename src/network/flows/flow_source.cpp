#include "network/flows/flow_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace orrery::core {

void check_ends(const std::vector<Flow>& flows, int npus) {
  for (const Flow& flow : flows)
    if (const int last = std::max(flow.source, flow.destination); last >= npus)
      throw InputError(
          flow.where, fmt::format("the flow names NPU {}, but the network has NPUs 0 to {}", last, npus - 1));
}

void check_priorities(const std::vector<Flow>& flows, const Topology& topology, NetworkModel model) {
  if (model->has_priorities && model->has_priorities(topology)) return;
  for (const Flow& flow : flows) {
    if (flow.priority == flows[0].priority) continue;
    const auto text = [](const Flow& of) {
      return of.priority ? fmt::format("priority {}", *of.priority) : std::string("none");
    };
    throw InputError(flow.where,
                     fmt::format("the flow has {} and the first one {}, but only the network model "
                                 "`packet` on a graph gives way to some flows: use it, or give all the same",
                                 text(flow), text(flows[0])));
  }
}

FlowSource::FlowSource(const std::vector<Flow>& flows, EventLoop& loop, Transport& transport)
    : flows_(flows),
      loop_(loop),
      handler_(loop.add_handler(*this)),
      transport_(transport),
      left_(flows.size()),
      times_(flows.size()),
      acknowledges_(transport.acknowledges()),
      ended_(flows.size()),
      missing_(flows.size()),
      waiting_(flows.size()) {
  for (std::uint32_t flow = 0; flow < flows_.size(); ++flow) {
    missing_[flow] = flows_[flow].after.size();
    for (const std::uint32_t other : flows_[flow].after) waiting_[other].push_back(flow);
    if (missing_[flow] == 0) loop_.at(flows_[flow].start.ps(), Event{handler_, starts, 0, flow, 0});
  }
}

void FlowSource::handle(const Event& event) {
  if (event.what == starts) {
    start(event.object);
    return;
  }
  if (event.what == acknowledged) {
    times_[event.object].acknowledged = loop_.time();
    conclude(event.object);
    return;
  }
  times_[event.object].end = loop_.time();
  if (!acknowledges_) conclude(event.object);
  for (const std::uint32_t flow : waiting_[event.object])
    if (--missing_[flow] == 0)
      loop_.at(std::max(loop_.now(), flows_[flow].start.ps()), Event{handler_, starts, 0, flow, 0});
}

void FlowSource::conclude(std::uint32_t number) {
  ended_[number] = true;
  order_.push_back(number);
  --left_;
}

void FlowSource::require_end() const {
  if (left_ == 0) return;
  const auto first = static_cast<std::size_t>(std::ranges::find(ended_, false) - ended_.begin());
  throw StallError(fmt::format("{} of {} flows never end, such as flow {} from NPU {} to NPU {}", left_,
                               flows_.size(), first, flows_[first].source, flows_[first].destination),
                   transport_.stall());
}

void FlowSource::start(std::uint32_t number) {
  const Flow& flow = flows_[number];
  times_[number].start = loop_.time();
  try {
    const MessageService service{.channel = {flow.channel.value_or(number), !flow.channel},
                                 .vnet = flow.channel,
                                 .priority = flow.priority,
                                 .acknowledged = Event{handler_, acknowledged, 0, number, 0},
                                 .facts = &times_[number].facts};
    transport_.send_with(service, flow.source, flow.destination, flow.bytes,
                         Event{handler_, delivered, 0, number, 0});
  } catch (const InputError& error) {  // mostly an error of the network, which knows no places in files
    const std::string text = text_of(error);
    if (text == error.what()) throw;
    throw InputError(flow.where, text);
  }
}

}  // namespace orrery::core
