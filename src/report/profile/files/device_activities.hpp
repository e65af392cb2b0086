// Collects what devices do from the events of a Kineto file.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "base/units/rank_id.hpp"
#include "report/profile/activity.hpp"
#include "report/profile/files/kineto_event.hpp"

namespace orrery::core {

class DeviceActivities {
 public:
  explicit DeviceActivities(const std::string& file) : file_(file) {}

  // Facts about the file as a whole.
  void set_rank(RankId rank) { rank_ = rank; }
  void set_ranks(std::size_t ranks) { ranks_ = ranks; }

  void add(const KinetoEvent& event);
  // Returns the devices in the order of their numbers. Ends the work of this object.
  [[nodiscard]] std::vector<RankActivities> take(Warnings& warnings);

 private:
  struct Device {
    RankActivities activities;
    std::unordered_map<std::string, std::uint32_t> names;
    std::vector<std::pair<std::uint64_t, Interval>> launched;  // by correlation
    std::map<std::int64_t, Interval> steps;                    // steps that the device marks
    std::optional<RankId> rank;                                // as its collectives say
  };

  struct ByNumber {
    bool operator()(const std::string& a, const std::string& b) const {
      return std::pair(a.size(), std::string_view(a)) < std::pair(b.size(), std::string_view(b));
    }
  };

  std::optional<Interval> interval_of(const KinetoEvent& event);
  static std::uint32_t name_in(Device& device, std::string_view name);
  void add_activity(const KinetoEvent& event, ActivityKind kind, const Interval& interval);
  void add_communication(const KinetoEvent& event, Device& device, Activity& activity) const;
  std::vector<MarkedStep> steps_of(const Device& device) const;

  const std::string& file_;
  std::optional<RankId> rank_;
  std::size_t ranks_ = 0;
  std::optional<std::int64_t> origin_;               // microseconds; all times count from it
  std::map<std::string, Device, ByNumber> devices_;  // by process
  std::map<std::int64_t, Interval> host_steps_;      // by number
  // Times at which the host launched activities, by correlation.
  std::vector<std::pair<std::uint64_t, Time>> launches_;
  std::size_t events_ = 0, ends_before_it_begins_ = 0;
  SourceLocation first_such_;
};

}  // namespace orrery::core
