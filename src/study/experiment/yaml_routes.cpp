#include "study/experiment/yaml_routes.hpp"

#include "network/graph/foreign_network_model.hpp"
#include "network/network_options.hpp"
#include "network/packet/model/packet_keys.hpp"
#include "study/run/network_faults.hpp"
#include "topology/graph/changes/link_change_kinds.hpp"
#include "topology/graph/relays/relaying.hpp"
#include "topology/graph/routing/foreign_routing.hpp"
#include "topology/graph/routing/routing_kinds.hpp"

namespace orrery::core {
namespace {

void read_routing(const InputNode& routing, const Extensions& extensions, RunSpec& run) {
  const Routing kind = find_routing(scalar_of(routing, "routing"), extensions);
  if (!kind) reject_word(routing, "routing", all_routing_words(extensions));
  require_routing(*run.topology, kind, routing.where);
  run.topology.edit().routing = kind;
}

constexpr std::int64_t max_hash_seeds = 1000;

void read_seed(const InputNode& seed, RunSpec& run) {
  constexpr std::int64_t largest = std::int64_t{1} << 53;
  run.topology.edit().route_seed = static_cast<std::uint64_t>(whole_of(seed, "route-seed", 0, largest));
}

void change_links(LinkChanges changes, const InputNode* relay, RunSpec& run) {
  const NetworkGraph& graph = *run.topology->graph;
  if (relay) changes.relaying = word_value_of(*relay, "relay", relaying_words);
  changes = with_relays_where_cut(std::move(changes), *run.topology);
  check_whole_at_start(graph, changes, changes.relaying.value_or(Relaying::never) != Relaying::never);
  if (changes.list.empty() && !changes.relaying) return;
  run.topology.edit().link_changes = std::make_shared<const LinkChanges>(std::move(changes));
}

}  // namespace

NetworkModel network_model_of(const InputNode& word, const Extensions& extensions) {
  const NetworkModel model = find_network_model(scalar_of(word, "network-model"), extensions);
  if (!model) reject_word(word, "network-model", all_network_model_words(extensions));
  return model;
}

SharedOption RouteReader::option(const NetworkOptionKind& kind, const InputNode& node, const RunSpec& run) {
  SharedOption unread;
  SharedOption& option = node.kind == InputNode::Kind::scalar ? options_[{&kind, node.text}] : unread;
  if (!option) option = kind.read(node, {folder_, load_});
  SharedOption of_run;
  with_place(run.network_model_where, [&] { of_run = fitting(option, option_use_of(run), node.where); });
  return of_run;
}

void RouteReader::read(const ExperimentValues& values, const InputNode& node, UnusedKeys& unused,
                       RunSpec& run) {
  // Says whether a key is given and has a meaning. It has one only if there are ways to choose from.
  const auto has_routes = [&](const InputNode* value, std::string_view key) {
    return value && unused.has_meaning(key, node, fault_of_routes_for(key, value->where, run));
  };
  const auto has = [&](const InputNode* value, std::string_view key, const auto& fault) {
    return value && unused.has_meaning(key, node, fault(value->where, run));
  };
  const auto packets_for = [](std::string_view key) {
    return [key](const SourceLocation& where, const RunSpec& of) {
      return fault_of_packets_for(key, where, of);
    };
  };
  if (has_routes(values.routing, "routing")) read_routing(*values.routing, load_.extensions(), run);
  if (has_routes(values.route_seed, "route-seed")) read_seed(*values.route_seed, run);
  if (has_routes(values.hash_seeds, "hash-seeds"))
    run.hash_seeds = static_cast<int>(whole_of(*values.hash_seeds, "hash-seeds", 1, max_hash_seeds));
  const bool relays = has_routes(values.relay, "relay");
  bool changes = relays;
  LinkChanges of_links;
  for (std::size_t i = 0; i < link_change_kinds.size(); ++i) {
    const LinkChangeKind& kind = *link_change_kinds[i];
    if (!has_routes(values.link_changes[i], kind.key.name)) continue;
    changes = true;
    add_changes(kind.read(*values.link_changes[i], *run.topology->graph), of_links);
  }
  if (changes) change_links(std::move(of_links), relays ? values.relay : nullptr, run);
  if (has(values.link_history, "link-history", fault_of_history_for))
    run.network.link_history = bool_of(*values.link_history, "link-history");
  if (has(values.message_times, "message-times", packets_for("message-times")))
    run.network.message_times = bool_of(*values.message_times, "message-times");
  if (has(values.packets, "packets", packets_for("packets")))
    run.network.packets =
        std::make_shared<const PacketSettings>(read_packets(*values.packets, load_.extensions()));
  for (std::size_t i = 0; i < network_option_kinds.size(); ++i) {
    const NetworkOptionKind& kind = *network_option_kinds[i];
    const auto fault = [&](const SourceLocation& where, const RunSpec& of) {
      return fault_of(kind, option_use_of(of), where);
    };
    if (has(values.options[i], kind.key.name, fault))
      run.network.options.push_back(option(kind, *values.options[i], run));
  }
}

}  // namespace orrery::core
