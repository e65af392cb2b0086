// Writes a program as a set of Chakra traces, one for each rank, and reads it back without loss.
//
// Every operation is a node with the operation's number, as in graph_trace.hpp; messages are sends and
// receives, and collectives name communicator groups, which are numbered and go into a file of their own.
// Other simulators can run that. What only our programs know is in attributes that others ignore: in the
// metadata what concerns all ranks (`orrery_program`), and in nodes what concerns an operation
// (`orrery_operation`).
//
// In ASTRA-sim 2 a rank communicates with one other thing at a time. Collectives and sends of a rank
// therefore wait for one another in program order, by control dependencies: ranks that took them in different
// orders would wait for each other for ever. Program order itself cannot do that, because every rank could go
// through its operations one after the other. Our own programs do without these dependencies.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "base/progress.hpp"
#include "base/units/rank_id.hpp"
#include "program/program.hpp"
#include "workload/chakra/files/trace.hpp"

namespace orrery::core::chakra {

struct RecordedProgram {
  Program program;
  std::uint32_t ranks = 0;
  int passes = 1;  // training iterations
};

// Throws std::invalid_argument that says why a program cannot be written as traces, such as "has a parameter
// server".
class ProgramTraces {
 public:
  // Keeps a reference. No operation may be of a kind that only traces have.
  explicit ProgramTraces(const RecordedProgram& recorded);

  Trace of_rank(RankId rank) const;
  // Members of each group, by number. Collectives of all ranks have no group.
  const std::map<int, std::vector<int>>& groups() const { return groups_; }

 private:
  friend class ProgramTraceWriter;
  using Chosen = std::pair<std::uint32_t, unsigned long>;  // communicator, and the dimensions that take part

  const Program& program() const { return recorded_.program; }
  void number_groups();
  void match_messages();
  int group_of(RankId rank, const CollectiveRequest& request) const;
  std::vector<std::string> program_words(std::uint32_t part) const;

  const RecordedProgram& recorded_;
  std::vector<std::uint32_t> part_of_, place_in_;  // by rank; the latter among the ranks of its part
  std::map<int, std::vector<int>> groups_;
  std::map<Chosen, std::vector<int>> group_of_rank_;           // 0: all ranks; -1: takes no part
  std::vector<std::map<ExecutionGraph::Id, Bytes>> received_;  // by part: bytes of messages that are received
};

// Returns whether a trace's metadata holds words about a program.
inline bool holds_program(const std::vector<std::string>& program_words) {
  return !program_words.empty();
}

// Reads the traces of all ranks. Throws InputError where they are not as they were written.
RecordedProgram read_program_traces(const std::vector<std::string>& files, const StepListener& told = {});

}  // namespace orrery::core::chakra
