#include "collective/library/group_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "collective/plan/collective_words.hpp"

namespace orrery::core {
namespace {

constexpr int max_group_members = 1 << 24;
constexpr int max_gpus_per_node = 4096;
constexpr std::int64_t largest_buffer = std::int64_t{1} << 53;  // 8 PiB, which a double counts exactly

LinkChoice link_choice(const InputNode& node, const KeyFacts& key) {
  return {scalar_of(node, key.name), node.where};
}

// A group without `per_node` is inside a node.
void read_members(const InputNode& node, const KeyFacts& key, GroupRow& row) {
  row.group.members = row.group.per_node = int_of(node, key.name, 1, max_group_members);
}

constexpr Key<GroupRow> group_keys[] = {
    key::declared<link_choice, KeyType::other, &GroupRow::links, &ClusterLinks::inside>("link", "required",
                                                                                        "as `--link`")
        .of("class"),
    key::declared<link_choice, KeyType::other, &GroupRow::links, &ClusterLinks::between>("inter", "none",
                                                                                         "as `--inter`")
        .of("class"),
    key::integer<&GroupRow::links, &ClusterLinks::gpus_per_node>("gpus_per_node", 1, max_gpus_per_node, "8",
                                                                 ""),
    key::integer<&GroupRow::links, &ClusterLinks::nics_per_node>("nics_per_node", 1, max_gpus_per_node,
                                                                 "one per GPU", ""),
    key::word<library_operation_words, &GroupRow::operation>("operation", "required", "as `--kind`"),
    key::custom<read_members>("members", "1 to 2²⁴", "required", "GPUs of the group"),
    key::integer<&GroupRow::group, &GroupPlacement::per_node>("per_node", 1, max_gpus_per_node, "all members",
                                                              "GPUs of the group in each node"),
    key::integer<&GroupRow::bytes>("bytes", 1, largest_buffer, "required", "as `--size`"),
    key::word<library_algorithm_words, &GroupRow::algorithm>("algorithm", "the fastest", "as `--algorithm`"),
    key::word<timed_by_words, &GroupRow::timed_by>("timed", "kernel", "as `--timed`"),
    key::word<buffers_words, &GroupRow::links, &ClusterLinks::buffers>("buffers", "as the library has them",
                                                                       "as `--buffers`"),
    key::word<caller_words, &GroupRow::links, &ClusterLinks::caller>("caller", "torch", "as `--caller`"),
    key::measured_us<&GroupRow::seconds>("time_us"),
    key::ignored("system", "a remark"),
};

CollectiveCost kernel_cost_of(const GroupRow& row, const LibraryConstants& constants, Warnings& warnings) {
  const CollectiveLibrary library(constants, row.links, row.where);
  for (const LinkNote& note : library.notes()) warnings.add({note.where.file}, note.text);
  if (row.algorithm) require_several_algorithms(row.operation, constants, row.where);
  if (row.operation) return library.cost(*row.operation, row.bytes, row.group, row.algorithm);
  if (row.group.members != 2)
    throw InputError(row.where, fmt::format("a send has 2 members, not {}", row.group.members));
  return library.send_cost(row.bytes, row.group.per_node == 2);
}

}  // namespace

CollectiveCost cost_of(const GroupRow& row, const LibraryConstants& constants, Warnings& warnings) {
  CollectiveCost cost = kernel_cost_of(row, constants, warnings);
  if (row.timed_by == TimedBy::call && row.group.members > 1) cost.seconds += constants.lone_call_seconds;
  return cost;
}

void require_several_algorithms(const LibraryOperation& operation, const LibraryConstants& constants,
                                const SourceLocation& where) {
  const bool several =
      operation && (operation == CollectiveKind::all_reduce || !constants.algorithms_of(*operation).empty());
  if (!several)
    throw InputError(where, fmt::format("{} has one algorithm in {}, leave the algorithm out",
                                        word_of(library_operation_words, operation), constants.name));
}

const char* usual_link(const LibraryConstants& constants) {
  constexpr const char* usual = "nvlink4";
  const bool known = std::ranges::find(constants.inside, usual, &InsideLink::name) != constants.inside.end();
  return known || constants.inside.empty() ? usual : constants.inside.front().name.c_str();
}

int most_per_node(const ClusterLinks& links, int members) {
  return links.between.empty() ? members : std::min(members, links.gpus_per_node);
}

std::vector<GroupRow> read_group_table(std::string_view text, const std::string& file) {
  return read_csv_rows<GroupRow>(text, file, "groups", group_keys);
}

std::vector<KeyPath> group_table_columns() {
  return key_paths("", group_keys);
}

}  // namespace orrery::core
