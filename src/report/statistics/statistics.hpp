// Computes statistics of a run by queries over the graph and the recording of a part.
#pragma once

#include <array>
#include <vector>

#include "program/program.hpp"
#include "simulate/recording.hpp"

namespace orrery::core {

// Times by Pass.
using PassTimes = std::array<Time, passes_of_a_layer>;

struct LayerTimes {
  PassTimes compute;
  PassTimes communication;  // issue to completion, summed over collectives and messages, overlapping or not
  PassTimes exposed;        // time that the program waited
};

// Returns the times of layers as ASTRA-sim 1.0's files define them (docs/models/reports.md, Exposed
// communication): of all that the program waits for at its end, only layer 0's weight gradient is charged.
// `slowed` says that the rank does not compute for the durations that the graph states.
std::vector<LayerTimes> layer_times(const ExecutionGraph& graph, const std::vector<Interval>& operations,
                                    bool slowed);

// Returns when each training iteration of a rank reached its end.
std::vector<Time> iteration_ends(const ExecutionGraph& graph, const std::vector<Interval>& operations);

// Mean delays of a layer's chunks by phase, in nanoseconds (docs/models/reports.md, Delays by phase). They
// are empty for a layer without collectives.
struct LayerDelays {
  std::vector<double> queueing;  // entry 0: before the first queue; entry k: in the queue of phase k
  std::vector<double> network;   // entry k - 1: latency of a message in phase k
};
std::vector<LayerDelays> layer_delays(const ExecutionGraph& graph, const PhaseRecords& records);

// Returns the mean time from the start of a chunk's service to its end, by logical dimension, in nanoseconds.
// It is NaN where no chunk ran.
std::vector<double> chunk_service_times(const PhaseRecords& records);

// Returns for how long at least one interval lasts.
Time time_covered(std::vector<Interval> intervals);

// Returns when chunks were being served in each dimension of the topology. `physical` has the topology's
// dimension of each logical one; -1 for one that crosses several. Chunks of several communicators, or of both
// halves of a split dimension, may be served at once.
std::vector<std::vector<Interval>> services(const PhaseRecords& records, const std::vector<int>& physical,
                                            std::size_t dimensions);
// Returns the topology's dimension of each logical one, as all_dimensions() numbers them.
std::vector<int> physical_dimensions(const std::vector<Communicator>& communicators);

// Returns what a part's recorded rank does with each dimension of the topology.
std::vector<DimensionUse> dimension_uses(const Program& program, const PartRecord& part);

// Windows of time that follow one another and have a share in common. There can be millions of windows, most
// of them idle or busy as a whole.
struct EqualWindows {
  std::int64_t windows;
  double share;
};

// Returns, by logical dimension, the share of each window of length `window` in which a chunk waited in or
// occupied the dimension. Only complete windows count.
std::vector<std::vector<EqualWindows>> utilization(const PhaseRecords& records, Time finish, Time window);

}  // namespace orrery::core
