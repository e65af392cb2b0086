#include "report/summary/explanation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "report/table/table.hpp"

namespace orrery::core {

namespace {

// Returns the differences between ranks, a line each.
std::vector<std::string> distinctions(const Machine& machine, const CollectiveSurvey& survey,
                                      const Recording& recording) {
  std::vector<std::string> lines;
  if (recording.parts.size() > 1 && recording.phases_of(0))
    lines.push_back(fmt::format("they run {} different programs", recording.parts.size()));
  const std::set<double> speeds(machine.compute_slowdown.begin(), machine.compute_slowdown.end());
  if (speeds.size() > 1) lines.push_back(fmt::format("they compute at {} different speeds", speeds.size()));
  if (machine.dialect.phase_barrier == PhaseBarrier::machine) return lines;
  std::set<int> slow;
  for (const SlowLinks& links : machine.network.slow_links)
    if (slowdown_into(machine.network.slow_links, links.dimension, machine.topology.npus()).differs())
      slow.insert(links.dimension);
  for (int d : slow)
    lines.push_back(
        fmt::format("some have slow links into dimension '{}'", machine.topology.dimensions[d].name));
  for (const CollectiveSurvey::Use& use : survey.uses) {
    if (!use.by_position()) continue;
    const std::string where =
        use.dimension.physical < 0
            ? "the whole machine"
            : fmt::format("dimension '{}'", machine.topology.dimensions[use.dimension.physical].name);
    lines.push_back(fmt::format(
        "in {} it matters at which of {} positions a rank stands (a tree, part of a ring, or slow links)",
        where, use.dimension.size));
  }
  return lines;
}

// The largest classes, a line each.
std::string largest_classes(const RankClasses& classes) {
  constexpr std::size_t most = 6;
  std::vector<ClassId> numbers;
  for (const ClassId number : first_ids<ClassId>(classes.count())) numbers.push_back(number);
  std::stable_sort(numbers.begin(), numbers.end(),
                   [&](ClassId a, ClassId b) { return classes.size(a) > classes.size(b); });
  std::string text;
  for (std::size_t i = 0; i < numbers.size() && i < most; ++i)
    text += fmt::format("    rank {} stands for {}\n", classes.representative(numbers[i]).value(),
                        classes.size(numbers[i]));
  if (numbers.size() > most) text += fmt::format("    and {} smaller classes\n", numbers.size() - most);
  return text;
}

}  // namespace

std::string explanation(const std::string& name, const Machine& machine, const CollectiveSurvey& survey,
                        const Recording& recording) {
  const RankClasses& classes = recording.classes;
  std::string text = fmt::format("{}: how it was simulated\n", name);
  if (!recording.simulated.empty()) {
    text += fmt::format("  {} ({} messages, {} events)\n", recording.simulated, recording.messages,
                        recording.events);
    if (!recording.shortcuts.empty()) text += fmt::format("  {}\n", recording.shortcuts);
    return wrapped(text, 6);
  }
  if (!recording.folded) {
    text +=
        fmt::format("  every message of every rank ({} messages, {} events)\n    not folded, because {}\n",
                    recording.messages, recording.events, recording.not_folded_because);
    if (!recording.shortcuts.empty()) text += fmt::format("  {}\n", recording.shortcuts);
    return wrapped(text, 6);
  }
  text += fmt::format("  ranks folded: {} simulated for {}\n", classes.count(), classes.ranks());
  const std::vector<std::string> apart = distinctions(machine, survey, recording);
  if (apart.empty() && classes.ranks() > 1) text += "    all start and end everything together\n";
  for (const std::string& line : apart) text += fmt::format("    {}\n", line);
  if (classes.count() > 1 && !classes.distinct()) text += largest_classes(classes);
  text += fmt::format("  phases folded: {} events for {} messages\n", recording.events, recording.messages);
  if (recording.phases_isolated)
    text += "    no two phases share a link, so each kind of phase was simulated once, by itself\n";
  if (recording.ties_by_start) {
    text += fmt::format(
        "    were two chunks to reach one queue in the same instant, their order would be that in "
        "which their phases started: the machine is too large to start over with every message\n");
  }
  return wrapped(text, 6);
}

}  // namespace orrery::core
