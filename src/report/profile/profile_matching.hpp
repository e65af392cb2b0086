// Lays the activities of a simulated step beside those of a measured one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/profile/step_profile.hpp"

namespace orrery::core {

// Activities of one class, which one side or both sides have.
struct ActivityPair {
  ActivityKind kind = ActivityKind::other;
  std::optional<Bytes> bytes = {};           // simulated size if there is one, else the measured one
  std::optional<Bytes> measured_bytes = {};  // measured size, if it differs from that one
  std::uint32_t group_size = 0;
  ActivityUse simulated, measured;  // `count` is 0 where a side lacks them

  // Returns how much more of the measured step they take up.
  Time change() const { return measured.share - simulated.share; }
  Time busy_change() const { return measured.busy - simulated.busy; }
  bool in_both() const { return simulated.count > 0 && measured.count > 0; }
};

// Returns a label such as "all-reduces of 64.00 MiB among 8".
std::string label_of(const ActivityPair& pair);

// Kernels of one name.
struct KernelPair {
  ActivityKind kind = ActivityKind::other;
  std::string name;
  ActivityUse simulated, measured;

  Time busy_change() const { return measured.busy - simulated.busy; }
  bool in_both() const { return simulated.count > 0 && measured.count > 0; }
};

// Computing is matched by its kind, and communication also by size and group, as far as both sides know
// these; sizes may differ a little. Where one side knows no kinds of kernels, everything that computes is one
// class. The activities that change the step most come first. The changes of all, including `idle`, add up to
// the difference of the lengths.
std::vector<ActivityPair> match_activities(const StepProfile& simulated, const StepProfile& measured);

// Returns kernels by name. The largest changes come first.
std::vector<KernelPair> match_kernels(const StepProfile& simulated, const StepProfile& measured);

}  // namespace orrery::core
