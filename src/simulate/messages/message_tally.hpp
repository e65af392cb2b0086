// Counts the messages of a run by their ends and sizes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>

#include "network/network_option.hpp"

namespace orrery::core {

// The network has it as an option that no user can set. The counts outlive the run.
class MessageTally final : public NetworkOption {
 public:
  // By source, destination and bytes.
  using Counts = std::map<std::tuple<int, int, Bytes>, std::uint64_t>;

  // Keeps a reference.
  explicit MessageTally(Counts& counts) : counts_(counts) {}

  const NetworkOptionKind& kind() const override;
  std::unique_ptr<Transport> around(std::unique_ptr<Transport> carrier, const Topology& topology,
                                    EventLoop& loop, bool one_for_all) const override;

 private:
  Counts& counts_;
};

}  // namespace orrery::core
