#include "study/cluster/sweep_parts.hpp"

#include <algorithm>
#include <cmath>
#include <queue>
#include <utility>

#include <fmt/format.h>

namespace orrery::core {

namespace {

constexpr double seconds_of_task = 600;
constexpr std::string_view sweep_line = "# sweep ";

// Runs that one part gets together.
struct RunBlock {
  std::size_t first = 0, behind = 0;  // in the list of runs
  double seconds = 0;
};

// Parts of millions of runs would be as many ranges, so neighbours stay together where there are very many.
std::vector<RunBlock> blocks_of(const std::vector<CostedRun>& runs, std::size_t parts) {
  constexpr std::size_t most_blocks = 200'000;
  const std::size_t most = std::max(most_blocks, parts);
  const std::size_t length = (runs.size() + most - 1) / most;
  std::vector<RunBlock> blocks;
  for (std::size_t first = 0; first < runs.size(); first += length) {
    RunBlock block{first, std::min(first + length, runs.size()), 0};
    for (std::size_t run = block.first; run < block.behind; ++run) block.seconds += runs[run].seconds;
    blocks.push_back(block);
  }
  return blocks;
}

}  // namespace

std::size_t usual_number_of_tasks(const std::vector<CostedRun>& runs, int processors) {
  constexpr double most_tasks = 1000;
  double seconds = 0;
  for (const CostedRun& run : runs) seconds += run.seconds;
  const double tasks = std::clamp(std::ceil(seconds / (seconds_of_task * processors)), 1.0, most_tasks);
  return std::min(static_cast<std::size_t>(tasks), runs.size());
}

std::vector<SweepPart> parts_of(const std::vector<CostedRun>& runs, std::size_t parts) {
  std::vector<RunBlock> blocks = blocks_of(runs, parts);
  std::ranges::stable_sort(blocks, std::ranges::greater(), &RunBlock::seconds);
  using Load = std::pair<double, std::size_t>;  // seconds, and the number of the part
  std::priority_queue<Load, std::vector<Load>, std::greater<>> loads;
  for (std::size_t part = 0; part < parts; ++part) loads.emplace(0, part);
  std::vector<std::vector<RunBlock>> dealt(parts);
  for (const RunBlock& block : blocks) {
    const auto [seconds, part] = loads.top();
    loads.pop();
    loads.emplace(seconds + block.seconds, part);
    dealt[part].push_back(block);
  }
  std::vector<SweepPart> made(parts);
  for (std::size_t part = 0; part < parts; ++part) {
    std::ranges::sort(dealt[part], {}, &RunBlock::first);
    for (const RunBlock& block : dealt[part]) {
      made[part].seconds += block.seconds;
      for (std::size_t run = block.first; run < block.behind; ++run) made[part].runs.add(runs[run].number);
    }
  }
  return made;
}

std::string text_of_parts(const std::vector<SweepPart>& parts, std::string_view sweep) {
  std::string text = fmt::format("{}{}\n", sweep_line, sweep);
  for (const SweepPart& part : parts) text += part.runs.text() + "\n";
  return text;
}

RunNumbers part_in(std::string_view text, const std::string& file, std::size_t number,
                   std::string_view sweep) {
  int line_number = 0;
  std::size_t part = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    ++line_number;
    if (line.starts_with(sweep_line) && line.substr(sweep_line.size()) != sweep)
      throw InputError(
          {file, line_number},
          "these are parts of another sweep, as the experiment, or a flag that changes it, is another "
          "one since they were made; give `orrery sweep --slurm` again");
    if (line.starts_with('#') || line.empty()) continue;
    if (++part == number) return read_run_numbers(line, {file, line_number});
  }
  throw InputError({file},
                   fmt::format("has {} parts, and none of number {}; number them from 1", part, number));
}

}  // namespace orrery::core
