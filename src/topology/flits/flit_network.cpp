#include "topology/flits/flit_network.hpp"

namespace orrery {

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

}  // namespace orrery
