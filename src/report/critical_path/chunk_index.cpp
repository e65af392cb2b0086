#include "report/critical_path/chunk_index.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace orrery {

ChunkIndex::ChunkIndex(const ChunkRecords& chunks)
    : chunks_(chunks), by_end_(chunks.phases.size()), by_chunk_(chunks.phases.size()) {
  std::iota(by_end_.begin(), by_end_.end(), 0u);
  by_chunk_ = by_end_;
  std::ranges::stable_sort(by_end_, {}, [&](std::uint32_t place) { return chunks_.phases[place].left; });
  std::ranges::stable_sort(by_chunk_, {}, [&](std::uint32_t place) {
    return std::tuple(chunks_.phases[place].chunk, chunks_.phases[place].phase);
  });
}

template <class Wanted>
const PhaseRecord* ChunkIndex::find(Time at, const Wanted& wanted) const {
  const auto end_of = [&](std::uint32_t place) { return chunks_.phases[place].left; };
  for (auto place = std::ranges::lower_bound(by_end_, at, {}, end_of);
       place != by_end_.end() && end_of(*place) == at; ++place) {
    const PhaseRecord& phase = chunks_.phases[*place];
    if (phase.started < phase.left && wanted(phase)) return &phase;
  }
  return nullptr;
}

const PhaseRecord* ChunkIndex::left(Time at, std::uint32_t token) const {
  return find(at, [&](const PhaseRecord& phase) { return phase.token == token; });
}

const PhaseRecord* ChunkIndex::left_dimension(Time at, std::uint16_t dimension) const {
  return find(at, [&](const PhaseRecord& phase) { return phase.dimension == dimension; });
}

const PhaseRecord* ChunkIndex::left(Time at) const {
  return find(at, [](const PhaseRecord&) { return true; });
}

const PhaseRecord* ChunkIndex::before(const PhaseRecord& phase) const {
  if (phase.phase == 0) return nullptr;
  const std::tuple wanted(phase.chunk, static_cast<std::uint16_t>(phase.phase - 1));
  const auto place = std::ranges::lower_bound(by_chunk_, wanted, {}, [&](std::uint32_t one) {
    return std::tuple(chunks_.phases[one].chunk, chunks_.phases[one].phase);
  });
  if (place == by_chunk_.end()) return nullptr;
  const PhaseRecord& found = chunks_.phases[*place];
  return found.chunk == phase.chunk && found.phase + 1 == phase.phase ? &found : nullptr;
}

}  // namespace orrery
