// Which ranks the axes of parallelism join: ranks are numbered along the axes, the innermost first.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/words.hpp"
#include "collective/library/collective_library.hpp"
#include "workload/parallelism/sharding.hpp"

namespace orrery {

// The axes of parallelism, and the stages of the pipeline.
enum class MeshAxis : std::uint8_t { tensor, context, expert, data, pipeline };
inline constexpr std::size_t mesh_axes = 5;

inline constexpr std::array<Word<MeshAxis>, mesh_axes> mesh_axis_words{{
    {"tensor", MeshAxis::tensor},
    {"context", MeshAxis::context},
    {"expert", MeshAxis::expert},
    {"data", MeshAxis::data},
    {"pipeline", MeshAxis::pipeline},
}};

constexpr MeshAxis mesh_axis(Axis axis) {
  return static_cast<MeshAxis>(axis);
}

struct RankMesh {
  std::array<std::uint64_t, mesh_axes> sizes{1, 1, 1, 1, 1};  // by axis; data without its expert part
  // Axes from the innermost to the outermost. The default is Megatron-LM's, which keeps tensor parallelism
  // within a node.
  std::array<MeshAxis, mesh_axes> order{MeshAxis::tensor, MeshAxis::context, MeshAxis::expert, MeshAxis::data,
                                        MeshAxis::pipeline};

  std::uint64_t size(MeshAxis axis) const { return sizes[static_cast<std::size_t>(axis)]; }
  std::uint64_t ranks() const;
  // Returns the difference between the rank numbers of neighbours along the axis.
  std::uint64_t stride(MeshAxis axis) const;
  // Returns how the members of rank 0's group along these axes are spread over nodes of `gpus_per_node` GPUs.
  GroupPlacement placement(std::span<const MeshAxis> axes, std::uint64_t gpus_per_node) const;
  // The number of rank 0's counterpart in a stage of the pipeline.
  std::uint64_t first_of_stage(std::uint64_t stage) const { return stage * stride(MeshAxis::pipeline); }
};

// Both split a group into parts of `part` consecutive members; `part` must divide the group's size. part_of()
// returns the placement of one part, across_parts() that of the members at the same position in each.
GroupPlacement part_of(const GroupPlacement& group, std::uint64_t part);
GroupPlacement across_parts(const GroupPlacement& group, std::uint64_t part);

}  // namespace orrery
