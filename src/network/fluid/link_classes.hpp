// Links that the same flows use, taken together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "network/fluid/flow_progress.hpp"
#include "network/link/link_map.hpp"

namespace orrery {

// Links of one speed that every flow uses equally often limit flows equally, so one stands for all of
// them. A flow here is all that is sent at the same time by NPUs in step: it uses a link as often as their
// messages pass it. Links that no flow uses belong to no class.
class LinkClasses {
 public:
  using Capacity = std::function<double(Link)>;  // in bytes per ns

  // Keeps a reference to the flows. `joins`: links make classes; else each is one by itself, which is better
  // where few flows use the same links.
  LinkClasses(FlowProgress& flows, Capacity capacity, bool joins = true)
      : flows_(flows), capacity_(std::move(capacity)), joins_(joins) {}

  // Adds a way of flows that uses each of `links`, as often as it stands there, and returns its number.
  // Classes of which it uses some links only are cut in two.
  std::uint32_t add(std::vector<Link> links, FlowProgress::Order order = FlowProgress::Order::together);

  // Returns the number of classes.
  std::size_t size() const { return links_.size(); }

 private:
  using Class = std::uint32_t;  // a resource of the flows

  FlowProgress& flows_;
  Capacity capacity_;
  bool joins_;
  std::unordered_map<Link, Class> class_of_;
  std::unordered_map<Class, std::uint64_t> links_;  // how many they are
};

}  // namespace orrery
