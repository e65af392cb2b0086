// A network that is simulated flit by flit (docs/models/network-flits.md). Its parts are given in cycles and
// bits.
//
// Each NPU has a router. Packets are cut into flits, and travel in virtual networks (vnets), which have wires
// and buffers of their own. A vnet is a direction around rings of one dimension, or a way between packages.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace orrery::core {

// Wires of one kind.
struct FlitWires {
  int width = 128;        // bits per cycle
  int latency = 1;        // cycles
  double efficiency = 1;  // share of the width that carries flits

  // Returns how many phits a flit is cut into. 0: it passes whole, one flit per cycle.
  int phits(int flit_bits) const;
  // Returns the cycles from one flit to the next, in the long run.
  double period(int flit_bits) const;
  // Returns the cycles that a flit takes on top of the latency for being cut and put together again.
  int conversion_cycles(int flit_bits) const;
};

// Rings along one dimension of the NPUs, or lines where they do not wrap. Every ring has one direction and is
// a vnet. Rings that lead up to the next position come first, then those that lead down.
struct FlitRings {
  std::string name;
  int size = 1;
  int up = 0, down = 0;  // numbers of rings
  bool wraps = true;
  FlitWires wires = {};
  std::int64_t packet_bytes = 64;
};

// What joins packages in addition to rings.
enum class PackageLinks {
  none,
  switches,  // every NPU has a wire to and from each switch
  direct     // NPUs of the same place in their packages have a wire to each other
};

// How packets choose a switch.
enum class SwitchChoice { in_turn, first };

// The order in which an NPU's packets are sent in a vnet.
enum class InjectionOrder { fifo, interleave };

struct FlitNetwork {
  std::vector<FlitRings> rings;  // by dimension, the innermost first

  PackageLinks packages = PackageLinks::none;
  int package_count = 1;
  int package_npus = 1;  // NPUs in each package
  int switches = 0;
  int package_vnets = 0;
  FlitWires package_wires;
  std::int64_t package_packet_bytes = 64;
  SwitchChoice switch_choice = SwitchChoice::in_turn;
  // Short ways over a ring are taken by table, and long ones over a switch (only with SwitchChoice::first).
  static constexpr int longest_table_ring = 2;

  int flit_bits = 128;
  int npu_latency = 1;  // cycles between an NPU and its router
  int router_latency = 1;
  int vcs = 4;  // virtual channels of a vnet on every wire
  int buffer_flits = 32;
  bool pads_last_packet = true;
  InjectionOrder injection_order = InjectionOrder::fifo;
  bool strict_reference = false;  // packets may wait for one another for ever
  double clock_ghz = 1;

  int npus() const;
  int vnets() const;
};

}  // namespace orrery::core
