// Double binary trees, message by message.
#pragma once

#include "collective/messages/phase_messages.hpp"

namespace orrery {

class TreePhases final : public PhaseKind {
 public:
  explicit TreePhases(const PhaseMachine& machine) : PhaseKind(machine, false) {}

  void open(RunId run) override;
  void start(RunId run, std::uint32_t rank) override;
  PhaseMessage message(RunId run, std::uint32_t rank, std::uint32_t relation) const override;
  std::string waiting(RunId run, std::uint32_t rank) const override;

  void handle(const Event& event) override;

 private:
  struct Port;  // of a member
};

}  // namespace orrery
