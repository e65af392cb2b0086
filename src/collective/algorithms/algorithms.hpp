// The algorithms of collectives that users can choose. A new one is an AlgorithmKind in a file of its own,
// and a line here.
#pragma once

#include <array>

#include "base/diagnostics/words.hpp"
#include "collective/algorithms/algorithm.hpp"

namespace orrery::core {

extern const AlgorithmKind ring_algorithm;
extern const AlgorithmKind direct_algorithm;
extern const AlgorithmKind halving_doubling_algorithm;
extern const AlgorithmKind double_binary_tree_algorithm;
extern const AlgorithmKind tree_algorithm;
extern const AlgorithmKind sharp_algorithm;
extern const AlgorithmKind nvls_algorithm;
extern const AlgorithmKind msccl_algorithm;

inline constexpr std::array<EnumName<Algorithm>, 8> algorithm_words{{
    {"ring", &ring_algorithm},
    {"direct", &direct_algorithm},
    {"halving-doubling", &halving_doubling_algorithm},
    {"double-binary-tree", &double_binary_tree_algorithm},
    {"tree", &tree_algorithm},
    {"sharp", &sharp_algorithm},
    {"nvls", &nvls_algorithm},
    {"msccl", &msccl_algorithm},
}};

// Returns the words of the algorithms that run a kind of collective.
std::vector<std::string_view> words_of_algorithms_for(CollectiveKind kind);

}  // namespace orrery::core
