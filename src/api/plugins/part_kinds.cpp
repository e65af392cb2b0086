#include "api/plugins/part_kinds.hpp"

#include <fmt/format.h>

#include "api/plugins/extensions.hpp"

namespace orrery::core {

namespace {

// Takes the function of a registry that returns its parts of a kind.
template <auto parts>
PartKind::Parts parts_of(const Registry& registry) {
  const auto& named = (registry.*parts)();
  return {named.begin(), named.end()};
}

constexpr PartKind kinds[] = {
    {"form of networks", "build", "a network", parts_of<&Registry::networks>, add_foreign_networks},
    {"collective algorithm", "algorithm", "a collective of a system", parts_of<&Registry::algorithms>,
     add_foreign_algorithms},
    {"routing", "routing", "an experiment", parts_of<&Registry::routings>, add_foreign_routings},
    {"congestion control", "congestion-control", "packets", parts_of<&Registry::congestion_controls>,
     add_foreign_controls},
    {"compute model", "compute-model", "a device", parts_of<&Registry::compute_models>,
     add_foreign_compute_models},
    {"network model", "network-model", "an experiment", parts_of<&Registry::network_models>,
     add_foreign_network_models},
    {"files about runs", "", "every run that has reports", parts_of<&Registry::exporters>,
     add_foreign_exporters},
};

constexpr Column<ListedPart> listed_part_columns[] = {
    {"kind", "", "Kind of the part.", [](auto& row) { return row.kind; }, "kind"},
    {"name", "", "Name of the part.", [](auto& row) { return row.name; }, "name"},
    {"use", "", "What a user writes to ask for it. It is left out where being loaded is enough.",
     [](auto& row) { return row.use.empty() ? std::nullopt : std::optional(row.use); }, "use"},
    {"where", "", "What has this key in an experiment, or where the part works.",
     [](auto& row) { return row.where; }, "where"},
    {"file", "", "File of the plug-in that added it. It is left out where a program did.",
     [](auto& row) { return row.file.empty() ? std::nullopt : std::optional(row.file); }, "plug-in"},
};

}  // namespace

const Table<ListedPart> listed_part_table(listed_part_columns);

std::span<const PartKind> part_kinds() {
  return kinds;
}

std::vector<ListedPart> listed_parts(const Registry& registry) {
  std::vector<ListedPart> list;
  for (const PartKind& kind : kinds)
    for (const auto& [name, part] : kind.parts(registry))
      list.push_back({kind.name, name, kind.key.empty() ? "" : fmt::format("{}: {}", kind.key, name),
                      kind.where, registry.file_of(part)});
  return list;
}

}  // namespace orrery::core
