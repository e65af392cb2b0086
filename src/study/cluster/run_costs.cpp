#include "study/cluster/run_costs.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace orrery::core {

namespace {

constexpr double least_seconds = 1e-6, unknown_seconds = 60;
constexpr int most_rounds = 100;
constexpr double small_change = 1e-9;

// A measured run as the fit needs it: what is left of its log seconds, and the effect of each key's value.
struct FittedRun {
  double rest = 0;
  std::vector<double*> effects;
};

// Moves what runs with the same value of a key have in common from their rests into the effect of this value.
// Returns the largest change.
double fit_key(std::vector<FittedRun>& runs, std::size_t key) {
  struct Sum {
    double rests = 0;
    std::size_t runs = 0;
  };
  std::map<double*, Sum> sums;
  for (const FittedRun& run : runs) {
    Sum& sum = sums[run.effects[key]];
    sum.rests += run.rest;
    ++sum.runs;
  }
  double largest = 0;
  for (const auto& [effect, sum] : sums) {
    const double change = sum.rests / static_cast<double>(sum.runs);
    *effect += change;
    largest = std::max(largest, std::abs(change));
  }
  for (FittedRun& run : runs) {
    const Sum& sum = sums[run.effects[key]];
    run.rest -= sum.rests / static_cast<double>(sum.runs);
  }
  return largest;
}

}  // namespace

RunCosts::RunCosts(const std::vector<MeasuredRun>& measured) : usual_(std::log(unknown_seconds)) {
  if (measured.empty()) return;
  effects_.resize(measured.front().point.values.size());
  std::vector<FittedRun> runs;
  double sum = 0;
  for (const MeasuredRun& run : measured) {
    FittedRun& fitted = runs.emplace_back();
    fitted.rest = std::log(std::max(run.seconds, least_seconds));
    sum += fitted.rest;
    for (std::size_t key = 0; key < effects_.size(); ++key)
      fitted.effects.push_back(&effects_[key].emplace(run.point.values[key]->text, 0).first->second);
  }
  usual_ = sum / static_cast<double>(runs.size());
  for (FittedRun& run : runs) run.rest -= usual_;
  for (int round = 0; round < most_rounds; ++round) {
    double change = 0;
    for (std::size_t key = 0; key < effects_.size(); ++key) change = std::max(change, fit_key(runs, key));
    if (change < small_change) break;
  }
}

double RunCosts::seconds_of(const SweepPoint& point) const {
  double sum = usual_;
  for (std::size_t key = 0; key < effects_.size(); ++key) {
    const auto effect = effects_[key].find(point.values[key]->text);
    if (effect != effects_[key].end()) sum += effect->second;
  }
  return std::exp(sum);
}

}  // namespace orrery::core
