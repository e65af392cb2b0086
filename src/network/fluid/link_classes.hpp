// Takes links together that the same flows use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "network/fluid/flow_progress.hpp"
#include "network/link/link_map.hpp"

namespace orrery::core {

// Links of one speed that every flow uses equally often limit flows equally, so one stands for all of them. A
// flow here is everything that NPUs in step send at the same time: it uses a link as often as their messages
// pass it. Links that no flow uses belong to no class.
class LinkClasses {
 public:
  using Capacity = std::function<double(Link)>;  // in bytes per ns

  // Keeps a reference to the flows. With `joins`, links make classes. Otherwise each link stands by itself,
  // which is better where few flows use the same links.
  LinkClasses(FlowProgress& flows, Capacity capacity, bool joins = true)
      : flows_(flows), capacity_(std::move(capacity)), joins_(joins) {}

  // Adds a route of flows that uses each of `links`, as often as it is listed, and returns the route's
  // number. Classes of which it uses only some links are cut in two.
  std::uint32_t add(std::vector<Link> links, FlowProgress::Order order = FlowProgress::Order::together);

  // Returns the number of classes.
  std::size_t size() const { return links_.size(); }

 private:
  using Class = std::uint32_t;  // a resource of the flows

  FlowProgress& flows_;
  Capacity capacity_;
  bool joins_;
  std::unordered_map<Link, Class> class_of_;
  std::unordered_map<Class, std::uint64_t> links_;  // number of links by class
};

}  // namespace orrery::core
