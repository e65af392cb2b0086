// A routing of a plug-in, which is found by its name among the extensions.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/extensions.hpp"
#include "topology/graph/routing/routing_kind.hpp"

namespace orrery::core {

class ForeignRouting {
 public:
  // Returns the place of a link in the list, which is not empty. May throw InputError.
  using Choose = std::function<std::size_t(const RoutingPoint& point, std::span<const LinkId> links)>;

  ForeignRouting(std::string name, bool by_load, Choose choose);
  ForeignRouting(const ForeignRouting&) = delete;
  ForeignRouting& operator=(const ForeignRouting&) = delete;

  // Returns the kind of routing that users choose by its name, which lives as long as this.
  Routing kind() const { return &kind_; }

 private:
  struct Kind : RoutingKind {
    Choose pick;
  };
  static void choose(const RoutingPoint& point, std::vector<LinkId>& links);

  std::string name_;
  Kind kind_;
};

// What a registry holds.
using ForeignRoutingEntry = std::shared_ptr<const ForeignRouting>;

// Returns the routing of a word, which is one of Orrery's or of a plug-in's; null where it is neither. Those
// of plug-ins live as long as the extensions.
Routing find_routing(std::string_view word, const Extensions& extensions);
// Returns all words of routings.
std::vector<std::string_view> all_routing_words(const Extensions& extensions);

}  // namespace orrery::core
