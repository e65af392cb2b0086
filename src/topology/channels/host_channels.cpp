// NCCL 2.27 tries rates from high to low. At each rate it first tries channels that are all alike and take
// near ways, then others. Many channels of a high rate are then doubled and halved, and rates are raised
// again as long as the same number of channels fits.
#include "topology/channels/host_channels.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "topology/channels/channel_search.hpp"

namespace orrery::core {
namespace {

// The rates of a channel in GB/s that are tried: on one machine, and on several.
constexpr std::array ampere_alone{40., 30., 20., 18., 15., 12., 10., 9., 7., 6., 5., 4., 3.};
constexpr std::array ampere{48., 30., 28., 24., 20., 18., 15., 12., 10., 9.,
                            7.,  6.,  5.,  4.,  3.,  2.4, 1.2, .24, .12};
constexpr std::array hopper_alone{60., 50., 40., 30., 24., 20., 15., 12., 11., 6., 3.};
constexpr std::array hopper{48., 45., 42., 40., 30., 24., 22., 20., 17.5,
                            15., 12., 6.,  3.,  2.4, 1.2, .24, .12};
constexpr std::array blackwell_alone{90., 80., 70., 60., 50., 40., 30., 24., 20., 19., 18.};
constexpr std::array blackwell{96.,  48., 45.1, 42., 40., 30., 24., 22., 20.,
                               17.5, 15., 12.,  6.,  3.,  2.4, 1.2, .24, .12};

std::span<const double> rates_of(const HostGraph& host) {
  const bool alone = host.ports == 0;
  if (host.generation == GpuGeneration::blackwell)
    return alone ? std::span<const double>(blackwell_alone) : blackwell;
  if (host.generation == GpuGeneration::hopper) return alone ? std::span<const double>(hopper_alone) : hopper;
  return alone ? std::span<const double>(ampere_alone) : ampere;
}

PathType next(PathType type) {
  return static_cast<PathType>(static_cast<int>(type) + 1);
}

class Attempts {
 public:
  Attempts(const HostPaths& paths, ChannelPattern pattern, ChannelCounts counts)
      : paths_(paths), host_(paths.host()), rates_(rates_of(host_)), search_(paths), counts_(counts) {
    best_.pattern = trial_.pattern =
        host_.gpus == 1 && pattern != ChannelPattern::ring ? ChannelPattern::tree : pattern;
    look_at_paths();
  }

  HostChannels run() {
    all_rates();
    if (best_.channels.empty()) return best_;
    duplicate();
    raise_rates();
    return std::move(best_);
  }

 private:
  // Finds the nearest and the farthest of all ways, and the highest rate.
  void look_at_paths() {
    PathType nearest_inside = PathType::sys, nearest_outside = PathType::sys;
    Rate gpu_to_gpu = 0, gpu_to_port = 0;
    for (std::uint32_t gpu = 0; gpu < host_.gpus; ++gpu) {
      for (std::uint32_t to = 0; to < host_.gpus + host_.ports; ++to) {
        const HostPath& path = paths_.path(gpu, to);
        if (to == gpu || path.type == PathType::dis) continue;
        const bool inside = to < host_.gpus;
        PathType &nearest = inside ? nearest_inside : nearest_outside,
                 &farthest = inside ? farthest_inside_ : farthest_outside_;
        nearest = std::min(nearest, path.type);
        farthest = std::max(farthest, path.type);
        (inside ? gpu_to_gpu : gpu_to_port) = std::max(inside ? gpu_to_gpu : gpu_to_port, path.rate);
      }
      total_ = std::max(total_, rate_of(gpu));
    }
    trial_.inside = nearest_inside;
    trial_.outside = nearest_outside;
    highest_ = host_.ports > 0 ? gpu_to_port : gpu_to_gpu;
  }

  // Returns the rate of a GPU's links, by NVLink or by PCIe.
  Rate rate_of(std::uint32_t gpu) const {
    Rate nvlink = 0, pcie = 0;
    for (const std::uint32_t id : host_.nodes[gpu].links) {
      const HostGraph::Link& link = host_.links[id];
      (link.nvlink ? nvlink : pcie) += link.rate;
    }
    return std::max(nvlink, pcie);
  }

  Rate rate(std::size_t index) const { return rate_of_gb_per_s(rates_[index]); }
  bool none() const { return best_.channels.empty(); }

  std::size_t first_rate() const {
    const bool is_chain = trial_.pattern != ChannelPattern::ring && host_.gpus > 1;
    const double total = static_cast<double>(total_) * (is_chain ? 1.0 * host_.gpus / (host_.gpus - 1) : 1);
    std::size_t index = 0;
    while (index + 1 < rates_.size() &&
           (rate(index) > highest_ ||
            static_cast<double>(rate(index)) * static_cast<double>(counts_.least) > total))
      ++index;
    return index;
  }

  // The following functions return true when nothing better is to be found.
  bool all_rates() {
    constexpr double slower = 0.49;  // of the rate that was found
    const bool may_cross = host_.ports > 1 && trial_.pattern != ChannelPattern::tree;
    for (std::size_t index = first_rate(); index < rates_.size(); ++index) {
      if (!none() && static_cast<double>(rate(index)) <= slower * static_cast<double>(best_.rate_outside))
        return false;
      trial_.rate_inside = trial_.rate_outside = rate(index);
      for (const int cross_nic : {0, 2}) {
        trial_.cross_nic = cross_nic;
        if ((cross_nic == 0 || may_cross) && all_routes_outside()) return true;
      }
    }
    return false;
  }

  bool all_routes_outside() {
    const PathType nearest = trial_.outside;
    while (true) {
      if (all_routes_inside()) return true;
      const bool farther = none() || trial_.outside < best_.outside || trial_.outside < PathType::pxn;
      if (host_.ports == 0 || trial_.outside >= farthest_outside_ || !farther) break;
      trial_.outside = next(trial_.outside);
    }
    trial_.outside = nearest;
    return false;
  }

  bool all_routes_inside() {
    const PathType nearest = trial_.inside;
    const PathType farthest = host_.ports > 0 ? trial_.outside : farthest_inside_;
    while (true) {
      if (all_patterns()) return true;
      if (trial_.inside >= farthest || (!none() && trial_.inside >= best_.inside)) break;
      trial_.inside = next(trial_.inside);
    }
    trial_.inside = nearest;
    return false;
  }

  bool all_patterns() {
    const ChannelPattern pattern = trial_.pattern;
    if (alike_and_different()) return true;
    if (pattern != ChannelPattern::balanced_tree || host_.generation < GpuGeneration::hopper) return false;
    trial_.pattern = ChannelPattern::tree;
    const bool done = alike_and_different();
    trial_.pattern = pattern;
    return done;
  }

  bool alike_and_different() {
    for (const bool same : {true, false}) {
      trial_.same = same;
      if (attempt().most ||
          static_cast<Rate>(best_.channels.size()) * best_.rate_outside >= std::max<Rate>(total_, 1))
        return true;
    }
    return steps_of_all_ < 0 && !none();
  }

  ChannelSearch::Outcome attempt() {
    constexpr int steps_of_same = 1 << 8, steps_of_different = 1 << 14;
    const int steps = trial_.same ? steps_of_same : steps_of_different;
    const ChannelSearch::Outcome outcome = search_.improve(trial_, counts_, steps, best_);
    steps_of_all_ -= steps - outcome.steps_left;
    return outcome;
  }

  void duplicate() {
    constexpr Rate fast = 25'000, fast_of_hopper = 50'000;
    constexpr std::size_t few = 4;
    if (best_.rate_inside < fast) return;
    if (host_.generation >= GpuGeneration::hopper && best_.rate_inside < fast_of_hopper &&
        best_.channels.size() > few)
      return;
    const std::size_t found = best_.channels.size(), count = std::min(2 * found, counts_.most);
    for (std::size_t i = found; i < count; ++i)
      best_.channels.push_back(HostChannel(best_.channels[i - found]));
    const auto divisor = static_cast<Rate>((count + found - 1) / found);
    best_.rate_inside /= divisor;
    best_.rate_outside /= divisor;
  }

  // Raises both rates of rings, and of trees the one inside the machine.
  void raise_rates() {
    std::size_t index = 0;
    while (index + 1 < rates_.size() && rate(index) > best_.rate_outside) ++index;
    trial_ = best_;
    counts_.least = best_.channels.size();
    const bool ring = best_.pattern == ChannelPattern::ring;
    trial_.rate_inside = trial_.rate_outside = rate(index);
    if (!ring) trial_.rate_outside = best_.rate_outside;
    while (index-- > 0) {
      const bool goes_on =
          ring || (trial_.rate_inside == best_.rate_inside && trial_.rate_inside < 2 * trial_.rate_outside);
      if (!goes_on) return;
      trial_.rate_inside = rate(index);
      if (ring) trial_.rate_outside = rate(index);
      attempt();
    }
  }

  const HostPaths& paths_;
  const HostGraph& host_;
  std::span<const double> rates_;
  ChannelSearch search_;
  ChannelCounts counts_;
  PathType farthest_inside_ = PathType::loc, farthest_outside_ = PathType::loc;
  Rate highest_ = 0, total_ = 0;
  HostChannels trial_, best_;
  int steps_of_all_ = 1 << 19;
};

}  // namespace

HostChannels find_channels(const HostPaths& paths, ChannelPattern pattern, ChannelCounts counts) {
  return Attempts(paths, pattern, counts).run();
}

}  // namespace orrery::core
