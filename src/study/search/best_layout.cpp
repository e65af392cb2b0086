#include "study/search/best_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "base/text/readable.hpp"
#include "workload/training/training_memory.hpp"
#include "workload/transformer/layout_text.hpp"

namespace orrery::core {

namespace {

// Returns "tensor-parallel all-gathers and reduce-scatters", or "collectives" where they are of more kinds.
std::string collectives_along(Axis axis, const std::set<CollectiveKind>& kinds) {
  constexpr std::size_t max_named = 2;
  std::string names;
  for (const CollectiveKind kind : kinds)
    if (kinds.size() <= max_named) names += fmt::format("{}{}s", names.empty() ? "" : " and ", name_of(kind));
  return fmt::format("{}-parallel {}", name_of(axis), names.empty() ? "collectives" : names);
}

std::string gpus_text(const SearchedLayout& layout) {
  const std::uint64_t gpus = layout.layout.plan.ranks();
  return fmt::format("{} GPU{}", gpus, gpus == 1 ? "" : "s");
}

// Returns "1.62 times as fast as", or "1.8 times as long as" where the step is longer.
std::string ratio_text(Seconds step, Seconds other) {
  const bool is_longer = step > other;
  const std::string ratio =
      fmt::format("{:.3g}", is_longer ? step.count() / other.count() : other.count() / step.count());
  if (ratio == "1") return "as long as";
  return fmt::format("{} times as {} as", ratio, is_longer ? "long" : "fast");
}

// Returns how long the best layout's step is, compared with that of `other`, which `name` names.
std::string compared(const SearchedLayout& best, const SearchedLayout& other, std::string_view name) {
  const bool same_gpus = best.layout.plan.ranks() == other.layout.plan.ranks();
  std::string text = fmt::format("{} with {} ({}{}: {})", ratio_text(best.step, other.step), name,
                                 layout_text(other.layout.plan), same_gpus ? "" : " on " + gpus_text(other),
                                 readable_seconds(other.step.count()));
  if (same_gpus) return text;
  const double cost = value_of(SearchObjective::cost, best.layout.plan, best.step) /
                      value_of(SearchObjective::cost, other.layout.plan, other.step);
  return text + fmt::format(" and {:.3g} times its GPU time", cost);
}

// Returns what follows the time of the best layout's step.
std::string comparison(const LayoutSearch& search, double usable) {
  const SearchedLayout &best = search.layouts.front(), &own = search.own;
  if (!best.is_own && own.verdict == LayoutVerdict::out_of_memory)
    return fmt::format(", where the experiment's own layout ({}) does not fit, as it needs {} of {}",
                       layout_text(own.layout.plan), readable_bytes(own.memory), readable_bytes(usable));
  if (!best.is_own && !own.failure.empty())
    return fmt::format(", where the run of the experiment's own layout ({}) fails",
                       layout_text(own.layout.plan));
  if (!best.is_own) return ", " + compared(best, own, "the experiment's own layout");
  const bool has_next = search.count(LayoutVerdict::simulated) > 1;
  return has_next ? ", " + compared(best, search.layouts[1], "the next best layout") : std::string();
}

// Returns which layouts the best one was found among, if these were run on a network.
std::string choice_text(const LayoutSearch& search) {
  if (!search.on_network) return "";
  const std::size_t ranked = search.count(LayoutVerdict::simulated);
  const bool has_own = search.own.verdict == LayoutVerdict::simulated;
  std::string text = " No other layout was run on the network";
  if (ranked > 1)
    text = fmt::format(
        " It is the best of {} layouts that were run on the network: {}those with the shortest estimates",
        ranked, has_own ? "the experiment's own and " : "");
  const auto may_be_among_the_best = [&](const SearchedLayout& one) {
    const bool was_run = one.verdict != LayoutVerdict::estimated && one.verdict != LayoutVerdict::beaten;
    return !was_run && one.estimate < search.layouts[search.best.size() - 1].step;
  };
  const auto open = std::ranges::count_if(search.layouts, may_be_among_the_best);
  if (open == 0) return text + ".";
  return text + fmt::format("; {} more may be among the best, which more runs would tell.", open);
}

std::string loss_text(const TrainingResult& result) {
  const StepLoss loss = largest_loss(result);
  if (loss.what.empty()) return "it loses no time to waiting";
  return fmt::format("it loses most time to {} ({} of the step)", loss.what, readable_share(loss.share));
}

}  // namespace

StepLoss largest_loss(const TrainingResult& result) {
  Time most;
  StepLoss loss;
  const auto look_at = [&](Time time, auto&& what) {
    if (time <= most) return;
    most = time;
    loss = {what(), time.ns() / result.step.ns()};
  };
  look_at(result.time.bubble, [] { return std::string("bubble"); });
  look_at(result.time.idle, [] { return std::string("idle time"); });
  for (const Axis axis : all_axes) {
    const auto place = static_cast<std::size_t>(axis);
    look_at(result.exposed[place],
            [&] { return "waiting for " + collectives_along(axis, result.collectives[place]); });
  }
  look_at(result.exposed_pipeline, [] { return std::string("waiting for messages between stages"); });
  return loss;
}

std::string best_layout_sentence(const TrainingSetup& base, const LayoutSearch& search) {
  const SearchedLayout& best = search.layouts.front();
  const double usable = usable_memory(base);
  return fmt::format(
      "The best layout is {}{}, on {}: {} per step{}{}; {}, and takes {} of the {} of memory that can be "
      "used.{}",
      best.is_own ? "that of the experiment, " : "", layout_text(best.layout.plan), gpus_text(best),
      readable_seconds(best.step.count()), search.on_network ? " on the network" : "",
      comparison(search, usable), loss_text(search.best.front()), readable_bytes(best.memory),
      readable_bytes(usable), choice_text(search));
}

}  // namespace orrery::core
