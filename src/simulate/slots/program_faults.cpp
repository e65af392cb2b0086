#include "simulate/slots/program_faults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "collective/collective_backend.hpp"
#include "collective/group_collectives.hpp"
#include "collective/streams/plan/member_agreement.hpp"
#include "collective/streams/plan/stream_plan.hpp"
#include "events/event_loop.hpp"
#include "program/operation_text.hpp"
#include "simulate/collectives/collective_policies.hpp"

namespace orrery::core {

namespace {

using Id = ExecutionGraph::Id;

class FaultFinder {
 public:
  FaultFinder(const Program& program, const Machine& machine, Faults& faults, Warnings& warnings)
      : program_(program),
        machine_(machine),
        faults_(faults),
        warnings_(warnings),
        as_a_whole_(collective_policy_of(program, machine).as_a_whole),
        agreement_(program.communicators),
        ranks_(static_cast<std::uint32_t>(machine.topology.npus())) {}

  void find() {
    note([&] {
      planner_.emplace(machine_.system, RequestNames{program_.communicators, machine_.algorithms},
                       machine_.topology);
    });
    note([&] {
      EventLoop loop{Clock(Clock::Mode::picoseconds)};
      machine_.network.model->make(machine_.transport_machine(), loop);
    });
    compares_ = faults_.empty();
    const std::vector<std::uint32_t> part_of = parts_of_ranks(program_, ranks_);
    for (const RankId rank : first_ids<RankId>(ranks_))
      check_rank(rank, program_.parts[part_of[rank.index()]].graph);
    if (!faults_.empty()) return;
    check_messages();
    if (machine_.algorithms.empty()) check_members();
  }

 private:
  struct Count {
    std::uint64_t sends = 0, receives = 0;
  };

  template <class Check>
  void note(const Check& check) {
    try {
      check();
    } catch (const InputError& error) {
      faults_.add(error);
    }
  }

  void check_rank(RankId rank, const ExecutionGraph& graph) {
    for (Id id = 0; id < graph.size(); ++id) {
      if (graph.is_timed(id)) continue;
      const OperationKind kind = graph.kind(id);
      if (kind == OperationKind::collective) {
        note([&] { check_collective(rank, graph, id); });
      } else if (kind == OperationKind::send || kind == OperationKind::receive) {
        const MessageEnd& message = graph.message(id);
        const bool sends = kind == OperationKind::send;
        const RankId peer(message.peer);
        Count& count =
            messages_[{message.tag, sends ? rank : peer, sends ? peer : rank, message.size.count()}];
        ++(sends ? count.sends : count.receives);
      }
    }
  }

  void check_collective(RankId rank, const ExecutionGraph& graph, Id id) {
    const CollectiveRequest& request = graph.collective(id);
    std::uint64_t& count = collectives_[request.communicator][rank];
    const auto reject = [&](const std::string& what) {
      throw InputError({program_.file_of(rank)}, described(graph, id) + " " + what);
    };
    if (as_a_whole_ || !is_symmetric(request.kind)) {
      if (!compares_) return;
      if (const std::string why = agreement_.begin(rank, request, count); !why.empty()) reject(why);
    }
    ++count;
    const bool is_listed = program_.communicators[request.communicator].lists_members();
    if (!is_listed && !spans_machine(request)) not_counted_.insert(request.communicator);
    try {
      if (as_a_whole_)
        GroupCollectives::require_no_algorithm(request);
      else if (planner_)
        planner_->plan(rank, request);
    } catch (const CollectiveError& error) {
      reject(error.what());
    }
  }

  // Returns whether all ranks meet. If dimensions are left out, only some of them do.
  bool spans_machine(const CollectiveRequest& request) const {
    const auto& algorithms = machine_.system.algorithms_of(request.kind);
    const bool symmetric = is_symmetric(request.kind);
    if (symmetric && !algorithms.empty() && algorithms.back().whole_machine) return true;
    const std::size_t dimensions = machine_.topology.dimensions.size();
    for (std::size_t d = 0; d < dimensions; ++d)
      if (!request.dimensions[d]) return false;
    return !symmetric || algorithms.size() == dimensions;
  }

  void check_messages() {
    for (const auto& [message, count] : messages_) {
      if (count.sends == count.receives) continue;
      const auto& [tag, source, destination, bytes] = message;
      const bool awaited = count.receives > count.sends;
      const SourceLocation where{program_.file_of(awaited ? destination : source)};
      const std::string text =
          fmt::format("messages of {} bytes with tag {} from rank {} to rank {}: sends {}, receives {}",
                      bytes, tag, source.value(), destination.value(), count.sends, count.receives);
      if (awaited || machine_.system.rendezvous)
        faults_.add(InputError(where, text + "; give each its partner"));
      else
        warnings_.add(where, text);
    }
  }

  void check_members() {
    for (const auto& [number, by_rank] : collectives_) {
      if (not_counted_.contains(number)) continue;
      const std::uint64_t most =
          std::ranges::max_element(by_rank, {}, [](const auto& one) { return one.second; })->second;
      const Communicator& communicator = program_.communicators[number];
      const auto check = [&, &counts = by_rank](RankId rank) {
        const auto found = counts.find(rank);
        const std::uint64_t here = found == counts.end() ? 0 : found->second;
        if (here == most) return;
        faults_.add(InputError(
            {program_.file_of(rank)},
            fmt::format("collectives of {}{} that rank {} starts: {}, that another member starts: {}; "
                        "all have to start the same ones",
                        communicator.members.empty() ? "" : "group ", communicator.name, rank.value(), here,
                        most)));
      };
      if (communicator.members.empty())
        for (const RankId rank : first_ids<RankId>(ranks_)) check(rank);
      for (const RankId member : communicator.members) check(member);
    }
  }

  const Program& program_;
  const Machine& machine_;
  Faults& faults_;
  Warnings& warnings_;
  const bool as_a_whole_;  // whether members carry out collectives as a whole
  MemberAgreement agreement_;
  const std::uint32_t ranks_;
  bool compares_ = true;  // whether it compares what ranks do
  std::optional<StreamPlanner> planner_;
  std::map<std::uint32_t, std::map<RankId, std::uint64_t>> collectives_;  // by communicator and rank
  std::set<std::uint32_t> not_counted_;  // communicators whose collectives are not those of all members
  // Messages by tag, source, destination and bytes.
  std::map<std::tuple<std::uint32_t, RankId, RankId, std::uint64_t>, Count> messages_;
};

}  // namespace

void Faults::add(const InputError& error) {
  if (known_.insert(error.what()).second) texts_.emplace_back(error.what());
}

void find_faults(const Program& program, const Machine& machine, Faults& faults, Warnings& warnings) {
  FaultFinder(program, machine, faults, warnings).find();
}

}  // namespace orrery::core
