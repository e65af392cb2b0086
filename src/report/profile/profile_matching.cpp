#include "report/profile/profile_matching.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/text/readable.hpp"

namespace orrery::core {

namespace {

using Classes = std::map<ActivityClass, ActivityUse>;

bool is_compute(const ActivityClass& of) {
  return group_of(of.kind) == ActivityGroup::compute;
}
bool tells_kind(const ActivityClass& of) {
  return is_compute(of) && of.kind != ActivityKind::layer && of.kind != ActivityKind::other;
}
bool has(const Classes& classes, auto condition) {
  return std::ranges::any_of(classes, [&](const auto& entry) { return condition(entry.first); });
}

// The details by which both sides tell activities apart.
class CommonDetail {
 public:
  CommonDetail(const Classes& simulated, const Classes& measured) {
    for (const auto& [side, other] : {std::pair(&simulated, &measured), std::pair(&measured, &simulated)}) {
      kinds_ = kinds_ && (has(*side, tells_kind) || !has(*other, tells_kind) || !has(*side, is_compute));
      one_message_ = one_message_ ||
                     has(*side, [](const ActivityClass& of) { return of.kind == ActivityKind::message; });
      for (const auto& [of, use] : *side) {
        if (!is_communication(of.kind)) continue;
        sizes_[of.kind] = sizes_.try_emplace(of.kind, true).first->second && of.bytes;
        groups_[of.kind] = groups_.try_emplace(of.kind, true).first->second && of.group_size > 0;
      }
    }
  }

  ActivityClass reduced(ActivityClass of) const {
    if (!kinds_ && is_compute(of)) return {ActivityKind::compute};
    if (!is_communication(of.kind)) return of;
    if (!sizes_.at(of.kind)) of.bytes.reset();
    if (!groups_.at(of.kind)) of.group_size = 0;
    const bool is_message = of.kind == ActivityKind::send || of.kind == ActivityKind::receive;
    if (one_message_ && is_message) of = {ActivityKind::message};
    if (of.kind == ActivityKind::message) of.bytes.reset();
    return of;
  }

  Classes reduced(const Classes& classes) const {
    Classes made;
    for (const auto& [of, use] : classes) made[reduced(of)] += use;
    return made;
  }

 private:
  bool kinds_ = true, one_message_ = false;
  std::map<ActivityKind, bool> sizes_, groups_;
};

ActivityPair pair_of(const ActivityClass& of) {
  return {of.kind, of.bytes, {}, of.group_size, {}, {}};
}

bool same_but_size(const ActivityPair& a, const ActivityPair& b) {
  return a.kind == b.kind && a.group_size == b.group_size && a.bytes && b.bytes;
}

// Moves what is only measured into its simulated counterpart.
void join(std::vector<ActivityPair>& pairs, std::size_t simulated, std::size_t measured) {
  pairs[simulated].measured = pairs[measured].measured;
  pairs[simulated].measured_bytes = pairs[measured].bytes;
  pairs.erase(pairs.begin() + static_cast<std::ptrdiff_t>(measured));
}

// Returns the factor between the larger size and the smaller one.
double ratio(const ActivityPair& a, const ActivityPair& b) {
  const double small = std::min(a.bytes->as_double(), b.bytes->as_double()) + 1;
  return (std::max(a.bytes->as_double(), b.bytes->as_double()) + 1) / small;
}

// Joins the two classes, one on each side, whose sizes are nearest, as long as `accepts` accepts a pair.
void join_nearest(std::vector<ActivityPair>& pairs, auto accepts) {
  for (bool joined = true; joined;) {
    joined = false;
    std::size_t best_simulated = 0, best_measured = 0;
    double best = INFINITY;
    for (std::size_t s = 0; s < pairs.size(); ++s) {
      if (pairs[s].simulated.count == 0 || pairs[s].measured.count > 0) continue;
      for (std::size_t m = 0; m < pairs.size(); ++m) {
        if (pairs[m].simulated.count > 0 || !same_but_size(pairs[s], pairs[m])) continue;
        const double distance = ratio(pairs[s], pairs[m]);
        if (distance >= best || !accepts(pairs[s], pairs[m], distance)) continue;
        best = distance;
        best_simulated = s;
        best_measured = m;
        joined = true;
      }
    }
    if (joined) join(pairs, best_simulated, best_measured);
  }
}

void join_sizes(std::vector<ActivityPair>& pairs) {
  constexpr std::ptrdiff_t most = 300;  // more than a model has; then sizes have to be equal
  if (std::ranges::count_if(pairs, [](const ActivityPair& pair) { return !pair.in_both(); }) > most) return;
  constexpr double much = 1.1, other_datatype = 4, rounding = 1e-6;
  // Buckets and padding differ a little.
  join_nearest(pairs,
               [](const ActivityPair&, const ActivityPair&, double distance) { return distance <= much; });
  // Activities that occur equally often are taken for the same ones with another size.
  join_nearest(pairs, [](const ActivityPair& simulated, const ActivityPair& measured, double distance) {
    const double more = std::abs(simulated.simulated.count - measured.measured.count);
    return distance <= other_datatype && more <= rounding * simulated.simulated.count;
  });
}

std::int64_t size_of(Time change) {
  return std::abs(change.ps());
}

}  // namespace

std::string label_of(const ActivityPair& pair) {
  std::string text(words_of(pair.kind).several);
  if (pair.bytes) text += fmt::format(" of {}", readable(*pair.bytes));
  if (pair.measured_bytes) text += fmt::format(" (measured {})", readable(*pair.measured_bytes));
  if (pair.group_size > 0) text += fmt::format(" among {}", pair.group_size);
  return text;
}

std::vector<ActivityPair> match_activities(const StepProfile& simulated, const StepProfile& measured) {
  const CommonDetail detail(simulated.classes, measured.classes);
  std::map<ActivityClass, ActivityPair> by_class;
  for (const auto& [of, use] : detail.reduced(simulated.classes))
    by_class.try_emplace(of, pair_of(of)).first->second.simulated = use;
  for (const auto& [of, use] : detail.reduced(measured.classes))
    by_class.try_emplace(of, pair_of(of)).first->second.measured = use;
  std::vector<ActivityPair> pairs;
  for (const auto& [of, pair] : by_class) pairs.push_back(pair);
  join_sizes(pairs);
  std::ranges::stable_sort(pairs, [](const ActivityPair& a, const ActivityPair& b) {
    return std::pair(size_of(a.change()), size_of(a.busy_change())) >
           std::pair(size_of(b.change()), size_of(b.busy_change()));
  });
  return pairs;
}

std::vector<KernelPair> match_kernels(const StepProfile& simulated, const StepProfile& measured) {
  std::map<std::pair<ActivityKind, std::string>, KernelPair> by_name;
  const auto of = [&](const auto& key) -> KernelPair& {
    return by_name.try_emplace(key, KernelPair{key.first, key.second, {}, {}}).first->second;
  };
  for (const auto& [key, use] : simulated.kernels) of(key).simulated = use;
  for (const auto& [key, use] : measured.kernels) of(key).measured = use;
  std::vector<KernelPair> pairs;
  for (auto& [key, pair] : by_name) pairs.push_back(std::move(pair));
  std::ranges::stable_sort(pairs, std::ranges::greater(),
                           [](const KernelPair& pair) { return size_of(pair.busy_change()); });
  return pairs;
}

}  // namespace orrery::core
