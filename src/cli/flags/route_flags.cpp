#include "cli/flags/route_flags.hpp"

#include <algorithm>

#include "cli/flags/flag_values.hpp"
#include "topology/graph/relays/relaying.hpp"
#include "topology/graph/routing/foreign_routing.hpp"
#include "topology/graph/routing/routing_kinds.hpp"

namespace orrery::core {

void RouteFlags::add_to(CLI::App& command, const std::string& group) {
  const auto add = [&](const char* name, auto& target, const char* description) {
    CLI::Option* const option = command.add_option(name, target, description);
    if (!group.empty()) option->group(group);
    options_.push_back(option);
  };
  add("--routing", routing_,
      "How messages choose among ways of a graph that are equally short: ecmp (usual), shortest, spray, "
      "spray-messages, adaptive, spray-packets, spray-random, spray-labels, flowlets, adaptive-packets, "
      "dimension-order, "
      "static or relay");
  add("--relay", relay_,
      "Whether NPUs pass messages on: never, where-cut (usual with the routing relay and with failures), or "
      "always where that is shorter");
  add("--route-seed", seed_,
      "Chooses among ways that are equally short; other seeds let other messages meet");
  for (std::size_t i = 0; i < link_change_kinds.size(); ++i)
    add(("--" + std::string(link_change_kinds[i]->key.name)).c_str(), link_changes_[i],
        std::string(link_change_kinds[i]->flag).c_str());
}

bool RouteFlags::any_given() const {
  return std::ranges::any_of(options_, [](const CLI::Option* option) { return option->count() > 0; });
}

void RouteFlags::apply(Topology& topology, NetworkModel model, const FileLoader& load) const {
  for (const CLI::Option* option : options_)
    if (option->count() > 0) throw_if(fault_of_routes(topology, model, {option->get_name()}, "it"));
  if (!routing_.empty()) {
    topology.routing = find_routing(routing_, load.extensions());
    if (!topology.routing)
      throw InputError({"--routing"}, "unknown word " + backquoted(routing_) + ", use " +
                                          alternatives(all_routing_words(load.extensions())));
    require_routing(topology, topology.routing, {"--routing"});
  }
  if (seed_) topology.route_seed = *seed_;
  const bool changes_links =
      std::ranges::any_of(link_changes_, [](const auto& file) { return !file.empty(); });
  if (relay_.empty() && !changes_links) return;
  LinkChanges changes;
  for (std::size_t i = 0; i < link_change_kinds.size(); ++i)
    if (const std::string& file = link_changes_[i]; !file.empty())
      add_changes(link_change_kinds[i]->read_file(load(file), file, *topology.graph), changes);
  if (!relay_.empty()) changes.relaying = word_of_flag(relaying_words, relay_, "--relay");
  topology.link_changes =
      std::make_shared<const LinkChanges>(with_relays_where_cut(std::move(changes), topology));
}

}  // namespace orrery::core
