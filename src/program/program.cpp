#include "program/program.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <utility>

namespace orrery::core {

bool Program::contends() const {
  return std::ranges::any_of(parts, [](const ProgramPart& part) { return part.graph.contends(); });
}

RankParts parts_of_classes(const Program& program, const RankClasses& classes) {
  if (program.parts.size() == 1) return RankParts(classes);
  return RankParts(classes, parts_of_ranks(program, classes.ranks()),
                   static_cast<std::uint32_t>(program.parts.size()));
}

Program program_of_equal_ranks(ExecutionGraph graph, std::vector<LogicalDimension> dimensions,
                               std::uint32_t ranks) {
  Program program;
  ProgramPart& part = program.parts.emplace_back();
  part.graph = std::move(graph);
  part.all_ranks = ranks;
  program.communicators.push_back({"world", std::move(dimensions)});
  return program;
}

std::vector<std::uint32_t> parts_of_ranks(const Program& program, std::uint32_t ranks) {
  std::vector<std::uint32_t> part_of(ranks, 0);
  for (std::uint32_t part = 1; part < program.parts.size(); ++part)
    for (const RankId rank : program.parts[part].ranks) part_of[rank.index()] = part;
  return part_of;
}

RankId rank_at_same_place(const Program& program, std::uint32_t part, RankId rank, std::uint32_t other_part) {
  const std::vector<RankId>& ranks = program.parts[part].ranks;
  const auto place = std::ranges::lower_bound(ranks, rank) - ranks.begin();
  return program.parts[other_part].ranks[static_cast<std::size_t>(place)];
}

std::vector<LogicalDimension> all_dimensions(const Program& program) {
  std::vector<LogicalDimension> all;
  for (const Communicator& communicator : program.communicators)
    all.insert(all.end(), communicator.dimensions.begin(), communicator.dimensions.end());
  return all;
}

void require_program_fits(double operations, const SourceLocation& where, const std::string& what,
                          const std::string& what_to_do) {
  // An operation, what it waits for, when it ran, and what the issuer knows of it: 160 to 210 bytes were
  // measured in pipelines of 0.4 to 6 million operations, and the rest is reserve.
  constexpr double bytes_per_operation = 300, gib = 0x1p30, max_gib = 8;
  const double needed = operations * bytes_per_operation / gib;
  if (needed > max_gib)
    throw InputError(where,
                     fmt::format("{} make {:.0f} operations, which need about {:.0f} GiB of memory to be "
                                 "simulated, but a run may have {:.0f}; {}",
                                 what, operations, needed, max_gib, what_to_do));
}

}  // namespace orrery::core
