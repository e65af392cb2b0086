// The waist of the simulator: what the ranks of a machine do. Every workload becomes a program, and nothing
// else runs.
//
// There is an execution graph for each part. A part is a set of ranks that do the same: all ranks, the stages
// of a pipeline, or a parameter server and its workers. Collectives name communicators, messages name parts.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "base/units/rank_id.hpp"
#include "program/execution_graph.hpp"
#include "program/known_times.hpp"
#include "topology/rank_parts.hpp"

namespace orrery::core {

// Collectives of a part are among its ranks. A message goes from each of them to the rank at the same place
// among those of another part, so parts that exchange messages must have equally many ranks. Or it goes to a
// rank that it names (Program::messages_name_ranks).
struct ProgramPart {
  std::string name;  // "stage 0", "worker 3"; empty where there is but one part
  ExecutionGraph graph;
  std::vector<RankId> ranks;           // ascending; empty where they are all ranks of the machine
  double micro_batches_in_flight = 0;  // most activations that it keeps at a time; 0: it says nothing
  // The operations from the first to the second of these are the beginning of the next training step, beside
  // which goes on what the part's end waits for. If it is not set, nothing does.
  std::optional<std::pair<ExecutionGraph::Id, ExecutionGraph::Id>> hides_end = {};
  // Training steps of a replica of the model start and end with those of this part, and replicas may be ahead
  // of one another.
  bool paces_replica = false;
  // Number of ranks where they are all ranks of the machine: a million need no list.
  std::uint32_t all_ranks = 0;

  // Returns the number of its ranks.
  std::size_t size() const { return ranks.empty() ? all_ranks : ranks.size(); }
  RankId lowest_rank() const { return ranks.empty() ? RankId(0) : ranks.front(); }
};

// Says how ranks issue their operations.
enum class OperationIssue : std::uint8_t {
  dataflow,  // a rank starts all that is ready, and one plan of a collective serves all ranks
  // By their ids, one at a time in each of the rank's slots. A rank plans its own collectives as streams
  // (collective/streams/). Execution traces are programs of this kind.
  slots,
};

struct Program {
  std::vector<ProgramPart> parts;  // by their lowest ranks; every rank is in one
  std::vector<Communicator> communicators;
  SourceLocation where;              // place where the user asks for it
  bool messages_name_ranks = false;  // the peers of messages are ranks, not parts
  OperationIssue issue = OperationIssue::dataflow;
  // Files of ranks, by number, or one for all; empty: ranks come from no files.
  std::vector<std::string> files = {};
  // Collectives that need not be simulated on some ranks; null: there are none. Every rank is simulated then.
  std::shared_ptr<const KnownTimes> known_times = {};

  bool issues_in_slots() const { return issue == OperationIssue::slots; }
  // Returns whether all ranks do the same, and are no part with a name of its own.
  bool is_uniform() const { return parts.size() == 1 && parts[0].name.empty(); }
  // Returns whether computation and collectives slow each other down on some ranks.
  bool contends() const;
  // Returns the file that says what a rank does.
  const std::string& file_of(RankId rank) const { return files[files.size() == 1 ? 0 : rank.index()]; }
};

// Returns the number of each rank's part.
std::vector<std::uint32_t> parts_of_ranks(const Program& program, std::uint32_t ranks);

// Returns the same by the classes of ranks that are simulated. Ranks of a class are of one part.
RankParts parts_of_classes(const Program& program, const RankClasses& classes);

// Returns the program of `ranks` ranks that all do the same and whose collectives are among all of them.
Program program_of_equal_ranks(ExecutionGraph graph, std::vector<LogicalDimension> dimensions,
                               std::uint32_t ranks);

// Returns the rank of another part that is at the place that `rank` has in its own part. Messages between
// parts go to it.
RankId rank_at_same_place(const Program& program, std::uint32_t part, RankId rank, std::uint32_t other_part);

// Returns the dimensions of all communicators, one after the other; records of phases name them by their
// index.
std::vector<LogicalDimension> all_dimensions(const Program& program);

// Throws InputError at `where` if a program of so many operations needs too much memory, before it is built.
// `what` names what makes them, such as "16000000 micro-batches".
void require_program_fits(double operations, const SourceLocation& where, const std::string& what,
                          const std::string& what_to_do);

}  // namespace orrery::core
