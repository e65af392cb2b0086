#include "study/search/network_times.hpp"

#include <algorithm>

#include "simulate/run/exchange_time.hpp"
#include "workload/training/training_communicators.hpp"

namespace orrery::core {

struct NetworkTimes::Sample {
  std::once_flag made;
  Seconds time;
};

namespace {

// Messages that meet take longer than closed forms say, and this delay grows evenly with their size. So it is
// measured once, at a size that takes many times the latency of any network.
constexpr Bytes large_exchange(std::uint64_t{64} << 20);

}  // namespace

NetworkTimes::NetworkTimes(Machine machine, std::shared_ptr<const NetworkTimes> closed_forms,
                           SourceLocation where)
    : machine_(std::move(machine)), closed_forms_(std::move(closed_forms)), where_(std::move(where)) {}

std::optional<NetworkTimes::Pattern> NetworkTimes::pattern_of(const CollectiveRequest& request,
                                                              const Communicator& communicator) const {
  std::vector<LogicalDimension> groups = on_network({communicator}, machine_.topology, where_)[0].dimensions;
  if (groups.empty()) return std::nullopt;
  return Pattern{request.kind, std::move(groups)};
}

Seconds NetworkTimes::collective(const CollectiveRequest& request, const Communicator& communicator) const {
  const std::optional<Pattern> pattern = pattern_of(request, communicator);
  return pattern ? of(*pattern, request.size) : Seconds();
}

Seconds NetworkTimes::messages(Bytes bytes, std::uint64_t distance) const {
  return distance == 0 ? Seconds() : of({CollectiveKind::barrier, {}, distance}, bytes);
}

Seconds NetworkTimes::of(const Pattern& pattern, Bytes bytes) const {
  if (!closed_forms_) return sampled(pattern, bytes);
  const Seconds more = sampled(pattern, large_exchange) - closed_forms_->of(pattern, large_exchange);
  return closed_forms_->of(pattern, bytes) + more * (bytes.as_double() / large_exchange.as_double());
}

bool NetworkTimes::is_known(const Pattern& pattern) const {
  const std::lock_guard lock(mutex_);
  return samples_.contains({pattern, large_exchange});
}

Seconds NetworkTimes::of_known(const Pattern& pattern, Bytes bytes) const {
  return is_known(pattern) ? of(pattern, bytes) : closed_forms_->of(pattern, bytes);
}

class NetworkTimes::AsFarAsKnown final : public TransferTimes {
 public:
  explicit AsFarAsKnown(const NetworkTimes& times) : times_(times) {}

  Seconds collective(const CollectiveRequest& request, const Communicator& communicator) const override {
    const std::optional<Pattern> pattern = times_.pattern_of(request, communicator);
    return pattern ? times_.of_known(*pattern, request.size) : Seconds();
  }
  Seconds messages(Bytes bytes, std::uint64_t distance) const override {
    return distance == 0 ? Seconds() : times_.of_known({CollectiveKind::barrier, {}, distance}, bytes);
  }

 private:
  const NetworkTimes& times_;
};

std::unique_ptr<const TransferTimes> NetworkTimes::as_far_as_known() const {
  return std::make_unique<AsFarAsKnown>(*this);
}

Seconds NetworkTimes::sampled(const Pattern& pattern, Bytes bytes) const {
  std::shared_ptr<Sample> sample;
  {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<Sample>& known = samples_[{pattern, bytes}];
    if (!known) known = std::make_shared<Sample>();
    sample = known;
  }
  std::call_once(sample->made, [&] { sample->time = simulated(pattern, bytes); });
  return sample->time;
}

Seconds NetworkTimes::simulated(const Pattern& pattern, Bytes bytes) const {
  if (pattern.distance == 0)
    return Seconds::of(time_of_collective(machine_, {pattern.kind, bytes, pattern.groups, where_}));
  const auto ranks = static_cast<std::uint32_t>(machine_.topology.npus());
  const auto distance = static_cast<std::uint32_t>(pattern.distance);
  const std::uint32_t senders = closed_forms_ ? std::min(distance, ranks - distance) : 1;
  return Seconds::of(time_of_messages(machine_, {senders, bytes, distance, where_}));
}

}  // namespace orrery::core
