#include "study/astra2/process_groups.hpp"

#include <fmt/format.h>

#include "base/input/node_reader.hpp"
#include "base/text/token_reader.hpp"

namespace orrery::core {

std::vector<ProcessGroup> read_process_groups(const std::string& text) {
  constexpr std::size_t around = 2;
  constexpr int largest_id = 1'000'000'000;
  const std::string what = "the process groups";
  if (text.size() <= 2 * around) throw InputError({what}, "are missing");
  const InputNode root = parse_json(std::string_view(text).substr(around, text.size() - 2 * around), what);
  std::vector<ProcessGroup> groups;
  for (const InputNode& entry : items_of(root, what)) {
    const InputNode& name = required(entry, "a process group", "pg_name");
    const auto id = parse_unsigned(scalar_of(name, "pg_name"));
    if (!id || *id > largest_id) throw InputError(name.where, "pg_name has to be a number in quotes");
    ProcessGroup group{static_cast<int>(*id), {}};
    for (const InputNode& rank : items_of(required(entry, "a process group", "ranks"), "ranks"))
      group.members.push_back(int_of(rank, "ranks", INT32_MIN, INT32_MAX));
    groups.push_back(std::move(group));
  }
  return groups;
}

std::shared_ptr<const ProcessGroups> process_groups_of(const chakra::TraceGraph& graph,
                                                       const std::string& file, Warnings& warnings) {
  auto groups = std::make_shared<ProcessGroups>();
  for (const chakra::Trace::NodeValues& values : graph.metadata) {
    if (values.values.size() <= 4) continue;
    if (fault_in([&] { (*groups)[values.node] = read_process_groups(values.values); }))
      warnings.add({file},
                   fmt::format("node {} holds metadata that are no list of process groups, they are ignored",
                               graph.nodes.id(values.node)));
  }
  return groups->empty() ? nullptr : groups;
}

}  // namespace orrery::core
