// Divides the time of each rank of a run into compute, bubble, exposed communication and idle time
// (docs/models/reports.md, Where the time goes).
//
// The step lasts until the last rank ends. Each rank spends it on compute, waits within its program, and is
// idle after its own end. Of its waits, the bubble is what it would wait even if communication took no time,
// and the rest is exposed communication: compute + bubble + exposed + idle = step, to the picosecond.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/units/rank_id.hpp"
#include "report/breakdown/spans.hpp"

namespace orrery::core {

struct TimeParts {
  Time compute;               // all of it; the next four are parts of it
  Time host, memory, update;  // of the host, of memory beyond a rank's own, and of updates of weights
  Time contention;            // by which it takes longer because of collectives beside it
  Time bubble, exposed, idle;

  Time sum() const { return compute + bubble + exposed + idle; }
};

// Says what the recorded ranks of a run spend their time on.
class RankSpans {
 public:
  // Keeps references.
  RankSpans(const Program& program, const Recording& recording);

  // Returns when the last rank ends, or is ready for the next step of a training.
  Time step() const { return step_; }
  // Returns the rank that ends last, the lowest if there are several.
  RankId last_rank() const { return last_rank_; }
  // Returns the classes of ranks whose operations are known, by their lowest ranks. Where not all of them
  // are, the first class of a part stands for the part.
  const std::vector<ClassRecord>& classes() const { return recording_.ranks; }

  // Returns what a rank of a class spends its time on until its end. The bubbles of waits are known.
  std::vector<Span> spans(const ClassRecord& of) const;
  // Adds up these spans.
  TimeParts parts(const ClassRecord& of, std::span<const Span> spans) const;
  // Returns when a rank of the class ends, or is ready for the next step of a training.
  Time own_end(const ClassRecord& of) const { return part_spans_[of.part].own_end(of.operations, of.finish); }

 private:
  void find_bubbles(const ClassRecord& of, std::vector<Span>& spans) const;

  const Recording& recording_;
  std::vector<PartSpans> part_spans_;
  std::vector<Time> contended_within_;  // by part, the contention that durations of its operations hold
  Time step_;
  RankId last_rank_;
};

}  // namespace orrery::core
