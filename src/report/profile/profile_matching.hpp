// Lays the activities of a simulated step beside those of a measured one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/profile/step_profile.hpp"

namespace orrery {

// Activities of one class, as one side or both have them.
struct ActivityPair {
  ActivityKind kind = ActivityKind::other;
  std::optional<Bytes> bytes = {};           // as simulated if it is, else as measured
  std::optional<Bytes> measured_bytes = {};  // as measured, if that is another size
  std::uint32_t group_size = 0;
  ActivityUse simulated, measured;  // `count` is 0 where a side lacks them

  // Returns by how much more of the measured step they take up.
  Time change() const { return measured.share - simulated.share; }
  Time busy_change() const { return measured.busy - simulated.busy; }
  bool in_both() const { return simulated.count > 0 && measured.count > 0; }
};

// "all-reduces of 64.00 MiB among 8"
std::string label_of(const ActivityPair& pair);

// Kernels of one name.
struct KernelPair {
  ActivityKind kind = ActivityKind::other;
  std::string name;
  ActivityUse simulated, measured;

  Time busy_change() const { return measured.busy - simulated.busy; }
  bool in_both() const { return simulated.count > 0 && measured.count > 0; }
};

// Computing is matched by its kind, communication also by size and group, as far as both sides know these;
// sizes may differ a little. Where one side knows no kinds of kernels, all that computes is one class. Those
// that change the step most come first. The changes of all, `idle` among them, add up to the difference
// of the lengths.
std::vector<ActivityPair> match_activities(const StepProfile& simulated, const StepProfile& measured);

// The largest changes come first.
std::vector<KernelPair> match_kernels(const StepProfile& simulated, const StepProfile& measured);

}  // namespace orrery
