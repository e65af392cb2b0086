#include "study/calibration/measured/kernel_measurements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "report/profile/step_profile.hpp"
#include "study/compare/simulated_ranks.hpp"
#include "study/run/run.hpp"

namespace orrery::core {
namespace {

constexpr double least_share = 0.05;

constexpr std::array product_kinds{ActivityKind::matrix_product, ActivityKind::attention,
                                   ActivityKind::convolution};
constexpr std::array pass_kinds{ActivityKind::normalisation, ActivityKind::softmax, ActivityKind::embedding,
                                ActivityKind::elementwise, ActivityKind::reduction};

// Returns how long the step is busy with kernels of a kind.
double busy_seconds(const StepProfile& profile, ActivityKind kind) {
  Time busy;
  for (const auto& [of, use] : profile.classes)
    if (of.kind == kind) busy += use.busy;
  return busy.ns() * 1e-9;
}

// Returns the simulated rank that does what a measured one does; where that is not known, the first.
const RankActivities& counterpart(const std::vector<RankActivities>& simulated, std::optional<RankId> rank) {
  if (rank)
    for (const RankActivities& one : simulated)
      if (std::ranges::find(one.ranks, *rank) != one.ranks.end()) return one;
  return simulated.front();
}

}  // namespace

KernelMeasurements::KernelMeasurements(const std::vector<RankActivities>& measured, const ChangedStack& stack)
    : stack_(stack) {
  for (const RankActivities& rank : measured) {
    if (rank.steps.empty()) add_rows(rank, std::nullopt);
    for (const MarkedStep& step : rank.steps)
      if (step.end_is_known || rank.steps.size() == 1) add_rows(rank, step.number);
  }
  ConstantValues now;
  for (const Constant& constant : constants()) now.push_back(constant.of(machine()));
  const std::vector<RankActivities> ranks = simulated(now);
  std::erase_if(rows_, [&](const Row& row) {
    return busy_seconds(profile_of(counterpart(ranks, row.rank)), row.kind) == 0;
  });
  if (rows_.empty())
    throw InputError({measured.front().source},
                     "has no products, attention or elementwise kernels that the run has, too");
}

void KernelMeasurements::add_rows(const RankActivities& rank, std::optional<std::int64_t> step) {
  const StepProfile profile = profile_of(rank, step);
  ++steps_;
  const auto add = [&](std::span<const ActivityKind> kinds) {
    double all = 0;
    for (const ActivityKind kind : kinds) all += busy_seconds(profile, kind);
    for (const ActivityKind kind : kinds)
      if (const double seconds = busy_seconds(profile, kind); seconds > least_share * all)
        rows_.push_back({kind, rank.rank, step, seconds});
  };
  add(product_kinds);
  add(pass_kinds);
}

std::vector<RankActivities> KernelMeasurements::simulated(const ConstantValues& values) const {
  RunSpec spec = stack_.with(constants(), values);
  spec.every_operator = true;
  Warnings warnings;  // those of the run as it is are told when it is simulated by itself
  return simulated_ranks(spec, carry_out(spec, warnings));
}

std::string KernelMeasurements::described() const {
  return fmt::format("kernels of {} step{}", steps_, steps_ == 1 ? "" : "s");
}

std::string KernelMeasurements::row_name(std::size_t row) const {
  const Row& of = rows_[row];
  std::string name(words_of(of.kind).several);
  if (of.rank) name += fmt::format(", rank {}", of.rank->value());
  if (of.step) name += fmt::format(", step {}", *of.step);
  return name;
}

std::vector<double> KernelMeasurements::errors(const ConstantValues& values, const StepListener& tell) const {
  const std::vector<RankActivities> ranks = simulated(values);
  std::vector<double> errors;
  for (const Row& row : rows_)
    errors.push_back(
        std::log(busy_seconds(profile_of(counterpart(ranks, row.rank)), row.kind) / row.seconds));
  if (tell) tell(rows(), rows(), "kernels");
  return errors;
}

}  // namespace orrery::core
