#include "network/flows/flow_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace orrery {

void check_ends(const std::vector<Flow>& flows, int npus) {
  for (const Flow& flow : flows)
    if (const int last = std::max(flow.source, flow.destination); last >= npus)
      throw InputError(
          flow.where, fmt::format("the flow names NPU {}, but the network has NPUs 0 to {}", last, npus - 1));
}

FlowSource::FlowSource(const std::vector<Flow>& flows, EventLoop& loop, Transport& transport)
    : flows_(flows),
      loop_(loop),
      handler_(loop.add_handler(*this)),
      transport_(transport),
      left_(flows.size()),
      times_(flows.size()),
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
  times_[event.object].end = loop_.time();
  --left_;
  for (const std::uint32_t flow : waiting_[event.object])
    if (--missing_[flow] == 0)
      loop_.at(std::max(loop_.now(), flows_[flow].start.ps()), Event{handler_, starts, 0, flow, 0});
}

void FlowSource::start(std::uint32_t number) {
  const Flow& flow = flows_[number];
  times_[number].start = loop_.time();
  try {
    const Channel channel{flow.channel.value_or(number), !flow.channel};
    transport_.send_on(channel, flow.source, flow.destination, flow.bytes,
                       Event{handler_, delivered, 0, number, 0});
  } catch (const InputError& error) {  // mostly of the network, which knows no places in files
    const std::string text = text_of(error);
    if (text == error.what()) throw;
    throw InputError(flow.where, text);
  }
}

}  // namespace orrery
