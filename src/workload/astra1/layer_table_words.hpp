// The words of ASTRA-sim 1.0's layer table.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "base/words.hpp"
#include "workload/astra1/layer_table.hpp"

namespace orrery {

// "HYBRID_DATA_MODEL" and so on.
std::string_view name_of(TrainingPolicy policy);
std::optional<TrainingPolicy> training_policy_from(std::string_view word);
std::vector<std::string_view> training_policy_words();

// Returns whether a layer may carry this policy under HYBRID_CUSTOMIZED.
bool usable_as_layer_policy(TrainingPolicy policy);

// The meaning of a collective word in the table.
struct CollectiveWord {
  std::optional<CollectiveKind> kind;
  bool all_reduce_all_to_all = false;

  bool operator==(const CollectiveWord&) const = default;
};
inline constexpr std::array<Word<CollectiveWord>, 6> collective_words{{
    {"ALLREDUCE", {CollectiveKind::all_reduce}},
    {"ALLGATHER", {CollectiveKind::all_gather}},
    {"REDUCESCATTER", {CollectiveKind::reduce_scatter}},
    {"ALLTOALL", {CollectiveKind::all_to_all}},
    {"NONE", {}},
    {"ALLREDUCEALLTOALL", {std::nullopt, true}},
}};

}  // namespace orrery
