#include "network/packet/flits/fabric.hpp"

#include <algorithm>
#include <numeric>

#include "base/diagnostics/diagnostics.hpp"

namespace orrery::core {

Fabric::Fabric(const FlitNetwork& network)
    : network_(network),
      npus_(static_cast<std::uint32_t>(network.npus())),
      vnets_(static_cast<std::uint32_t>(network.vnets())),
      ring_vnets_(vnets_ - static_cast<std::uint32_t>(network.package_vnets)) {
  std::uint32_t stride = 1;
  for (const FlitRings& rings : network_.rings) {
    strides_.push_back(stride);
    stride *= static_cast<std::uint32_t>(rings.size);
  }
  for (std::uint32_t npu = 0; npu < npus_; ++npu)
    for (std::size_t d = 0; d < strides_.size(); ++d)
      positions_.push_back(npu / strides_[d] % static_cast<std::uint32_t>(network_.rings[d].size));
  for (std::uint32_t d = 0; d < network_.rings.size(); ++d) {
    first_ring_.push_back(static_cast<std::uint32_t>(directions_.size()));
    directions_.insert(directions_.end(), static_cast<std::size_t>(network_.rings[d].up), {d, true});
    directions_.insert(directions_.end(), static_cast<std::size_t>(network_.rings[d].down), {d, false});
  }
  add_npu_wires();
  add_rings();
  add_package_wires();
  number_ports();
}

WireId Fabric::add(Wire wire, const FlitWires* width) {
  if (width) {
    wire.latency = width->latency;
    wire.phits = width->phits(network_.flit_bits);
    wire.period = width->period(network_.flit_bits);
    wire.conversion = width->conversion_cycles(network_.flit_bits);
  } else {
    wire.latency = network_.npu_latency;
  }
  wires_.push_back(wire);
  return static_cast<WireId>(wires_.size() - 1);
}

void Fabric::add_npu_wires() {
  const std::size_t most = std::size_t{1} << 24;
  if (std::size_t{npus_} * vnets_ > most)
    throw InputError({},
                     "the network has more than 2^24 wires of NPUs; make it smaller, or give it fewer rings");
  for (const bool injects : {true, false})
    for (std::uint32_t npu = 0; npu < npus_; ++npu)
      for (std::uint32_t vnet = 0; vnet < vnets_; ++vnet)
        add({.from = npu, .to = npu, .from_npu = injects, .to_npu = !injects, .vnet = vnet, .port = vnet},
            nullptr);
}

void Fabric::add_rings() {
  ring_wire_.assign(std::size_t{npus_} * vnets_, no_wire);
  for (std::uint32_t vnet = 0; vnet < directions_.size(); ++vnet) {
    const auto [d, up] = directions_[vnet];
    const FlitRings& rings = network_.rings[d];
    const auto size = static_cast<std::uint32_t>(rings.size), stride = strides_[d];
    if (size == 1) continue;
    for (std::uint32_t npu = 0; npu < npus_; ++npu) {
      const std::uint32_t here = position(npu, d), next = (here + (up ? 1 : size - 1)) % size;
      if (!rings.wraps && (up ? next < here : next > here)) continue;
      Wire wire{.from = npu,
                .to = npu + next * stride - here * stride,
                .vnet = vnet,
                .dimension = static_cast<int>(d)};
      if (rings.wraps) {
        const std::uint32_t line = npu % stride + npu / (stride * size) * stride;
        wire.ring = rings_ + line;
        wire.ring_size = size;
      }
      ring_wire_[std::size_t{npu} * vnets_ + vnet] = add(wire, &rings.wires);
    }
    if (rings.wraps) rings_ += npus_ / size;
  }
}

void Fabric::add_package_wires() {
  const int dimension = static_cast<int>(network_.rings.size());
  const auto vnets = static_cast<std::uint32_t>(network_.package_vnets);
  if (network_.packages == PackageLinks::switches) {
    for (std::uint32_t npu = 0; npu < npus_; ++npu)
      for (std::uint32_t j = 0; j < static_cast<std::uint32_t>(network_.switches); ++j) {
        const Wire up{.from = npu, .to = npus_ + j, .vnet = 0, .vnets = vnets_, .dimension = dimension};
        const Wire down{.from = npus_ + j, .to = npu, .vnet = 0, .vnets = vnets_, .dimension = dimension};
        up_.push_back(add(up, &network_.package_wires));
        down_.push_back(add(down, &network_.package_wires));
      }
  }
  if (network_.packages != PackageLinks::direct) return;
  const auto packages = static_cast<std::uint32_t>(network_.package_count);
  const auto inside = static_cast<std::uint32_t>(network_.package_npus);
  for (std::uint32_t npu = 0; npu < npus_; ++npu)
    for (std::uint32_t vnet = 0; vnet < vnets; ++vnet) {
      const std::uint32_t a = package_of(npu), b = (vnet + packages - a) % packages;
      if (a == b) continue;
      ring_wire_[std::size_t{npu} * vnets_ + ring_vnets_ + vnet] = add(
          {.from = npu, .to = npu % inside + b * inside, .vnet = ring_vnets_ + vnet, .dimension = dimension},
          &network_.package_wires);
    }
}

// Behind an NPU's own ports come as many that nothing ever comes in by, and then those of other routers.
void Fabric::number_ports() {
  ports_.assign(routers(), 0);
  for (std::uint32_t npu = 0; npu < npus_; ++npu) ports_[npu] = 2 * vnets_;
  std::vector<WireId> order;
  for (WireId wire = 2 * npus_ * vnets_; wire < wires_.size(); ++wire) order.push_back(wire);
  std::ranges::stable_sort(order, {}, [&](WireId wire) {
    return std::tuple(wires_[wire].to, wires_[wire].from, wires_[wire].vnet);
  });
  for (const WireId wire : order) wires_[wire].port = ports_[wires_[wire].to]++;
}

std::string Fabric::name_of(std::uint32_t router) const {
  return router < npus_ ? "npu" + std::to_string(router) : "switch" + std::to_string(router);
}

std::int64_t Fabric::packet_bytes(std::uint32_t vnet) const {
  return vnet < ring_vnets_ ? network_.rings[directions_[vnet].dimension].packet_bytes
                            : network_.package_packet_bytes;
}

bool Fabric::same_line(std::uint32_t a, std::uint32_t b, std::size_t dimension) const {
  const auto size = static_cast<std::uint32_t>(network_.rings[dimension].size);
  const std::uint32_t stride = strides_[dimension];
  return a % stride == b % stride && a / (stride * size) == b / (stride * size);
}

// Returns 0 where no wire leads that way.
std::uint32_t Fabric::hops(Direction direction, std::uint32_t from, std::uint32_t to) const {
  const FlitRings& rings = network_.rings[direction.dimension];
  const std::uint32_t a = position(from, direction.dimension), b = position(to, direction.dimension);
  const auto size = static_cast<std::uint32_t>(rings.size);
  if (!rings.wraps && direction.up != (b > a)) return 0;
  return direction.up ? (b + size - a) % size : (a + size - b) % size;
}

bool Fabric::leads(std::uint32_t vnet, std::uint32_t from, std::uint32_t to) const {
  if (vnet >= vnets_) return false;
  const bool by_table =
      network_.packages == PackageLinks::switches && network_.switch_choice == SwitchChoice::first;
  if (vnet < ring_vnets_)
    return by_table ||
           (same_line(from, to, directions_[vnet].dimension) && hops(directions_[vnet], from, to) > 0);
  if (network_.packages == PackageLinks::switches) return true;
  const auto packages = static_cast<std::uint32_t>(network_.package_count);
  return package_of(from) != package_of(to) &&
         (to - from) % static_cast<std::uint32_t>(network_.package_npus) == 0 &&
         (vnet - ring_vnets_) % packages == (package_of(from) + package_of(to)) % packages;
}

std::optional<std::uint32_t> Fabric::ring_toward(std::size_t dimension, std::uint32_t from, std::uint32_t to,
                                                 std::uint32_t turn) const {
  const FlitRings& rings = network_.rings[dimension];
  const auto d = static_cast<std::uint32_t>(dimension);
  const std::uint32_t up = rings.up > 0 ? hops({d, true}, from, to) : 0;
  const std::uint32_t down = rings.down > 0 ? hops({d, false}, from, to) : 0;
  const auto ups = static_cast<std::uint32_t>(rings.up), downs = static_cast<std::uint32_t>(rings.down);
  const std::uint32_t first = first_ring_[dimension];
  if (up == 0 && down == 0) return std::nullopt;
  if (up == down) return first + turn % (ups + downs);
  if (down == 0 || (up > 0 && up < down)) return first + turn % ups;
  return first + ups + turn % downs;
}

std::optional<std::uint32_t> Fabric::package_vnet(std::uint32_t from, std::uint32_t to,
                                                  std::uint32_t turn) const {
  if (network_.package_vnets == 0) return std::nullopt;
  if (network_.packages == PackageLinks::switches)
    return ring_vnets_ + turn % static_cast<std::uint32_t>(network_.package_vnets);
  const auto packages = static_cast<std::uint32_t>(network_.package_count);
  const std::uint32_t a = package_of(from), b = package_of(to);
  if (a == b) return std::nullopt;
  const std::uint32_t parallel = static_cast<std::uint32_t>(network_.package_vnets) / packages;
  return ring_vnets_ + turn % parallel * packages + (a + b) % packages;
}

std::optional<std::uint32_t> Fabric::first_vnet(std::uint32_t from, std::uint32_t to,
                                                std::uint32_t turn) const {
  const bool other_package = network_.packages != PackageLinks::none && package_of(from) != package_of(to);
  const bool by_switch = network_.packages == PackageLinks::switches;
  if (!other_package || !by_switch)
    for (std::size_t d = 0; d < network_.rings.size(); ++d)
      if (position(from, d) != position(to, d))
        if (const auto ring = ring_toward(d, from, to, turn); ring || !by_switch) return ring;
  return package_vnet(from, to, turn);
}

FlitRoute Fabric::along_ring(std::uint32_t router, std::uint32_t vnet, std::uint32_t to) const {
  FlitRoute route{ring_wire_[std::size_t{router} * vnets_ + vnet], vnet};
  if (vnet >= ring_vnets_) return route;
  const auto [d, up] = directions_[vnet];
  const std::uint32_t next = position(wires_[route.wire].to, d), end = position(to, d);
  route.many_hops = next != end;
  route.wraps_later = network_.rings[d].wraps && (up ? end < next : end > next);
  return route;
}

bool Fabric::wraps_far(std::uint32_t vnet, std::uint32_t from, std::uint32_t to) const {
  if (vnet >= ring_vnets_ || !network_.rings[directions_[vnet].dimension].wraps) return false;
  const auto [d, up] = directions_[vnet];
  const std::uint32_t a = position(from, d), b = position(to, d);
  return hops(directions_[vnet], from, to) > 1 && (up ? b < a : b > a);
}

FlitRoute Fabric::route(std::uint32_t router, std::uint32_t vnet, std::uint32_t to, std::uint32_t turn,
                        std::uint32_t plane) const {
  const std::size_t planes = static_cast<std::size_t>(network_.switches);
  if (router >= npus_) return {down_[to * planes + (router - npus_)], vnet};
  if (router == to) return {npus_ * vnets_ + to * vnets_ + vnet, vnet};
  if (vnet < ring_vnets_) {
    const auto [d, up] = directions_[vnet];
    const bool switches = network_.packages == PackageLinks::switches;
    const bool on_ring = !switches || package_of(router) == package_of(to);
    const bool by_table = switches && network_.switch_choice == SwitchChoice::first;
    if (by_table && (!on_ring || hops({d, up}, router, to) > FlitNetwork::longest_table_ring))
      return {up_[router * planes], vnet};
    if (position(router, d) != position(to, d)) return along_ring(router, vnet, to);
    // The packet turns: dimensions come one after another, as two that turn both ways might wait for each
    // other.
    return along_ring(router, first_vnet(router, to, turn).value_or(vnet), to);
  }
  if (network_.packages == PackageLinks::direct) return along_ring(router, vnet, to);
  return {up_[router * planes + plane % planes], vnet};
}

}  // namespace orrery::core
