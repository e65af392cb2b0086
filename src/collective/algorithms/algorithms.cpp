#include "collective/algorithms/algorithms.hpp"

namespace orrery::core {

std::vector<std::string_view> words_of_algorithms_for(CollectiveKind kind) {
  std::vector<std::string_view> words;
  for (const auto& [word, algorithm] : algorithm_words)
    if (algorithm->runs(kind)) words.push_back(word);
  return words;
}

Bytes AlgorithmKind::output(CollectiveKind kind, Bytes input, std::uint32_t members) const {
  if (carries_all) return input;
  if (kind == CollectiveKind::reduce_scatter || kind == CollectiveKind::scatter) return input / members;
  if (kind == CollectiveKind::all_gather || kind == CollectiveKind::gather) return input * members;
  return input;
}

}  // namespace orrery::core
