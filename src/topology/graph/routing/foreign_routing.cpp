#include "topology/graph/routing/foreign_routing.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/diagnostics/diagnostics.hpp"
#include "base/files/foreign_words.hpp"
#include "topology/graph/routing/routing_kinds.hpp"

namespace orrery::core {

ForeignRouting::ForeignRouting(std::string name, bool by_load, Choose choose_link) : name_(std::move(name)) {
  kind_.name = name_;
  kind_.choose = choose;
  // Nobody knows what it looks at, so that no two messages are taken for alike.
  kind_.by_message = true;
  kind_.by_load = by_load;
  kind_.pick = std::move(choose_link);
}

void ForeignRouting::choose(const RoutingPoint& point, std::vector<LinkId>& links) {
  const Kind& kind = static_cast<const Kind&>(point.routing);
  const std::size_t place = kind.pick(point, links);
  if (place >= links.size())
    throw InputError(
        {fmt::format("routing {} of a plug-in", kind.name)},
        fmt::format("it chooses link {} of a list of {}; the first one is link 0", place, links.size()));
  links = {links[place]};
}

Routing find_routing(std::string_view word, const Extensions& extensions) {
  return find_kind<ForeignRoutingEntry>(routing_words, word, extensions).value_or(nullptr);
}

std::vector<std::string_view> all_routing_words(const Extensions& extensions) {
  return all_words<ForeignRoutingEntry>(routing_words, extensions);
}

}  // namespace orrery::core
