// Builds the program of a member, step by step.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collective/algorithms/member_program.hpp"

namespace orrery::core {

class ProgramBuilder {
 public:
  using Steps = std::vector<std::uint32_t>;

  // Adds a step that begins when the steps in `after` have ended, and returns its number.
  std::uint32_t add(const MemberProgram::Step& step, std::span<const std::uint32_t> after = {});
  // Makes a step wait for one more step.
  void wait(std::uint32_t step, std::uint32_t for_step);

  const std::vector<MemberProgram::Step>& steps() const { return program_.steps; }
  MemberProgram finish();

 private:
  struct Edge {
    std::uint32_t parent, child;
  };
  MemberProgram program_;
  std::vector<Edge> edges_;
};

}  // namespace orrery::core
