// Finds what the exchanges of trainings take on a network, by simulating each kind of them by itself.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "simulate/machine.hpp"
#include "workload/training/transfer_times.hpp"

namespace orrery::core {

class NetworkTimes final : public TransferTimes {
 public:
  // Without `closed_forms`, an exchange meets nothing else: the machine's model should be one of closed
  // forms. With them, all ranks have the same collective at the same time, or all ranks of a stage the same
  // message, and what messages do to one another is simulated. The machine must have no library; `where` is
  // the place of the training.
  NetworkTimes(Machine machine, std::shared_ptr<const NetworkTimes> closed_forms, SourceLocation where);

  Seconds collective(const CollectiveRequest& request, const Communicator& communicator) const override;
  Seconds messages(Bytes bytes, std::uint64_t distance) const override;

  // Returns times of the same network that simulate nothing: what messages do to one another is left out
  // until these times, which it keeps a reference to, have simulated it.
  std::unique_ptr<const TransferTimes> as_far_as_known() const;

 private:
  class AsFarAsKnown;
  // A pattern is an exchange without its size: a collective on groups, or messages over a distance.
  struct Pattern {
    CollectiveKind kind = CollectiveKind::barrier;
    std::vector<LogicalDimension> groups;
    std::uint64_t distance = 0;

    auto operator<=>(const Pattern&) const = default;
  };
  struct Sample;

  std::optional<Pattern> pattern_of(const CollectiveRequest& request, const Communicator& communicator) const;
  Seconds of(const Pattern& pattern, Bytes bytes) const;
  Seconds of_known(const Pattern& pattern, Bytes bytes) const;
  bool is_known(const Pattern& pattern) const;
  Seconds sampled(const Pattern& pattern, Bytes bytes) const;
  Seconds simulated(const Pattern& pattern, Bytes bytes) const;

  const Machine machine_;
  const std::shared_ptr<const NetworkTimes> closed_forms_;  // null: it knows no other
  const SourceLocation where_;
  mutable std::mutex mutex_;  // of the map; a sample has one of its own while it is made
  mutable std::map<std::pair<Pattern, Bytes>, std::shared_ptr<Sample>> samples_;
};

}  // namespace orrery::core
