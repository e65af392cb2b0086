// Says which ranks the axes of parallelism join. Ranks are numbered along the axes, the innermost first.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics/words.hpp"
#include "base/units/rank_id.hpp"
#include "program/collective_request.hpp"
#include "workload/parallelism/sharding.hpp"

namespace orrery::core {

// The axes of parallelism, and the stages of the pipeline.
enum class MeshAxis : std::uint8_t { tensor, context, expert, data, pipeline };
inline constexpr std::size_t mesh_axes = 5;

inline constexpr std::array<EnumName<MeshAxis>, mesh_axes> mesh_axis_words{{
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
  std::array<std::uint64_t, mesh_axes> sizes{1, 1, 1, 1, 1};  // by axis; `data` without its expert part
  // Axes from the innermost to the outermost. The default is Megatron-LM's, which keeps tensor parallelism
  // within a node.
  std::array<MeshAxis, mesh_axes> order{MeshAxis::tensor, MeshAxis::context, MeshAxis::expert, MeshAxis::data,
                                        MeshAxis::pipeline};

  std::uint64_t size(MeshAxis axis) const { return sizes[static_cast<std::size_t>(axis)]; }
  std::uint64_t ranks() const;
  // Returns the difference between the rank numbers of neighbours along the axis.
  std::uint64_t stride(MeshAxis axis) const;
  // Returns the groups of ranks that differ along these axes only.
  Communicator communicator(std::string name, std::span<const MeshAxis> axes) const;
  // Returns the number of rank 0's counterpart in a stage of the pipeline.
  std::uint64_t first_of_stage(std::uint64_t stage) const { return stage * stride(MeshAxis::pipeline); }
  // Returns the ranks of a stage, ascending.
  std::vector<RankId> ranks_of_stage(std::uint64_t stage) const;
};

// Splits the groups of a communicator into parts of `part` members, where near members stay together. `part`
// must divide the groups' size.
struct SplitGroups {
  Communicator parts;   // the members of a part
  Communicator across;  // the members at the same position in each part
};
SplitGroups split_groups(const Communicator& communicator, std::uint64_t part);

}  // namespace orrery::core
