#include "simulate/run/run_size.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics/diagnostics.hpp"
#include "simulate/recording.hpp"

namespace orrery::core {
namespace {

std::size_t max_dimensions_of(const Program& program) {
  std::size_t most = 0;
  for (const Communicator& communicator : program.communicators)
    most = std::max(most, communicator.dimensions.size());
  return most;
}

// Returns the number of operations of the longest graph.
std::size_t max_operations(const Program& program) {
  std::size_t most = 0;
  for (const ProgramPart& part : program.parts) most = std::max(most, part.graph.size());
  return most;
}

}  // namespace

bool runs_by_groups(const Machine& machine, const Folding& folding) {
  return folding.folded && machine.dialect.phase_barrier == PhaseBarrier::next_group;
}

// The estimate has the memory for each simulated rank (its operations, its place in every chunk, and the
// rest) and for all ranks together (plans and records of chunks and of their phases). The latter was
// measured. The former is two to three times the measured value if ranks run by groups, otherwise it is
// rough.
bool fits_into_memory(const Program& program, const Machine& machine, const CollectiveSurvey& survey,
                      double simulated_ranks, bool by_groups) {
  constexpr double max_bytes = 16.0 * (1 << 30), bytes_per_chunk = 300, bytes_per_phase = 220;
  const double chunks = static_cast<double>(survey.collectives) * machine.system.chunks;
  const double phases = 2 * static_cast<double>(max_dimensions_of(program)) - 1;  // out and back, at most
  const auto operations = static_cast<double>(max_operations(program));
  const double recorded = machine.every_class ? operations * sizeof(Interval) : 0;
  const double of_rank =
      recorded + (by_groups ? operations * 4 + chunks * 4 + 200 : operations * 4 + chunks * 36 + 2000);
  return simulated_ranks * of_rank + chunks * (bytes_per_chunk + bytes_per_phase * phases) <= max_bytes;
}

bool records_classes(const Program& program, const Machine& machine, const RankClasses& classes) {
  // Ranks of one program are simulated ahead of the clock, so quickly that recording a lot would take longer.
  const double max_bytes = program.is_uniform() ? 1 << 28 : 1 << 30;
  if (machine.every_class) return true;
  if (classes.count() == program.parts.size()) return false;
  const auto operations = static_cast<double>(max_operations(program));
  return operations * sizeof(Interval) * classes.count() <= max_bytes;
}

void check_size(const Program& program, const Machine& machine, const CollectiveSurvey& survey,
                const Folding& folding) {
  if (fits_into_memory(program, machine, survey, folding.classes.count(), runs_by_groups(machine, folding)))
    return;
  throw InputError(
      {}, fmt::format("{} NPUs with {} operations and {} chunks each need more than 16 GiB of memory{}, "
                      "simulate fewer NPUs, training passes or chunks",
                      machine.topology.npus(), max_operations(program),
                      survey.collectives * static_cast<std::size_t>(machine.system.chunks),
                      folding.folded ? "" : " when they cannot be folded (" + folding.reason + ")"));
}

}  // namespace orrery::core
