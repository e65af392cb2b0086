// Says how much the flows of each bottleneck put on other resources, all of them together. Resources are
// *watched* or *roomy* (shared_resource.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace orrery::core {

class Crossings {
 public:
  struct Crossing {
    std::uint32_t resource;
    std::uint32_t routes;  // routes of the bottleneck that use the resource
    double weight;         // weight of their flows
  };

  void add_resource() {
    of_.emplace_back();
    place_.push_back(0);
  }
  std::span<const Crossing> watched(std::uint32_t bottleneck) const {
    return std::span(of_[bottleneck].crossings).first(of_[bottleneck].watched);
  }
  std::span<const Crossing> roomy(std::uint32_t bottleneck) const {
    return std::span(of_[bottleneck].crossings).subspan(of_[bottleneck].watched);
  }

  // Opens the list of a bottleneck, to which the next functions refer. It takes a step for each entry, as
  // does the change of level that follows.
  void open(std::uint32_t bottleneck) {
    if (open_ == bottleneck) return;
    open_ = bottleneck;
    const std::vector<Crossing>& list = of_[open_].crossings;
    for (std::uint32_t i = 0; i < list.size(); ++i) place_[list[i].resource] = i;
  }

  void add_route(std::uint32_t resource, double weight, bool watched) {
    std::vector<Crossing>& list = of_[open_].crossings;
    if (is_listed(resource)) {
      ++list[place_[resource]].routes;
      return add_weight(resource, weight);
    }
    place_[resource] = static_cast<std::uint32_t>(list.size());
    list.push_back({resource, 1, weight});
    set_watched(resource, watched);
  }
  void add_weight(std::uint32_t resource, double weight) {
    of_[open_].crossings[place_[resource]].weight += weight;
  }
  void remove_route(std::uint32_t resource, double weight) {
    std::vector<Crossing>& list = of_[open_].crossings;
    add_weight(resource, -weight);
    if (--list[place_[resource]].routes > 0) return;
    set_watched(resource, false);
    exchange(place_[resource], static_cast<std::uint32_t>(list.size() - 1));
    list.pop_back();
  }
  void set_watched(std::uint32_t resource, bool watched) {
    List& list = of_[open_];
    const std::uint32_t place = place_[resource];
    if (watched == (place < list.watched)) return;
    exchange(place, watched ? list.watched++ : --list.watched);
  }

 private:
  static constexpr std::uint32_t none = 0xffffffff;
  struct List {
    std::vector<Crossing> crossings;  // of watched resources, then of roomy ones
    std::uint32_t watched = 0;
  };

  // What another list has left in place_ leads to an entry of another resource, or to none.
  bool is_listed(std::uint32_t resource) const {
    const std::vector<Crossing>& list = of_[open_].crossings;
    const std::uint32_t place = place_[resource];
    return place < list.size() && list[place].resource == resource;
  }
  void exchange(std::uint32_t one, std::uint32_t other) {
    std::vector<Crossing>& list = of_[open_].crossings;
    std::swap(list[one], list[other]);
    place_[list[one].resource] = one;
    place_[list[other].resource] = other;
  }

  std::vector<List> of_;              // by bottleneck
  std::vector<std::uint32_t> place_;  // in the open list, by resource
  std::uint32_t open_ = none;
};

}  // namespace orrery::core
