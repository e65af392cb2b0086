#include "report/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "report/training_report.hpp"

namespace orrery {

namespace {

constexpr int bar_width = 32;

std::string repeat(std::string_view piece, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += piece;
  return out;
}

double ratio(Time a, Time b) {
  return b > Time() ? a.ns() / b.ns() : 0;
}

// The whole bar is the run's time: compute, bubble, exposed communication, and nothing where rank 0 has
// ended.
std::string share_bar(const RunRow& run, bool unicode) {
  if (run.total == Time()) return {};
  const int end = static_cast<int>(std::lround(ratio(run.rank_0_total, run.total) * bar_width));
  const int exposed = std::min(end, static_cast<int>(std::lround(ratio(run.exposed, run.total) * bar_width)));
  const int busy = end - exposed;
  const int bubble = std::min(busy, static_cast<int>(std::lround(ratio(run.bubble, run.total) * bar_width)));
  return repeat(unicode ? "█" : "#", busy - bubble) + repeat(unicode ? "▒" : ".", bubble) +
         repeat(unicode ? "░" : "-", exposed) + repeat(" ", bar_width - end);
}

std::size_t longest_name(const std::vector<RunRow>& runs) {
  std::size_t longest = 3;
  for (const RunRow& run : runs) longest = std::max(longest, run.name.size());
  return longest;
}

// One line: without its place and what stands on further lines.
std::string short_reason(const std::string& text) {
  constexpr std::string_view severity = "error: ";
  constexpr std::size_t longest = 100;
  const std::size_t found = text.find(severity);
  std::string reason = text.substr(found == std::string::npos ? 0 : found + severity.size());
  reason.resize(std::min(reason.size(), reason.find('\n')));
  if (reason.ends_with(':')) reason.pop_back();  // of a list on further lines
  if (reason.size() <= longest) return reason;
  std::size_t end = longest;
  while (end > 0 && (static_cast<unsigned char>(reason[end]) & 0xc0) == 0x80)
    --end;  // within a UTF-8 sequence
  return reason.substr(0, end) + "...";
}

std::string comparison_table(const std::vector<RunRow>& runs, bool bubbles, bool unicode) {
  const std::size_t name_width = longest_name(runs);
  std::string out = fmt::format(
      "{:<{}} {:>6} {:>15} {:>15}{} {:>15} {:>8}  compute | {}exposed communication\n", "run", name_width,
      "NPUs", "total us", "compute us", bubbles ? fmt::format(" {:>15}", "bubble us") : "", "exposed us",
      "exposed", bubbles ? "bubble | " : "");
  for (const RunRow& run : runs) {
    if (!run.error.empty()) {
      out += fmt::format("{:<{}}  failed: {}\n", run.name, name_width, short_reason(run.error));
      continue;
    }
    out += fmt::format("{:<{}} {:>6} {:>15.3f} {:>15.3f}{} {:>15.3f} {:>7.1f}%  {}\n", run.name, name_width,
                       run.npus, run.total.us(), run.compute.us(),
                       bubbles ? fmt::format(" {:>15.3f}", run.bubble.us()) : "", run.exposed.us(),
                       ratio(run.exposed, run.total) * 100, share_bar(run, unicode));
  }
  return out;
}

// The same for runs that do the same: as many iterations of equal layers, in pipelines for as much compute.
std::string work_of(const Summary& run) {
  if (run.training) return run.training->work;
  std::string work = std::to_string(run.iterations);
  if (!run.parts.empty()) work += ' ' + std::to_string(run.compute.ps());
  for (const LayerSummary& layer : run.layers) work += ',' + layer.name;
  return work;
}

std::string difference(std::string_view what, Time faster, Time slower) {
  if (faster == slower) return fmt::format("as much {}", what);
  const bool less = faster < slower;
  return fmt::format("{:.3f} us {} {}", less ? (slower - faster).us() : (faster - slower).us(),
                     less ? "less" : "more", what);
}

// "; its infiniband is busy 88% of the time"
std::string busiest(const Summary& run) {
  const DimensionSummary* dimension = run.busiest_dimension();
  return dimension
             ? fmt::format("; its {} is busy {:.0f}% of the time", dimension->name, dimension->busy * 100)
             : "";
}

std::string overload_advice() {
  return fmt::format("{}; the dialect `native` tells how long", what_overload_means);
}

// `worst` is the one of `runs` that asks most of its links; `count` of them ask too much.
std::string overload(const Summary& worst, std::size_t count, std::size_t runs) {
  const BusiestLinks& links = *worst.overloaded_links();
  return fmt::format(
      "\n{} of {} runs send more over links than these can carry, {} most, {:.0f}% over {}:\n  {}\n", count,
      runs, worst.name, links.utilization * 100, links.dimension, overload_advice());
}

// The links that carry most, and what it means if that is too much.
std::string bottleneck(const Summary& run) {
  if (run.busiest_links.empty()) return {};
  const BusiestLinks& links = run.busiest_links.front();
  std::string text =
      fmt::format("  {:<24} {:>9.1f}% used{}, {} to {} of {}", "busiest link", links.utilization * 100,
                  run.parts.empty() ? "" : " by messages", links.from, links.to, links.dimension);
  text += links.links > 1 ? fmt::format(" and {} like it\n", links.links - 1) : "\n";
  if (run.overloaded_links()) text += fmt::format("    more than it can carry: {}\n", overload_advice());
  return text;
}

// A line for each of the first parts.
std::string parts_table(const Summary& run) {
  constexpr std::size_t most_lines = 16;
  std::string out;
  for (std::size_t i = 0; i < std::min(run.parts.size(), most_lines); ++i) {
    const PartSummary& part = run.parts[i];
    out += fmt::format("  {:<24} {:>9.1f}% computing, {:.1f}% waiting for messages, {:.1f}% for collectives",
                       part.name, ratio(part.compute, run.total) * 100,
                       ratio(part.awaits_messages, run.total) * 100,
                       ratio(part.awaits_collectives, run.total) * 100);
    if (part.micro_batches_in_flight > 0)
      out += fmt::format(", {:.3g} micro-batches in flight", part.micro_batches_in_flight);
    out += "\n";
  }
  if (run.parts.size() > most_lines)
    out += fmt::format("  and {} more in parts.csv\n", run.parts.size() - most_lines);
  return out;
}

std::string explain(const Summary& faster, const Summary& slower) {
  std::string out = fmt::format("{} is {:.2f} times as fast as {}: {}, ", faster.name,
                                slower.total.ns() / faster.total.ns(), slower.name,
                                difference("compute", faster.compute, slower.compute));
  if (faster.bubble > Time() || slower.bubble > Time())
    out += difference("bubble", faster.bubble, slower.bubble) + ", ";
  out += difference("exposed communication", faster.exposed, slower.exposed) + ".\n";
  for (const Summary* run : {&faster, &slower}) {
    const auto worst = run->worst_layers(3);
    if (worst.empty()) continue;
    out += fmt::format("  {} waits most for", run->name);
    for (std::size_t i = 0; i < worst.size(); ++i) {
      out += fmt::format("{} {} ({:.3f} us)", i > 0 ? "," : "", worst[i]->name, worst[i]->exposed.us());
    }
    out += busiest(*run) + "\n";
  }
  return out;
}

}  // namespace

void ComparisonReport::add(const Summary& run) {
  rows_.emplace_back(run);
  if (!run.error.empty()) return;
  bubbles_ |= !run.parts.empty();
  add_to_group(run);
  if (run.memory && (!most_memory_ || run.memory->required.total() > most_memory_->memory->required.total()))
    most_memory_ = run;
  const BusiestLinks* const links = run.overloaded_links();
  if (!links) return;
  ++overloaded_;
  if (!most_overloaded_ || links->utilization > most_overloaded_->overloaded_links()->utilization)
    most_overloaded_ = run;
}

void ComparisonReport::add_to_group(const Summary& run) {
  const auto [group, first] = group_of_.emplace(work_of(run), groups_.size());
  if (first) groups_.push_back({run, run});
  Extremes& extremes = groups_[group->second];
  if (run.total < extremes.fastest.total) extremes.fastest = run;
  if (run.total > extremes.slowest.total) extremes.slowest = run;
}

std::string ComparisonReport::text(bool unicode) const {
  std::string out = comparison_table(rows_, bubbles_, unicode) + training_table(rows_);
  for (const auto& [fastest, slowest] : groups_)
    if (fastest.total < slowest.total && fastest.total > Time()) out += "\n" + explain(fastest, slowest);
  if (most_memory_)
    out += fmt::format("\nmemory, at most ({}): {}\n", most_memory_->name, text_of(*most_memory_->memory));
  if (most_overloaded_) out += overload(*most_overloaded_, overloaded_, rows_.size());
  return out;
}

std::string comparison_report(const std::vector<Summary>& runs, bool unicode) {
  ComparisonReport report;
  for (const Summary& run : runs) report.add(run);
  return report.text(unicode);
}

std::string run_report(const Summary& run, bool unicode) {
  std::string machine = run.training ? run.training->device : "";
  for (std::size_t d = 0; d < run.dimensions.size(); ++d)
    machine += fmt::format("{}{}", d > 0 ? " x " : "", run.dimensions[d].kind);
  std::string out = fmt::format("{}: {} NPUs ({})", run.name, run.npus, machine);
  out += fmt::format(", {} dialect, {} iteration{}\n", run.dialect, run.iterations,
                     run.iterations == 1 ? "" : "s");
  out += fmt::format("  total                 {:>15.3f} us\n", run.total.us());
  if (run.rank_0_total < run.total)
    out += fmt::format("    NPU {} ends last; what follows is of NPU 0, which ends at {:.3f} us\n",
                       run.last_rank, run.rank_0_total.us());
  out += fmt::format("  compute               {:>15.3f} us\n", run.compute.us());
  if (!run.parts.empty())
    out += fmt::format(
        "  bubble                {:>15.3f} us  {:.1f}% of the total, {:.1f}% of the compute time\n",
        run.bubble.us(), run.bubble_share() * 100, ratio(run.bubble, run.compute) * 100);
  out += fmt::format("  exposed communication {:>15.3f} us  {:.1f}% of the total\n", run.exposed.us(),
                     run.exposed_share() * 100);
  out += fmt::format("  {}  compute | {}exposed\n", share_bar(RunRow(run), unicode),
                     run.parts.empty() ? "" : "bubble | ");
  if (run.staleness)
    out += fmt::format("  staleness             {:>11} training step{}\n", *run.staleness,
                       *run.staleness == 1 ? "" : "s");
  out += run.training ? training_lines(run) : parts_table(run);
  for (const DimensionSummary& dimension : run.dimensions) {
    out += fmt::format("  {:<24} {:>9.1f}% busy, {:.3f} MiB sent per NPU\n", dimension.name,
                       dimension.busy * 100, dimension.payload.mib());
  }
  if (run.memory) out += fmt::format("  memory                   {}\n", text_of(*run.memory));
  out += bottleneck(run);
  const auto worst = run.worst_layers(3);
  if (worst.empty()) return out;
  out += "  layers that wait most for communication:\n";
  for (const LayerSummary* layer : worst) {
    out += fmt::format("    {:<24} {:>15.3f} us exposed of {:.3f} us communication\n", layer->name,
                       layer->exposed.us(), layer->communication.us());
  }
  return out;
}

}  // namespace orrery
