#include "collective/program_builder.hpp"

#include <algorithm>

namespace orrery {

std::uint32_t ProgramBuilder::add(const MemberProgram::Step& step, std::span<const std::uint32_t> after) {
  const auto index = static_cast<std::uint32_t>(program_.steps.size());
  program_.steps.push_back(step);
  program_.parents.push_back(0);
  for (const std::uint32_t parent : after) wait(index, parent);
  return index;
}

void ProgramBuilder::wait(std::uint32_t step, std::uint32_t for_step) {
  ++program_.parents[step];
  edges_.push_back({for_step, step});
}

MemberProgram ProgramBuilder::finish() {
  program_.first_child.assign(program_.steps.size() + 1, 0);
  for (const Edge& edge : edges_) ++program_.first_child[edge.parent + 1];
  for (std::size_t i = 1; i < program_.first_child.size(); ++i)
    program_.first_child[i] += program_.first_child[i - 1];
  std::ranges::stable_sort(edges_, {}, &Edge::parent);
  for (const Edge& edge : edges_) program_.children.push_back(edge.child);
  return std::move(program_);
}

}  // namespace orrery
