#include "study/yaml_routes.hpp"

#include <fmt/format.h>

#include "network/flows/flow_file.hpp"
#include "network/flows/flow_source.hpp"
#include "network/host/host_stack_file.hpp"
#include "network/packet/packet_keys.hpp"
#include "topology/graph/failures.hpp"
#include "topology/graph/link_changes.hpp"
#include "topology/graph/relaying.hpp"
#include "topology/graph/routing/routing_kinds.hpp"

namespace orrery {
namespace {

void read_routing(const InputNode& routing, RunSpec& run) {
  const Routing kind = word_value_of(routing, "routing", routing_words);
  require_routing(*run.topology, kind, routing.where);
  run.topology.edit().routing = kind;
}

constexpr std::int64_t most_hash_seeds = 1000;

void read_seed(const InputNode& seed, RunSpec& run) {
  constexpr std::int64_t largest = std::int64_t{1} << 53;
  run.topology.edit().route_seed = static_cast<std::uint64_t>(whole_of(seed, "route-seed", 0, largest));
}

void read_run_failures(const InputNode* failures, const InputNode* relay, RunSpec& run) {
  const NetworkGraph& graph = *run.topology->graph;
  LinkChanges changes = failures ? read_failures(*failures, graph) : LinkChanges();
  if (relay) changes.relaying = word_value_of(*relay, "relay", relaying_words);
  changes = with_relays_where_cut(std::move(changes), *run.topology);
  check_whole_at_start(graph, changes, changes.relaying.value_or(Relaying::never) != Relaying::never);
  if (changes.list.empty() && !changes.relaying) return;
  run.topology.edit().link_changes = std::make_shared<const LinkChanges>(std::move(changes));
}

void require_meetings(const SourceLocation& background, const RunSpec& run) {
  if (run.network.model->carries_collectives) return;
  throw InputError(
      background,
      fmt::format("with the network model `{}` nothing meets the run's collectives; use `fluid` or "
                  "leave `background` out",
                  run.network.model->name));
}

void require_messages(const SourceLocation& host_stack, const RunSpec& run) {
  if (!run.system->library.empty())
    throw InputError(
        host_stack,
        "the closed forms of a library have the costs of hosts in them; leave `host-stack` out, or "
        "the system's `library`");
  if (!run.network.model->carries_collectives)
    throw InputError(
        host_stack, fmt::format("with the network model `{}` no message of a collective passes a host stack; "
                                "use `fluid` or leave `host-stack` out",
                                run.network.model->name));
}

void require_packets_for(std::string_view key, const SourceLocation& where, const RunSpec& run) {
  with_place(run.network_model_where,
             [&] { require_packets(*run.topology, run.network.model, where, fmt::format("`{}`", key)); });
}

void require_ways_for(std::string_view key, const SourceLocation& where, const RunSpec& run) {
  require_ways(*run.topology, run.network.model, where, fmt::format("`{}`", key));
}

void require_history_for(const SourceLocation& where, const RunSpec& run) {
  require_link_history(*run.topology, run.network.model, where, "`link-history`");
}

}  // namespace

bool network_knows(std::string_view key, const RunSpec& run) {
  try {
    for (const std::string_view of_ways : {"routing", "relay", "route-seed", "hash-seeds", "failures"})
      if (key == of_ways) require_ways_for(key, {}, run);
    if (key == "packets") require_packets_for(key, {}, run);
    if (key == "host-stack") require_messages({}, run);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

void require_all_heeded(const RunSpec& run) {
  const bool closed_forms = !run.system->library.empty() && !run.network.model->carries_collectives;
  const auto require = [&](bool given, std::string_view key, const auto& check) {
    if (!given) return;
    if (closed_forms)
      throw InputError({}, fmt::format("the closed forms of a library know no `{}`; leave it out", key));
    check();
  };
  require(!run.network.slow_links.empty(), "slow-links", [&] { require_slow_links(run.network.model, {}); });
  const bool breaks = run.topology->link_changes && !run.topology->link_changes->list.empty();
  require(breaks, "failures", [&] { require_ways_for("failures", {}, run); });
  require(run.network.background != nullptr, "background", [&] { require_meetings({}, run); });
  require(run.network.host_stack != nullptr, "host-stack", [&] { require_messages({}, run); });
}

RouteReader::Flows RouteReader::background(const InputNode& node, const RunSpec& run) {
  const std::string path = (folder_ / scalar_of(node, "background")).string();
  Flows& flows = backgrounds_[path];
  if (!flows) {
    std::string text;
    try {
      text = load_(path);
    } catch (const InputError& error) {
      throw InputError(node.where, error.what());
    }
    flows = std::make_shared<const std::vector<Flow>>(read_flow_file(text, path));
    if (names_nodes(text)) of_nodes_.insert(path);
  }
  Flows of_run = flows;
  if (of_nodes_.contains(path)) {
    std::vector<Flow> between_npus = *flows;
    find_npus(between_npus, *run.topology);
    of_run = std::make_shared<const std::vector<Flow>>(std::move(between_npus));
  }
  check_ends(*of_run, run.topology->npus());
  with_place(run.network_model_where, [&] { check_priorities(*of_run, *run.topology, run.network.model); });
  return of_run;
}

std::shared_ptr<const HostStack> RouteReader::host_stack(const InputNode& node, const RunSpec& run) {
  const auto load = [&](const std::string& path) { return load_((folder_ / path).string()); };
  HostStack stack = read_host_stack(node, load);
  if (run.topology->npus() % stack.npus_per_host != 0)
    throw InputError(
        node.where,
        fmt::format("{} NPUs cannot be {} in each host; take a divisor of them as `npus-per-host`",
                    run.topology->npus(), stack.npus_per_host));
  return std::make_shared<const HostStack>(std::move(stack));
}

void RouteReader::read(const ExperimentValues& values, const InputNode& node, UnusedKeys& unused,
                       RunSpec& run) {
  // Says whether a key is given and has a meaning. It has one only if there are ways to choose from.
  const auto has_ways = [&](const InputNode* value, std::string_view key) {
    return value && unused.has_meaning(key, node, [&] { require_ways_for(key, value->where, run); });
  };
  const auto has = [&](const InputNode* value, std::string_view key, const auto& require) {
    return value && unused.has_meaning(key, node, [&] { require(value->where, run); });
  };
  const auto packets_for = [](std::string_view key) {
    return [key](const SourceLocation& where, const RunSpec& of) { require_packets_for(key, where, of); };
  };
  if (has_ways(values.routing, "routing")) read_routing(*values.routing, run);
  if (has_ways(values.route_seed, "route-seed")) read_seed(*values.route_seed, run);
  if (has_ways(values.hash_seeds, "hash-seeds"))
    run.hash_seeds = static_cast<int>(whole_of(*values.hash_seeds, "hash-seeds", 1, most_hash_seeds));
  const bool relays = has_ways(values.relay, "relay"), breaks = has_ways(values.failures, "failures");
  if (relays || breaks)
    read_run_failures(breaks ? values.failures : nullptr, relays ? values.relay : nullptr, run);
  if (has(values.link_history, "link-history", require_history_for))
    run.network.link_history = bool_of(*values.link_history, "link-history");
  if (has(values.message_times, "message-times", packets_for("message-times")))
    run.network.message_times = bool_of(*values.message_times, "message-times");
  if (has(values.packets, "packets", packets_for("packets")))
    run.network.packets = std::make_shared<const PacketSettings>(read_packets(*values.packets));
  if (has(values.background, "background", require_meetings))
    run.network.background = background(*values.background, run);
  if (has(values.host_stack, "host-stack", require_messages))
    run.network.host_stack = host_stack(*values.host_stack, run);
}

}  // namespace orrery
