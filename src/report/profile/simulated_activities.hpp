// Takes the activities of simulated ranks from the timeline of any kind of run.
#pragma once

#include <limits>
#include <string>
#include <unordered_map>
#include <vector>

#include "report/profile/activity.hpp"
#include "report/timeline/timeline.hpp"

namespace orrery::core {

// Takes the same slices of a timeline as Kineto files, in the same form.
class SimulatedActivities final : public TimelineSink {
 public:
  explicit SimulatedActivities(std::string run) : run_(std::move(run)) {}

  void begin(const TimelineProcess& process) override;
  void add(const TimelineSlice& slice) override;
  void add(const TimelineCounter&) override {}
  std::size_t max_slices() const override { return std::numeric_limits<std::size_t>::max(); }

  // Returns a rank for each process that is one, in their order.
  [[nodiscard]] std::vector<RankActivities> take();

 private:
  std::uint32_t name(const std::string& text);
  void add_communication(const TimelineSlice& slice, Activity& activity);

  std::string run_;
  bool is_rank_ = false;  // whether the present process is a rank
  std::vector<RankActivities> ranks_;
  std::unordered_map<std::string, std::uint32_t> names_;
};

}  // namespace orrery::core
