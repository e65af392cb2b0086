// Says when flows end that share links max-min fairly, as SimGrid computes it. It is the other side of
// scripts/check-against-simgrid, a program of its own: nothing of Orrery is linked with SimGrid.
//
// usage: simgrid_flows PLATFORM.xml <FLOWS
//
// Each line of FLOWS is a flow: source host, destination host, bytes, start in seconds. The program prints
// each flow's end in seconds, in the same order.
#include <cstdint>
#include <cstdio>
#include <functional>
#include <iostream>
#include <simgrid/s4u.hpp>
#include <string>
#include <vector>

// It compiles only after the others.
#include <simgrid/version.h>

namespace s4u = simgrid::s4u;

namespace {

struct Flow {
  std::string source, destination;
  std::uint64_t bytes = 0;
  double start = 0, end = 0;
};

// Max-min fair shares alone: full bandwidths, no traffic of acknowledgements, no limit by TCP's window, and
// no weights by latency. The precisions are those below which SimGrid takes times in seconds and rates in
// bytes per second as equal; later versions call them precision/timing and precision/work-amount, and know
// these names, too.
void configure() {
  for (const char* setting : {"network/model:CM02", "network/bandwidth-factor:1", "network/latency-factor:1",
                              "network/crosstraffic:0", "network/TCP-gamma:0", "network/weight-S:0",
                              "surf/precision:1e-14", "maxmin/precision:1e-9"}) {
    s4u::Engine::set_config(setting);
  }
}

std::vector<Flow> read_flows() {
  std::vector<Flow> flows;
  for (Flow flow; std::cin >> flow.source >> flow.destination >> flow.bytes >> flow.start;)
    flows.push_back(flow);
  return flows;
}

// SimGrid 4 warns of the older way.
void add_actor(s4u::Host* host, const std::function<void()>& code) {
#if SIMGRID_VERSION >= 40000
  s4u::Engine::add_actor("flow", host, code);
#else
  s4u::Actor::create("flow", host, code);
#endif
}

void run(Flow& flow, s4u::Host* source, s4u::Host* destination) {
  s4u::this_actor::sleep_until(flow.start);
  s4u::Comm::sendto(source, destination, flow.bytes);
  flow.end = s4u::Engine::get_clock();
}

}  // namespace

int main(int argc, char** argv) {
  s4u::Engine engine(&argc, argv);
  if (argc != 2) {
    std::fputs("usage: simgrid_flows PLATFORM.xml <FLOWS\n", stderr);
    return 2;
  }
  configure();
  engine.load_platform(argv[1]);
  std::vector<Flow> flows = read_flows();
  for (Flow& flow : flows) {
    s4u::Host* const source = engine.host_by_name(flow.source);
    s4u::Host* const destination = engine.host_by_name(flow.destination);
    add_actor(source, [&flow, source, destination] { run(flow, source, destination); });
  }
  engine.run();
  for (const Flow& flow : flows) std::printf("%.17g\n", flow.end);
}
