#include "topology/topology.hpp"

#include <algorithm>
#include <cstdlib>

#include "base/diagnostics/unreachable.hpp"

namespace orrery::core {

int Dimension::links_per_message() const {
  if (block == Block::fully_connected) return size > 1 ? links / (size - 1) : 0;
  return usable_links();
}

int Dimension::usable_links() const {
  switch (block) {
    case Block::ring:
      return links - links % 2;
    case Block::fully_connected:
      return size > 1 ? links - links % (size - 1) : 0;
    case Block::switched:
      return links;
  }
  unreachable("the links that every block uses are known");
}

double Dimension::memory_ns(Bytes bytes) const {
  return (hbm_latency_ns + bytes.as_double() / hbm_bandwidth.bytes_per_ns()) * hbm_scale;
}

int Dimension::hops(int a, int b) const {
  switch (block) {
    case Block::ring:
      return std::min(std::abs(a - b), size - std::abs(a - b));
    case Block::fully_connected:
      return 1;
    case Block::switched:
      return 2;
  }
  unreachable("the hops of every block are known");
}

int min_links(Block block, int size) {
  switch (block) {
    case Block::ring:
      return 2;
    case Block::fully_connected:
      return std::max(1, size - 1);
    case Block::switched:
      return 1;
  }
  unreachable("the fewest links of every block are known");
}

std::string default_dimension_name(std::size_t number) {
  return "dim" + std::to_string(number);
}

int Topology::npus() const {
  int product = 1;
  for (const Dimension& dimension : dimensions) product *= dimension.size;
  return product;
}

}  // namespace orrery::core
