#include "simulate/folding/symmetry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/containers/member_count.hpp"
#include "base/diagnostics/unreachable.hpp"
#include "topology/graph/relays/relaying.hpp"
#include "topology/graph/routing/routing_kind.hpp"

namespace orrery::core {

namespace {

using Shortcuts = std::uint16_t;
using enum Shortcut;

template <class... More>
constexpr Shortcuts these(More... shortcuts) {
  return static_cast<Shortcuts>((0U | ... | static_cast<unsigned>(shortcuts)));
}

constexpr Shortcuts no_shortcut = 0, every_shortcut = 0xffff;
constexpr Shortcuts of_slots = these(slots_in_one_go, slots_one_rank, slots_same_parts, slots_one_for_all);

// Returns the shortcuts that an option of the network stands against.
constexpr Shortcuts against(Symmetry symmetry) {
  switch (symmetry) {
    case Symmetry::unclassified:
      return every_shortcut;
    case Symmetry::kept:
      return no_shortcut;
    case Symmetry::phases_meet:
      return these(equal_ranks, isolated_phases, known_times, times_on_some, slots_in_one_go,
                   slots_one_for_all);
    case Symmetry::others_use_links:
      return these(equal_ranks, one_for_all, isolated_phases, known_times, times_on_some, slots_in_one_go,
                   slots_one_for_all);
    // A model without meetings of messages knows nothing to record.
    case Symmetry::watched:
      return these(one_for_all, isolated_phases, known_times, times_on_some, slots_one_for_all);
  }
  unreachable("the shortcuts that stand against every kind of symmetry are known");
}

// A member of the machine, by its path, and the shortcuts that it stands against where it is set.
struct Member {
  std::string_view path;
  Shortcuts against = every_shortcut;
  bool (*is_set)(const Machine& machine) = nullptr;  // null: it always is
  std::string_view why = {};                         // in words, for `--explain`
  std::string_view why_in_slots = {};                // empty: the same
};

bool chooses_by_message(const Machine& machine) {
  return machine.topology.routing && machine.topology.routing->by_message;
}

constexpr std::string_view route_of_its_own = "every message finds a way of its own";
constexpr std::string_view records_links = "what each link carries when is recorded";
constexpr std::string_view options = "network.options", network_model = "network.model";

// The first member that stands against a shortcut is the one that is named.
constexpr Member machine_members[] = {
    // Collectives of a library send no messages, and whoever takes shortcuts of phases has none then.
    {"library", these(slots_in_one_go), [](const Machine& m) { return m.library != nullptr; },
     "a library's closed forms carry out collectives"},
    // Classes of ranks tell them apart.
    {"compute_slowdown", these(one_for_all, known_times, times_on_some, slots_one_rank),
     [](const Machine& m) { return !m.compute_slowdown.empty(); },
     "some ranks are slower, and messages may meet on links", "they compute at speeds of their own"},
    // So they do with these. No graph has them, and only graphs have collectives of known times.
    {"network.slow_links", these(one_for_all, slots_in_one_go),
     [](const Machine& m) { return !m.network.slow_links.empty(); },
     "some links are slower, and messages may meet on links", "some links are slow"},
    {"system.shared_bus", these(equal_ranks, isolated_phases, known_times, times_on_some, slots_in_one_go),
     [](const Machine& m) { return m.system.shared_bus.has_value(); },
     "messages of different chunks share each NPU's memory bus", "chunks share a bus"},
    {"system.rendezvous",
     these(slots_in_one_go),
     [](const Machine& m) { return m.system.rendezvous; },
     {},
     "messages wait for their receivers (rendezvous)"},
    {"system.channels", these(one_for_all, isolated_phases, slots_one_for_all),
     [](const Machine& m) { return m.system.channels; }, "collectives run on channels"},
    {"topology.routing", these(one_for_all, known_times, times_on_some, slots_one_for_all),
     chooses_by_message, route_of_its_own},
    {"topology.link_changes.relaying", these(one_for_all, known_times, slots_one_for_all),
     [](const Machine& m) { return relaying_of(m.topology) != Relaying::never; }, route_of_its_own},
    {"system.rendezvous", these(one_for_all), [](const Machine& m) { return m.system.rendezvous; },
     "handshakes go over the links, too"},
    {options, no_shortcut},  // each kind of option says it
    {network_model,
     no_shortcut},  // so does each kind of model; it has to have a transport that is folded, too
    // Collectives of known times are those whose links do not change.
    {"topology.link_changes", these(one_for_all, isolated_phases, slots_one_for_all),
     [](const Machine& m) { return m.topology.link_changes != nullptr; }, "other things happen on the links"},
    {"network.link_history", against(Symmetry::watched),
     [](const Machine& m) { return m.network.link_history; }, records_links},
    {"network.message_times", against(Symmetry::watched),
     [](const Machine& m) { return m.network.message_times; }, records_links},
    {"network.packet_logs", against(Symmetry::watched),
     [](const Machine& m) { return !m.network.packet_logs.empty(); }, records_links},
    // Ranks have one collective under way at a time. Chunks of it that reach a dimension together would take
    // turns in an order that may differ from rank to rank.
    {"system.chunks", these(slots_one_for_all), [](const Machine& m) { return m.system.chunks > 1; },
     "messages may meet on links, and chunks go side by side"},
    {"algorithms", these(slots_same_parts), [](const Machine& m) { return !m.algorithms.empty(); },
     "a custom algorithm gives each rank a part of its own"},

    // These are alike for all ranks, or whoever takes a shortcut looks at what they hold.
    {"topology", no_shortcut},
    {"topology.dimensions", no_shortcut},
    {"topology.graph", no_shortcut},
    {"topology.flits", no_shortcut},
    {"topology.route_seed", no_shortcut},
    {"system", no_shortcut},
    {"dialect", no_shortcut},
    {"network", no_shortcut},
    {"network.sends", no_shortcut},    // looks at messages ask them
    {"network.packets", no_shortcut},  // only a model of packets knows them, and says whether it remembers
    {"every_class", no_shortcut},      // what each class does is recorded, whoever stands for it
    {"memory", no_shortcut},           // ranks may queue for it, which depends on what the program does
    {"few_messages", no_shortcut},
    {"few_messages_of_rank", no_shortcut},
};

// Returns how many members of what `prefix` begins with are listed: those that are just behind it.
constexpr std::size_t listed(std::string_view prefix) {
  return static_cast<std::size_t>(std::ranges::count_if(machine_members, [&](const Member& member) {
    return member.path.starts_with(prefix) &&
           member.path.substr(prefix.size()).find('.') == std::string_view::npos;
  }));
}

// Whoever adds a member says above what it does to the symmetry of ranks.
static_assert(listed("") == members_of<Machine>());
static_assert(listed("network.") == members_of<NetworkSetup>());
static_assert(listed("topology.") == members_of<Topology>());

bool is_of_slots(Shortcut shortcut) {
  return (of_slots & these(shortcut)) != 0;
}

std::string why_not_with_options(Shortcut shortcut, const Machine& machine) {
  for (const SharedOption& option : machine.network.options) {
    const NetworkOptionKind& kind = option->kind();
    if ((against(kind.symmetry) & these(shortcut)) == 0) continue;
    if (kind.symmetry != Symmetry::unclassified) return std::string(kind.why_not_folded);
    return fmt::format("nobody has said whether ranks stay equal with `{}`", kind.key.name);
  }
  return {};
}

std::string why_not_with_model(Shortcut shortcut, const Machine& machine) {
  const NetworkModelKind& kind = *machine.network.model;
  if ((against(kind.symmetry) & these(shortcut)) == 0) return {};
  return fmt::format("nobody has said whether ranks stay equal with the network model `{}`", kind.name);
}

}  // namespace

std::string why_not(Shortcut shortcut, const Machine& machine) {
  for (const Member& member : machine_members) {
    if (member.path == options)
      if (std::string reason = why_not_with_options(shortcut, machine); !reason.empty()) return reason;
    if (member.path == network_model)
      if (std::string reason = why_not_with_model(shortcut, machine); !reason.empty()) return reason;
    if ((member.against & these(shortcut)) != 0 && (!member.is_set || member.is_set(machine)))
      return std::string(is_of_slots(shortcut) && !member.why_in_slots.empty() ? member.why_in_slots
                                                                               : member.why);
  }
  return {};
}

}  // namespace orrery::core
