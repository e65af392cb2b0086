// The layouts that a search chooses from: all legal ways to share a transformer's training among GPUs, within
// limits that keep out only what nobody would run.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <string>
#include <vector>

#include "base/diagnostics/words.hpp"
#include "workload/training/training_setup.hpp"

namespace orrery::core {

// The choices that may differ between layouts. Data parallelism is not one of them: it takes the GPUs that
// are left.
enum class LayoutChoice : std::uint8_t {
  tensor,
  sequence,
  context,
  expert,
  pipeline,
  virtual_stages,
  micro,
  zero,
  shard,
  recompute,
};
inline constexpr std::array<EnumName<LayoutChoice>, 10> layout_choice_words{{
    {"tensor", LayoutChoice::tensor},
    {"sequence", LayoutChoice::sequence},
    {"context", LayoutChoice::context},
    {"expert", LayoutChoice::expert},
    {"pipeline", LayoutChoice::pipeline},
    {"virtual-stages", LayoutChoice::virtual_stages},
    {"micro", LayoutChoice::micro},
    {"zero", LayoutChoice::zero},
    {"shard", LayoutChoice::shard},
    {"recompute", LayoutChoice::recompute},
}};

// The limits: tensor parallelism stays within a node, a rank has at least so many tokens of a sequence, and
// chunks of a stage and sequences of a micro-batch, which are powers of two, are at most so many.
inline constexpr std::uint64_t fewest_context_tokens = 1024, max_chunks = 8, largest_micro_batch = 32;

struct LayoutSpace {
  std::uint64_t gpus = 1;                        // all of them are used
  bool fewer_gpus = false;                       // or a half, a quarter and so on
  std::bitset<layout_choice_words.size()> kept;  // choices that stay as they are, by LayoutChoice
  std::uint64_t in_node = 0;                     // GPUs of a node; 0: as the training says
};

struct TrainingLayout {
  TransformerPlan plan;
  PipelineSchedule schedule = PipelineSchedule::one_forward_one_backward;

  bool operator==(const TrainingLayout&) const = default;
};

// Combinations of axes that cannot be run.
struct RefusedShapes {
  std::string key;      // the key to change, by its name in experiment files
  std::string example;  // describes what is wrong with one of the combinations
  std::uint64_t count = 0;
};

struct LegalLayouts {
  std::vector<TrainingLayout> layouts;
  std::vector<RefusedShapes> refused;  // by key
};

// Returns all legal layouts. Throws InputError at `base.where` when there are more than a search can take.
LegalLayouts legal_layouts(const TrainingSetup& base, const LayoutSpace& space);

// Returns the layers of each stage where stages do not divide them evenly. Stages in the middle have one
// more, because the first and the last also have the embedding and the head.
std::vector<std::uint64_t> uneven_stages(std::uint64_t layers, std::uint64_t stages);

// Gives the setup this layout.
void take(const TrainingLayout& layout, TrainingSetup& setup);

}  // namespace orrery::core
