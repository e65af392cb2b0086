#include "network/flows/run_flows.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace orrery {
namespace {

class FlowRun final : public EventHandler {
 public:
  FlowRun(const std::vector<Flow>& flows, const TransportMachine& machine, NetworkModel model)
      : flows_(flows),
        loop_(Clock(Clock::Mode::picoseconds)),
        handler_(loop_.add_handler(*this)),
        transport_(model->make(machine, loop_)),
        times_(flows.size()),
        missing_(flows.size()),
        waiting_(flows.size()) {}

  FlowsResult run() {
    for (std::uint32_t flow = 0; flow < flows_.size(); ++flow) {
      missing_[flow] = flows_[flow].after.size();
      for (const std::uint32_t other : flows_[flow].after) waiting_[other].push_back(flow);
      if (missing_[flow] == 0) loop_.at(flows_[flow].start.ps(), Event{handler_, starts, 0, flow, 0});
    }
    loop_.run({});
    FlowsResult result{std::move(times_), transport_->links(loop_.time()), loop_.time()};
    std::erase_if(result.links, [](const LinkUse& link) { return link.load.messages == 0; });
    return result;
  }

  void handle(const Event& event) override {
    if (event.what == starts) {
      start(event.object);
      return;
    }
    times_[event.object].end = loop_.time();
    for (const std::uint32_t flow : waiting_[event.object])
      if (--missing_[flow] == 0)
        loop_.at(std::max(loop_.now(), flows_[flow].start.ps()), Event{handler_, starts, 0, flow, 0});
  }

 private:
  enum What : std::uint16_t { starts, delivered };

  void start(std::uint32_t number) {
    const Flow& flow = flows_[number];
    times_[number].start = loop_.time();
    try {
      const Channel channel{flow.channel.value_or(number), !flow.channel};
      transport_->send_on(channel, flow.source, flow.destination, flow.bytes,
                          Event{handler_, delivered, 0, number, 0});
    } catch (const InputError& error) {  // of the network, which knows no places in files
      throw InputError(flow.where, text_of(error));
    }
  }

  const std::vector<Flow>& flows_;
  EventLoop loop_;
  std::uint16_t handler_;
  std::unique_ptr<Transport> transport_;
  std::vector<FlowTimes> times_;
  std::vector<std::size_t> missing_;                 // flows that have to end before, by flow
  std::vector<std::vector<std::uint32_t>> waiting_;  // flows, by the one that they wait for
};

}  // namespace

FlowsResult run_flows(const std::vector<Flow>& flows, const TransportMachine& machine, NetworkModel model) {
  if (model->check) model->check(machine.topology, machine.dialect);
  const int npus = machine.topology.npus();
  for (const Flow& flow : flows)
    if (const int last = std::max(flow.source, flow.destination); last >= npus)
      throw InputError(
          flow.where, fmt::format("the flow names NPU {}, but the network has NPUs 0 to {}", last, npus - 1));
  return FlowRun(flows, machine, model).run();
}

}  // namespace orrery
