#include "simulate/machine_check.hpp"

#include <fmt/format.h>

namespace orrery {

void check_machine(const Program& program, const Machine& machine) {
  if (program.is_uniform()) return;
  const auto require = [&](bool holds, const std::string& why) {
    if (!holds) throw InputError(program.where, "a program of several parts " + why);
  };
  require(machine.dialect.phase_barrier == PhaseBarrier::next_group,
          "runs by Orrery's own rules, leave `dialect` out");
  require(!machine.system.shared_bus, "cannot run with a shared memory bus, leave it out");
  require(machine.network.slow_links.empty() || machine.network.model->carries_collectives,
          "can have slow links where messages meet on links only, give `network-model: link` or `fluid`, or "
          "leave `slow-links` "
          "out");
  for (const Dimension& dimension : machine.topology.dimensions)
    require(dimension.hbm_scale == 0, "cannot run where memory limits messages, leave the scale of it out");
  std::size_t ranks = 0;
  for (const ProgramPart& part : program.parts) ranks += part.size();
  require(ranks == static_cast<std::size_t>(machine.topology.npus()),
          fmt::format("runs on {} NPUs, use a network of as many", ranks));
}

}  // namespace orrery
