// Finds which members of other bottlenecks a resource takes over: those that are faster than its own would
// be.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

namespace orrery::core {

class Takeover {
 public:
  struct Rival {  // a route with another bottleneck that uses the resource
    double rate;
    std::uint32_t bottleneck, route;
    double weight;  // of each of its flows on the resource
    std::uint32_t flows;
    bool operator<(const Rival& other) const {  // the fastest first
      return std::tuple(-rate, bottleneck, route) < std::tuple(-other.rate, other.bottleneck, other.route);
    }
  };

  // Begins anew, without rivals.
  void clear() {
    rivals_.clear();
    taken_ = 0;
    fastest_slow_ = 0;
  }
  void add(const Rival& rival) { rivals_.push_back(rival); }
  // Hears of a route that is too slow to be a rival.
  void pass_over(double rate) { fastest_slow_ = std::max(fastest_slow_, rate); }
  // Takes over rivals until none is faster than the level, except for a share of `rounding`. The resource has
  // `left` for members and free flows of `weight`. Returns the level that it then has.
  double plan(double left, double weight, double level, double rounding) {
    std::sort(rivals_.begin(), rivals_.end());
    for (const Rival& rival : rivals_) {
      if (rival.rate <= level * (1 + rounding)) break;
      ++taken_;
      left += rival.rate * rival.weight * rival.flows;
      weight += rival.weight * rival.flows;
      level = std::max(left, 0.0) / weight;
    }
    return level;
  }

  std::span<const Rival> taken() const { return std::span(rivals_).first(taken_); }
  // Returns the rate of the fastest route of all, as planned, or 0.
  double fastest() const { return rivals_.empty() ? fastest_slow_ : rivals_.front().rate; }
  // Returns that of the fastest that is not taken over, or 0.
  double fastest_left() const { return taken_ < rivals_.size() ? rivals_[taken_].rate : fastest_slow_; }

 private:
  std::vector<Rival> rivals_;
  std::size_t taken_ = 0;
  double fastest_slow_ = 0;  // rate of the fastest route that is no rival
};

}  // namespace orrery::core
