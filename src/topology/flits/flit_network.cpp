#include "topology/flits/flit_network.hpp"

#include <algorithm>
#include <cmath>

namespace orrery::core {

int FlitWires::phits(int flit_bits) const {
  if (width >= flit_bits) return width * efficiency < flit_bits ? 1 : 0;
  return (flit_bits + width - 1) / width;
}

double FlitWires::period(int flit_bits) const {
  if (width >= flit_bits) return std::max(1.0, flit_bits / (width * efficiency));
  return phits(flit_bits) / efficiency;
}

// Cutting takes a logical and a physical cycle, and so does putting together. One of these four is the cycle
// in which the first phit passes.
int FlitWires::conversion_cycles(int flit_bits) const {
  constexpr int of_both_ends = 3;
  return phits(flit_bits) == 0 ? 0 : static_cast<int>(std::ceil(period(flit_bits))) + of_both_ends;
}

int FlitNetwork::npus() const {
  int npus = packages == PackageLinks::none ? 1 : package_count;
  for (const FlitRings& dimension : rings) npus *= dimension.size;
  return npus;
}

int FlitNetwork::vnets() const {
  int vnets = package_vnets;
  for (const FlitRings& dimension : rings) vnets += dimension.up + dimension.down;
  return vnets;
}

}  // namespace orrery::core
