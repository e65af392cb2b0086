#include "study/run/network_faults.hpp"

#include <fmt/format.h>

#include "network/network_options.hpp"
#include "network/packet/model/packet_keys.hpp"
#include "topology/graph/changes/link_change_kinds.hpp"

namespace orrery::core {

OptionUse option_use_of(const RunSpec& run) {
  return {.topology = *run.topology,
          .model = run.network.model,
          .library = run.system->library.has_value(),
          .at_switches = run.system->adds_up_in_network()};
}

InputFault fault_of_packets_for(std::string_view key, const SourceLocation& where, const RunSpec& run) {
  return with_place(run.network_model_where,
                    fault_of_packets(*run.topology, run.network.model, where, fmt::format("`{}`", key)));
}

InputFault fault_of_routes_for(std::string_view key, const SourceLocation& where, const RunSpec& run) {
  return fault_of_routes(*run.topology, run.network.model, where, fmt::format("`{}`", key));
}

InputFault fault_of_history_for(const SourceLocation& where, const RunSpec& run) {
  return fault_of_link_history(*run.topology, run.network.model, where, "`link-history`");
}

bool network_knows(std::string_view key, const RunSpec& run) {
  for (const std::string_view of_routes : {"routing", "relay", "route-seed", "hash-seeds"})
    if (key == of_routes) return !fault_of_routes_for(key, {}, run);
  for (const LinkChangeKind* kind : link_change_kinds)
    if (key == kind->key.name) return !fault_of_routes_for(key, {}, run);
  if (key == "packets") return !fault_of_packets_for(key, {}, run);
  for (const NetworkOptionKind* kind : network_option_kinds)
    if (key == kind->key.name) return !fault_of(*kind, option_use_of(run), {});
  return true;
}

void require_all_heeded(const RunSpec& run) {
  const bool closed_forms = run.system->library.has_value() && !run.network.model->carries_collectives;
  const auto require = [&](bool given, std::string_view key, const auto& fault) {
    if (!given) return;
    if (closed_forms)
      throw InputError({}, fmt::format("the closed forms of a library know no `{}`; leave it out", key));
    throw_if(fault());
  };
  require(!run.network.slow_links.empty(), "slow-links",
          [&] { return fault_of_slow_links(run.network.model, {}); });
  const bool breaks = run.topology->link_changes && !run.topology->link_changes->list.empty();
  constexpr std::string_view changes = link_change_kinds.front()->key.name;  // the usual reason
  require(breaks, changes, [&] { return fault_of_routes_for(changes, {}, run); });
  for (const SharedOption& option : run.network.options)
    require(true, option->kind().key.name, [&] { return fault_of(option->kind(), option_use_of(run), {}); });
}

}  // namespace orrery::core
