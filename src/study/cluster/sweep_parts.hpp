// The parts into which a sweep is cut, each of which a task of a cluster simulates.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "study/sweep/run_numbers.hpp"

namespace orrery::core {

// A run, and for how long it is expected to be simulated.
struct CostedRun {
  std::size_t number = 0;
  double seconds = 0;
};

struct SweepPart {
  RunNumbers runs;
  double seconds = 0;  // that its runs take one after the other
};

// Returns how many tasks simulate these runs in about ten minutes each, on so many processors a task.
std::size_t usual_number_of_tasks(const std::vector<CostedRun>& runs, int processors);

// Deals runs, whose numbers rise, to parts that take about equally long: the longest first, each to the part
// that has least to do so far. Equal runs give equal parts.
std::vector<SweepPart> parts_of(const std::vector<CostedRun>& runs, std::size_t parts);

// Returns the text of a file of parts: a line that names the sweep by its hash, and then a line for each
// part.
std::string text_of_parts(const std::vector<SweepPart>& parts, std::string_view sweep);

// Returns the runs of the part of that number, from 1, in such a text. Throws InputError where it has no such
// part or is of another sweep. `file` is the place of the text.
RunNumbers part_in(std::string_view text, const std::string& file, std::size_t number,
                   std::string_view sweep);

}  // namespace orrery::core
