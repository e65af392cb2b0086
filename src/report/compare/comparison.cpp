#include "report/compare/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/diagnostics/printable.hpp"
#include "base/text/readable.hpp"
#include "report/training/training_report.hpp"

namespace orrery::core {

namespace {

std::string repeat(std::string_view piece, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += piece;
  return out;
}

double ratio(Time a, Time b) {
  return b > Time() ? a.ns() / b.ns() : 0;
}

// The whole bar is the run's time: compute, bubble, exposed communication, and nothing where ranks have
// ended.
std::string share_bar(const RunRow& run, int width, bool unicode) {
  if (run.total == Time()) return {};
  const auto part = [&](Time time) {
    return static_cast<int>(std::lround(std::clamp(ratio(time, run.total), 0.0, 1.0) * width));
  };
  const int end = part(run.total - run.time.idle), exposed = std::min(end, part(run.time.exposed));
  const int busy = end - exposed, bubble = std::min(busy, part(run.time.bubble));
  return repeat(unicode ? "█" : "#", busy - bubble) + repeat(unicode ? "▒" : ".", bubble) +
         repeat(unicode ? "░" : "-", exposed) + repeat(" ", width - end);
}

// Returns why a run failed, without the place of the error and without further lines.
std::string failure_reason(const RunRow& run) {
  constexpr std::string_view severity = "error: ";
  const std::size_t found = run.error.find(severity);
  std::string reason = run.error.substr(found == std::string::npos ? 0 : found + severity.size());
  reason.resize(std::min(reason.size(), reason.find('\n')));
  if (reason.ends_with(':')) reason.pop_back();  // of a list on further lines
  return reason;
}

// Returns a line that says why runs failed. `others` is the number of those that are not named.
std::string failure_line(const std::vector<std::string_view>& runs, std::size_t others,
                         const std::string& reason) {
  constexpr std::string_view more = "...";
  const std::string rest = others > 0 ? fmt::format(" and {} more", others) : "";
  std::string line = fmt::format("{}{} failed: {}", fmt::join(runs, ", "), rest, reason);
  if (line.size() <= terminal_width) return line + '\n';
  std::size_t end = terminal_width - more.size();
  while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xc0) == 0x80) --end;  // within a character
  return line.substr(0, end).append(more) + '\n';
}

// Runs that failed for the same reason share a line if they are more than a few.
std::string failure_lines(const std::vector<RunRow>& runs) {
  constexpr std::size_t few = 3;
  std::vector<std::pair<std::string, std::vector<std::string_view>>> failed;  // names, by reason
  std::unordered_map<std::string, std::size_t> place;
  for (const RunRow& run : runs) {
    if (run.error.empty()) continue;
    const auto [known, is_new] = place.emplace(failure_reason(run), failed.size());
    if (is_new) failed.emplace_back(known->first, std::vector<std::string_view>());
    failed[known->second].second.push_back(run.name);
  }
  std::string text;
  for (const auto& [reason, names] : failed)
    if (names.size() > few)
      text += failure_line({names[0]}, names.size() - 1, reason);
    else
      for (const std::string_view name : names) text += failure_line({name}, 0, reason);
  return text;
}

// The keys in which the runs differ stand behind their names, and a bar stands behind their shares.
std::string table_of_runs(const std::vector<RunRow>& runs, const std::vector<std::string>& varied_keys,
                          bool bubbles, bool unicode) {
  const std::string title = bubbles ? "compute, bubble, exposed" : "compute, exposed";  // as wide as the bar
  TextTable table = text_table_of(run_table, runs);
  const auto share = std::ranges::find(table.columns, "share", &TextColumn::heading) - table.columns.begin();
  std::vector<std::string> bars;
  for (const RunRow& run : runs) bars.push_back(share_bar(run, static_cast<int>(title.size()), unicode));
  table.insert(static_cast<std::size_t>(share) + 1, {title}, std::move(bars));
  std::size_t place = 1;
  for (std::size_t k = 0; k < varied_keys.size(); ++k) {
    std::vector<std::string> values;  // which names of runs may say already
    for (const RunRow& run : runs) values.push_back(printable(run.varied[k]));
    if (!std::ranges::equal(values, runs, {}, {}, &RunRow::name))
      table.insert(place++, {varied_keys[k], true}, std::move(values));
  }
  std::string text = table.text();
  return text + failure_lines(runs);
}

// Returns a text that is the same for runs that do the same work: as many iterations of the same training.
std::string work_of(const Summary& run) {
  return fmt::format("{} times {}", run.iterations, run.work);
}

// Tiny differences come from rounding, and nobody has to read them.
std::string difference(std::string_view what, Time faster, Time slower, Time gap) {
  if (faster == slower) return fmt::format("as much {}", what);
  const bool less = faster < slower;
  constexpr double min_share = 0.001;
  if (std::abs((slower - faster).ns()) < min_share * gap.ns()) return fmt::format("nearly as much {}", what);
  return fmt::format("{} {} {}", readable(less ? slower - faster : faster - slower), less ? "less" : "more",
                     what);
}

// Returns, for example, "; its infiniband is busy 88% of the time".
std::string busiest(const Summary& run) {
  const DimensionSummary* dimension = run.busiest_dimension();
  return dimension
             ? fmt::format("; its {} is busy {:.0f}% of the time", dimension->name, dimension->busy * 100)
             : "";
}

std::string overload_advice(const Summary& run) {
  return fmt::format("{}; {} tells how long", what_overload_means,
                     run.dialect == native_dialect.name ? "`network-model: fluid`" : "the dialect `native`");
}

// `worst` is the run that overloads its links most; `count` is the number of runs among `runs` that overload
// theirs.
std::string overload(const Summary& worst, std::size_t count, std::size_t runs) {
  const BusiestLinks& links = *worst.overloaded_links();
  return wrapped(
      fmt::format("\n{} of {} runs send more over links than these can carry, {} most, {:.0f}% over {}: {}\n",
                  count, runs, worst.name, links.utilization * 100, links.dimension, overload_advice(worst)),
      2);
}

// Names the links that carry most, and says what it means if that is too much.
std::string bottleneck(const Summary& run) {
  if (run.busiest_links.empty()) return {};
  const BusiestLinks& links = run.busiest_links.front();
  const std::string text = report_line(
      "busiest link", readable_share(links.utilization),
      fmt::format("used{}, {} to {} of {}{}", run.parts.empty() || run.messages_meet ? "" : " by messages",
                  links.from, links.to, links.dimension,
                  links.links > 1 ? fmt::format(" and {} like it", links.links - 1) : ""));
  if (!run.overloaded_links()) return text;
  return text + wrapped("    more than it can carry: " + overload_advice(run) + "\n", 4);
}

// Names the switch that held most packets, and says what became of all packets that passed it.
std::string fullest_switch(const Summary& run) {
  if (run.fullest_switches.empty()) return {};
  const SwitchUse& use = run.fullest_switches.front();
  return report_line("fullest switch", readable(Cell(use.peak), "bytes"),
                     fmt::format("held by {}, {} packets lost, {} marked, {} pauses", use.name, use.drops,
                                 use.marks, use.pauses));
}

// A line for each of the first parts.
std::string parts_text(const Summary& run) {
  constexpr std::size_t max_lines = 16;
  if (run.parts.size() < 2) return {};
  std::vector<PartRow> rows = part_rows(run);
  const std::size_t parts = rows.size();
  while (rows.size() > max_lines) rows.pop_back();
  std::string text = text_of(part_table, rows);
  if (parts > rows.size())
    text +=
        fmt::format("and {} more in {}\n", parts - rows.size(), run.training ? "stages.csv" : "parts.csv");
  return text;
}

bool is_tie(const Summary& faster, const Summary& slower) {
  return faster.accuracy && slower.accuracy &&
         is_tie(faster.total.ns() / slower.total.ns(), *faster.accuracy, *slower.accuracy);
}

std::string explain(const Summary& faster, const Summary& slower) {
  const Time gap = slower.total - faster.total;
  std::string text = fmt::format("{} is {:.2f} times as fast as {}: {}, ", faster.name,
                                 slower.total.ns() / faster.total.ns(), slower.name,
                                 difference("compute", faster.time.compute, slower.time.compute, gap));
  if (faster.time.bubble > Time() || slower.time.bubble > Time())
    text += difference("bubble", faster.time.bubble, slower.time.bubble, gap) + ", ";
  text += difference("exposed communication", faster.time.exposed, slower.time.exposed, gap);
  if (faster.time.idle > Time() || slower.time.idle > Time())
    text += ", " + difference("idle", faster.time.idle, slower.time.idle, gap);
  text += ".\n";
  text = wrapped(text, 2);
  if (is_tie(faster, slower))
    text +=
        wrapped(fmt::format("  That is a tie: {} may as well be as fast, as measurements have differed from "
                            "predictions by more.\n",
                            slower.name),
                4);
  for (const Summary* run : {&faster, &slower}) {
    const auto worst = run->worst_layers(3);
    if (worst.empty()) continue;
    std::string line = fmt::format("  {} waits most for", run->name);
    for (std::size_t i = 0; i < worst.size(); ++i)
      line += fmt::format("{} {} ({})", i > 0 ? "," : "", worst[i]->name, readable(worst[i]->exposed));
    text += wrapped(line + busiest(*run) + "\n", 4);
  }
  return text;
}

// Says of the first run that ends sooner than the same run without its failures that this is luck.
std::string lucky_failure(const std::vector<RunRow>& runs, const std::vector<std::string>& varied_keys) {
  using Values = std::vector<std::string>;  // of the keys that are about no failures, and of the others
  std::map<Values, const RunRow*> whole;
  for (const bool breaks : {false, true}) {
    for (const RunRow& run : runs) {
      Values others;
      bool failures = false;
      for (std::size_t k = 0; k < run.varied.size(); ++k) {
        if (varied_keys[k].starts_with("failures"))
          failures = failures || !run.varied[k].empty();
        else
          others.push_back(run.varied[k]);
      }
      if (failures != breaks || !run.error.empty() || run.hashes) continue;
      if (!breaks) whole.try_emplace(others, &run);
      const auto same = whole.find(others);
      if (!breaks || same == whole.end()) continue;
      constexpr double rounding = 1e-6;  // of all that a run adds up
      const double share = 1 - ratio(run.total, same->second->total);
      if (share < rounding) continue;
      return wrapped(
          fmt::format("\n{} ends {:.2g}% sooner than {}, although something fails: messages that take "
                      "other ways may happen to meet fewer others. `hash-seeds: 8` shows how much "
                      "is luck\n",
                      run.name, 100 * share, same->second->name),
          2);
    }
  }
  return {};
}

}  // namespace

const RunRow& ComparisonReport::add(const Summary& run) {
  if (rows().empty())
    for (const auto& [key, value] : run.varied) varied_keys_.push_back(key);
  const RunRow& row = rows_.add(run);
  if (!run.error.empty()) return row;
  bubbles_ |= !run.parts.empty() || run.time.bubble > Time();
  add_to_group(run);
  if (run.memory && (!max_memory_ || run.memory->required.total() > max_memory_->memory->required.total()))
    max_memory_ = run;
  const BusiestLinks* const links = run.overloaded_links();
  if (!links) return row;
  ++overloaded_;
  if (!max_overloaded_ || links->utilization > max_overloaded_->overloaded_links()->utilization)
    max_overloaded_ = run;
  return row;
}

void ComparisonReport::add_to_group(const Summary& run) {
  const auto [group, first] = group_of_.emplace(work_of(run), groups_.size());
  if (first) groups_.push_back({run, run});
  Extremes& extremes = groups_[group->second];
  if (run.total < extremes.fastest.total) extremes.fastest = run;
  if (run.total > extremes.slowest.total) extremes.slowest = run;
}

std::string ComparisonReport::text(bool unicode) const {
  std::string out = table_of_runs(rows(), varied_keys_, bubbles_, unicode);
  for (const auto& [fastest, slowest] : groups_)
    if (fastest.total < slowest.total && fastest.total > Time()) out += "\n" + explain(fastest, slowest);
  if (max_memory_)
    out += "\n" +
           wrapped(fmt::format("memory, at most ({}): {}", max_memory_->name, text_of(*max_memory_->memory)),
                   2) +
           "\n";
  out += lucky_failure(rows(), varied_keys_);
  if (max_overloaded_) out += overload(*max_overloaded_, overloaded_, rows().size());
  return out;
}

namespace {

// Returns, for example, "a: 16 NPUs (ring of 4 x switch of 4), native dialect, 1 iteration".
std::string title_of(const Summary& run) {
  std::string machine = run.training ? run.training->device : "";
  for (std::size_t d = 0; d < run.dimensions.size(); ++d)
    machine += fmt::format("{}{}", d > 0 ? " x " : machine.empty() ? "" : ", ", run.dimensions[d].kind);
  if (!machine.empty()) machine = " (" + machine + ")";
  return wrapped(fmt::format("{}: {} NPUs{}, {} dialect, {} iteration{}\n", run.name, run.npus, machine,
                             run.dialect, run.iterations, run.iterations == 1 ? "" : "s"),
                 2);
}

// Returns, for example, "28.3 s to 41.2 s in 80% of cases"; nothing where no measured run tells.
std::string interval_text(const Summary& run) {
  if (!run.accuracy) return {};
  const ErrorInterval& of = run.accuracy->time;
  const double seconds = run.total.ns() * 1e-9;
  return fmt::format("{} to {} in {:.3g}% of cases", readable_seconds(seconds * of.low),
                     readable_seconds(seconds * of.high), of.share * 100);
}

// Returns lines that say what the time goes to.
std::string time_lines(const Summary& run, bool unicode) {
  constexpr int bar_width = 32;
  std::string out = report_line("total", readable(run.total), interval_text(run));
  if (run.hashes)
    out +=
        report_line("mean of the seeds", readable(run.hashes->mean),
                    fmt::format("{} to {} with {} seeds; what follows is of the seed nearest to the mean",
                                readable(run.hashes->least), readable(run.hashes->most), run.hashes->seeds));
  out += report_line("compute", readable(run.time.compute));
  for (const auto& [name, time] :
       {std::pair("- host", run.time.host), std::pair("- remote memory", run.time.memory),
        std::pair("- updates", run.time.update), std::pair("- contention", run.time.contention)})
    if (time > Time())
      out += report_line(name, readable(time), readable_share(run.share_of(time)) + " of the total");
  const bool bubbles = run.time.bubble > Time();
  if (bubbles)
    out += report_line("bubble", readable(run.time.bubble),
                       readable_share(run.bubble_share()) + " of the total, communication aside");
  out += report_line("exposed communication", readable(run.time.exposed),
                     readable_share(run.exposed_share()) + " of the total");
  if (run.time.idle > Time())
    out += report_line("idle", readable(run.time.idle),
                       fmt::format("{} of the total; NPU {} ends last",
                                   readable_share(run.share_of(run.time.idle)), run.last_rank.value()));
  return out + fmt::format("  {}  compute | {}exposed{}\n", share_bar(RunRow(run), bar_width, unicode),
                           bubbles ? "bubble | " : "", run.time.idle > Time() ? " | idle" : "");
}

}  // namespace

std::string run_report(const Summary& run, bool unicode) {
  std::string out = title_of(run) + time_lines(run, unicode);
  if (run.staleness)
    out += report_line("staleness", std::to_string(*run.staleness),
                       *run.staleness == 1 ? "training step" : "training steps");
  if (run.served)
    out += report_line(
        "steps per second", fmt::format("{:.4g}", run.served->pace.steps_per_second),
        fmt::format("of an NPU; gradients are {:.3g} steps stale", run.served->pace.mean_staleness));
  if (run.training) out += training_lines(run);
  for (const DimensionSummary& dimension : run.dimensions)
    out += report_line(dimension.name, readable_share(dimension.busy),
                       fmt::format("busy{}, {} sent per NPU{}", run.parts.empty() ? "" : " with collectives",
                                   readable(dimension.payload), run.parts.empty() ? "" : " in them"));
  if (run.memory) out += wrapped(fmt::format("  {:<24} {}\n", "memory", text_of(*run.memory)), 27);
  out += bottleneck(run) + fullest_switch(run);
  const auto worst = run.worst_layers(3);
  if (!worst.empty()) out += "  layers that wait most for communication:\n";
  for (const LayerSummary* layer : worst)
    out += report_line(layer->name, readable(layer->exposed),
                       fmt::format("exposed; its communication takes {}", readable(layer->communication)), 4);
  return out + parts_text(run);
}

}  // namespace orrery::core
