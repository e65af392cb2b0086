#include "collective/algorithms/program_builder.hpp"

#include <algorithm>

namespace orrery::core {

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
  std::ranges::stable_sort(edges_, {}, &Edge::parent);
  auto edge = edges_.begin();
  for (std::uint32_t step = 0; step < program_.steps.size(); ++step) {
    for (; edge != edges_.end() && edge->parent == step; ++edge) program_.children.ids.push_back(edge->child);
    program_.children.end_list();
  }
  return std::move(program_);
}

}  // namespace orrery::core
