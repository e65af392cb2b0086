// Collectives of the parts of a program. All ranks of a part issue each in the same instant, and it is
// complete when the last of them has it.
#pragma once

#include <memory>
#include <vector>

#include "collective/collective_engine.hpp"
#include "network/analytical/analytical_network.hpp"
#include "simulate/machine.hpp"
#include "workload/parallel_program.hpp"

namespace orrery {

class PartCollectives final : public CollectiveIssuer {
 public:
  // Keeps references. Throws InputError when an algorithm cannot run what a part asks for.
  PartCollectives(EventLoop& loop, const ParallelProgram& program, const Machine& machine,
                  const AnalyticalNetwork& network, CollectiveListener& listener);
  ~PartCollectives();

  bool issue(std::uint32_t part, std::uint32_t token, const CollectiveRequest& request, Stamp at) override;

  // Returns the engine of a part; null if the part issues no collective.
  const CollectiveEngine* engine_of(std::size_t part) const;

 private:
  class PartEngine;
  std::vector<std::unique_ptr<PartEngine>> parts_;
};

}  // namespace orrery
