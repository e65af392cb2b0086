#include "workload/training/training_communicators.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orrery::core {

TrainingCommunicators::TrainingCommunicators(const TrainingSetup& setup) {
  const RankMesh mesh = setup.mesh();
  all_.reserve(all_axes.size() + 6);
  for (const Axis axis : all_axes)
    all_.push_back(mesh.communicator(std::string(name_of(axis)), std::array{mesh_axis(axis)}));
  const Communicator dense =
                         mesh.communicator("data of dense weights",
                                           std::array{MeshAxis::context, MeshAxis::expert, MeshAxis::data}),
                     experts =
                         mesh.communicator("data of experts", std::array{MeshAxis::context, MeshAxis::data});
  for (const bool of_experts : {false, true}) {
    const Communicator& same = of_experts ? experts : dense;
    SplitGroups split = split_groups(same, setup.plan.shards(of_experts));
    all_.push_back(same);
    all_.push_back(std::move(split.parts));
    all_.push_back(std::move(split.across));
  }
}

CollectiveRequest request_of(const Exchange& exchange, const TrainingCommunicators& communicators) {
  const std::uint32_t group = communicators.along(exchange.axis);
  double bytes = exchange.bytes;
  if (exchange.kind == CollectiveKind::all_gather)
    for (const LogicalDimension& dimension : communicators[group].dimensions) bytes /= dimension.size;
  CollectiveRequest request{exchange.kind, Bytes::rounded(bytes), DimensionSet().set()};
  request.communicator = group;
  return request;
}

namespace {

// Returns the parts of a dimension that lie in each of the network's dimensions; none if it does not fit
// them.
std::vector<LogicalDimension> cut(const LogicalDimension& whole, const Topology& topology) {
  std::vector<LogicalDimension> parts;
  const std::int64_t begin = whole.stride, end = begin * whole.size;
  std::int64_t next = begin;
  for (const LogicalDimension& physical : logical_dimensions(topology)) {
    const std::int64_t first = physical.stride, last = first * physical.size;
    if (last <= next || next >= end) continue;
    const std::int64_t until = std::min(last, end);
    if (next % first != 0 || until % next != 0 || last % until != 0) return {};
    parts.push_back({static_cast<int>(next), static_cast<int>(until / next), physical.physical});
    next = until;
  }
  if (next != end) return {};
  return parts;
}

}  // namespace

std::vector<Communicator> on_network(std::vector<Communicator> communicators, const Topology& topology,
                                     const SourceLocation& where) {
  for (Communicator& communicator : communicators) {
    std::vector<LogicalDimension> cut_dimensions;
    for (const LogicalDimension& dimension : communicator.dimensions) {
      const std::vector<LogicalDimension> parts = cut(dimension, topology);
      if (parts.empty())
        throw InputError(
            where, fmt::format("groups of {} ranks, {} apart ({}), do not fit the dimensions of the network; "
                               "choose sizes along the axes of parallelism that divide those of the network "
                               "or are multiples of them",
                               dimension.size, dimension.stride, communicator.name));
      cut_dimensions.insert(cut_dimensions.end(), parts.begin(), parts.end());
    }
    communicator.dimensions = std::move(cut_dimensions);
  }
  return communicators;
}

}  // namespace orrery::core
