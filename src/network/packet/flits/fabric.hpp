// The wires between routers of a network of flits, and the choice of the wires that a packet takes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "topology/flits/flit_network.hpp"

namespace orrery::core {

using WireId = std::uint32_t;
inline constexpr std::uint32_t no_wire = 0xffffffff;

// A wire leads one way, from a router or an NPU to the next. Its virtual channels are the buffers at its end.
struct Wire {
  std::uint32_t from = 0, to = 0;         // routers, or the NPU's where that is the end
  bool from_npu = false, to_npu = false;  // the end is an NPU
  std::uint32_t vnet = 0, vnets = 1;      // the vnets that it carries, from `vnet` on
  // Dimension of the topology; -1: it leads between an NPU and its router.
  int dimension = -1;
  std::uint32_t port = 0;        // its number among the wires that lead into `to`
  std::uint32_t ring = no_wire;  // ring that it is a part of, among all rings that wrap
  std::uint32_t ring_size = 0;
  std::int64_t latency = 1;  // cycles
  // `period` is the number of cycles from one flit to the next. `phits` is the same for a wire that is so
  // narrow that flits are cut into phits; 0: it is not.
  double period = 1;
  std::int64_t phits = 0;
  std::int64_t conversion = 0;  // cycles on top of the latency, for cutting flits into phits

  bool joins_npu() const { return from_npu || to_npu; }
};

struct FlitRoute {
  WireId wire = no_wire;
  std::uint32_t vnet = 0;
  // After this hop the packet still has to pass the wire that closes its ring.
  bool wraps_later = false;
  bool many_hops = false;  // it stays on the ring after this hop
};

class Fabric {
 public:
  explicit Fabric(const FlitNetwork& network);

  const FlitNetwork& network() const { return network_; }
  std::uint32_t npus() const { return npus_; }
  std::uint32_t routers() const { return npus_ + static_cast<std::uint32_t>(network_.switches); }
  std::uint32_t vnets() const { return vnets_; }
  const std::vector<Wire>& wires() const { return wires_; }
  // Returns the number of wires that lead into a router, as arbiters count them.
  std::uint32_t ports_into(std::uint32_t router) const { return ports_[router]; }
  WireId injection(std::uint32_t npu, std::uint32_t vnet) const { return npu * vnets_ + vnet; }
  std::uint32_t rings() const { return rings_; }
  std::string name_of(std::uint32_t router) const;
  std::int64_t packet_bytes(std::uint32_t vnet) const;

  // Returns whether a packet can get from one NPU to the other without leaving the vnet.
  bool leads(std::uint32_t vnet, std::uint32_t from, std::uint32_t to) const;
  // Returns the vnet in which a message starts. If several are equally good, `turn` chooses one.
  std::optional<std::uint32_t> first_vnet(std::uint32_t from, std::uint32_t to, std::uint32_t turn) const;
  // Returns where a packet goes that is in a router. `turn` is as above, and `plane` chooses among switches.
  FlitRoute route(std::uint32_t router, std::uint32_t vnet, std::uint32_t to, std::uint32_t turn,
                  std::uint32_t plane) const;
  // Returns whether a packet that has just been injected there goes to one of several switches.
  bool chooses_switch(std::uint32_t router, std::uint32_t vnet, std::uint32_t to) const {
    return network_.switches > 1 && network_.switch_choice == SwitchChoice::in_turn && router != to &&
           vnet >= ring_vnets_;
  }
  // Returns whether a packet that starts in the vnet passes more than one wire of its ring, among them the
  // one that closes it.
  bool wraps_far(std::uint32_t vnet, std::uint32_t from, std::uint32_t to) const;

 private:
  struct Direction {  // direction of a vnet that is a ring
    std::uint32_t dimension;
    bool up;
  };

  std::uint32_t position(std::uint32_t npu, std::size_t dimension) const {
    return positions_[npu * network_.rings.size() + dimension];
  }
  std::uint32_t package_of(std::uint32_t npu) const {
    return npu / static_cast<std::uint32_t>(network_.package_npus);
  }
  bool same_line(std::uint32_t a, std::uint32_t b, std::size_t dimension) const;
  std::uint32_t hops(Direction direction, std::uint32_t from, std::uint32_t to) const;
  std::optional<std::uint32_t> ring_toward(std::size_t dimension, std::uint32_t from, std::uint32_t to,
                                           std::uint32_t turn) const;
  std::optional<std::uint32_t> package_vnet(std::uint32_t from, std::uint32_t to, std::uint32_t turn) const;
  FlitRoute along_ring(std::uint32_t router, std::uint32_t vnet, std::uint32_t to) const;

  void add_npu_wires();
  void add_rings();
  void add_package_wires();
  void number_ports();
  WireId add(Wire wire, const FlitWires* width);

  const FlitNetwork& network_;
  std::uint32_t npus_, vnets_, ring_vnets_;
  std::uint32_t rings_ = 0;
  std::vector<std::uint32_t> positions_;   // by NPU and dimension
  std::vector<std::uint32_t> strides_;     // by dimension
  std::vector<Direction> directions_;      // by vnet
  std::vector<std::uint32_t> first_ring_;  // vnet, by dimension
  std::vector<Wire> wires_;
  std::vector<WireId> ring_wire_;     // by NPU and vnet
  std::vector<WireId> up_, down_;     // by NPU and switch
  std::vector<std::uint32_t> ports_;  // by router
};

}  // namespace orrery::core
