// Says where the time of a step goes: the one definition that everything asks which shows compute, bubble,
// exposed communication or idle time (docs/models/reports.md, Where the time goes).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units/rank_id.hpp"
#include "report/breakdown/rank_spans.hpp"
#include "report/breakdown/training_stages.hpp"

namespace orrery::core {

// Says what a class of ranks spends the step on.
struct ClassTime {
  std::uint32_t part = 0;  // index in the program
  RankId rank;             // the lowest of the class
  std::size_t ranks = 0;   // number of ranks for which it stands
  Time end;                // when a rank of it ends
  TimeParts parts;         // add up to the step
};

// Has means over the ranks of a part of the program.
struct PartTime {
  TimeParts parts;  // add up to the step
  // Times in which it waits, whether or not it would wait even if communication took no time.
  Time awaits_messages, awaits_collectives;
  std::vector<Time> exposed;  // exposed communication by communicator
  Time exposed_messages;      // exposed communication that is no collective, but messages
};

// Has means over all ranks of what a layer takes. Its compute and exposed time are parts of those of the
// whole. Communication is under way beside other things, so that it may add up to more than the time of the
// run.
struct LayerTime {
  std::string name;
  Time compute, communication, exposed;
};

struct Breakdown {
  Time step;                         // until the last rank ends, or is ready for the next step of a training
  RankId last_rank;                  // the rank that ends last, the lowest if there are several
  TimeParts mean;                    // over all ranks
  std::vector<Time> exposed;         // exposed communication by communicator, in the mean of all ranks
  Time exposed_messages;             // exposed communication that is messages, likewise
  std::vector<ClassTime> classes;    // classes of ranks whose operations are known, by their lowest ranks
  std::vector<PartTime> parts;       // by part of the program
  std::vector<LayerTime> layers;     // in the order of the program
  std::optional<StageTimes> stages;  // none where operations do not say which pass they belong to
};

Breakdown breakdown_of(const Program& program, const Recording& recording);

}  // namespace orrery::core
