// Says how much the flows of each bottleneck put on other resources, all of them together.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace orrery {

class Crossings {
 public:
  struct Crossing {
    std::uint32_t resource;
    std::uint32_t ways;  // ways of the bottleneck that use the resource
    double weight;       // weight of their flows
  };

  void add_resource() {
    of_.emplace_back();
    place_.push_back(0);
  }
  std::span<const Crossing> of(std::uint32_t bottleneck) const { return of_[bottleneck]; }

  // Opens the list of a bottleneck, to which the next functions refer. It takes a step for each entry, as
  // does the change of level that follows.
  void open(std::uint32_t bottleneck) {
    if (open_ == bottleneck) return;
    open_ = bottleneck;
    const std::vector<Crossing>& list = of_[open_];
    for (std::uint32_t i = 0; i < list.size(); ++i) place_[list[i].resource] = i;
  }

  void add_way(std::uint32_t resource, double weight) {
    if (Crossing* const found = find(resource)) {
      ++found->ways;
      found->weight += weight;
      return;
    }
    place_[resource] = static_cast<std::uint32_t>(of_[open_].size());
    of_[open_].push_back({resource, 1, weight});
  }
  void add_weight(std::uint32_t resource, double weight) { find(resource)->weight += weight; }
  void remove_way(std::uint32_t resource, double weight) {
    std::vector<Crossing>& list = of_[open_];
    Crossing& found = *find(resource);
    found.weight -= weight;
    if (--found.ways > 0) return;
    place_[list.back().resource] = place_[resource];
    found = list.back();
    list.pop_back();
  }

 private:
  static constexpr std::uint32_t none = 0xffffffff;

  // What another list has left in place_ leads to an entry of another resource, or to none.
  Crossing* find(std::uint32_t resource) {
    std::vector<Crossing>& list = of_[open_];
    const std::uint32_t place = place_[resource];
    return place < list.size() && list[place].resource == resource ? &list[place] : nullptr;
  }

  std::vector<std::vector<Crossing>> of_;  // by bottleneck
  std::vector<std::uint32_t> place_;       // in the open list, by resource
  std::uint32_t open_ = none;
};

}  // namespace orrery
