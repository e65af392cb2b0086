#include "topology/files/dimension_lists.hpp"

#include <fmt/format.h>

namespace orrery::core {
namespace {

void read_list(const InputNode& root, const DimensionList& list, std::vector<Dimension>& dimensions) {
  if (list.is_required()) required(root, "the network file", list.name);
  const InputNode* const values = root.find(list.name);
  if (!values) return;
  const std::size_t given = items_of(*values, list.name).size(), wanted = dimensions.size();
  if (given != wanted)
    throw InputError(values->where,
                     fmt::format("`{}` has {} {}, but there {} {} dimension{}: give one for each", list.name,
                                 given, given == 1 ? "entry" : "entries", wanted == 1 ? "is" : "are", wanted,
                                 wanted == 1 ? "" : "s"));
  for (std::size_t d = 0; d < wanted; ++d) list.read(values->items[d], list, dimensions[d]);
}

// Returns the place of a part of a dimension in the file. If the file leaves out the links, they follow from
// the size, so the place is that of the size. Any other part that is left out has no place of its own, and
// the whole file stands for it.
SourceLocation place_of(const InputNode& root, std::span<const DimensionList> lists, std::size_t dimension,
                        DimensionPart part) {
  for (const DimensionList& list : lists)
    if (const InputNode* values = list.part == part ? root.find(list.name) : nullptr)
      return values->items[dimension].where;
  if (part == DimensionPart::links) return place_of(root, lists, dimension, DimensionPart::size);
  return {root.where.file};
}

}  // namespace

Topology read_dimension_lists(const InputNode& root, std::span<const DimensionList> lists,
                              std::size_t dimensions, void (*of_dimension)(Dimension&), Warnings& warnings) {
  Topology topology;
  topology.dimensions.resize(dimensions);
  for (std::size_t d = 0; d < dimensions; ++d) topology.dimensions[d].name = default_dimension_name(d);
  for (const DimensionList& list : lists) read_list(root, list, topology.dimensions);
  if (of_dimension)
    for (Dimension& dimension : topology.dimensions) of_dimension(dimension);
  check_topology(
      topology, [&](std::size_t d, DimensionPart part) { return place_of(root, lists, d, part); }, warnings);
  return topology;
}

}  // namespace orrery::core
