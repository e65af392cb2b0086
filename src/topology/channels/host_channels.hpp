// The channels of a machine are orders of its GPUs, with the ports by which data comes and leaves.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "topology/channels/host_paths.hpp"

namespace orrery::core {

enum class ChannelPattern : std::uint8_t {
  ring,
  balanced_tree,  // a chain whose first two GPUs share the traffic of the port
  tree            // a chain whose first GPU has all traffic of the port
};

struct HostChannel {
  std::vector<std::uint32_t> order;   // GPUs
  std::uint32_t entry = 0, exit = 0;  // ports, where there are any
};

struct HostChannels {
  ChannelPattern pattern = ChannelPattern::ring;
  // With 0, a ring leaves by the port where it came in. With 2, an even channel leaves by any port, and the
  // odd one after it comes and leaves the other way round.
  int cross_nic = 0;
  bool same = true;                                          // all channels have the same order
  PathType inside = PathType::nvl, outside = PathType::pix;  // the farthest ways that they take
  Rate rate_inside = 0, rate_outside = 0;                    // of each channel
  std::size_t hops = 0;
  std::vector<HostChannel> channels;

  Rate total() const { return static_cast<Rate>(channels.size()) * rate_inside; }
};

struct ChannelCounts {
  std::size_t least = 1, most = 32;
};

// Returns the channels of a pattern, as the search of NCCL 2.27 finds them. There may be none. Balanced trees
// may become trees.
HostChannels find_channels(const HostPaths& paths, ChannelPattern pattern, ChannelCounts counts);

}  // namespace orrery::core
