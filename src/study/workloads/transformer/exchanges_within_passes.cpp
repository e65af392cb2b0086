#include "study/workloads/transformer/exchanges_within_passes.hpp"

#include <algorithm>
#include <tuple>
#include <variant>

#include "report/statistics/statistics.hpp"
#include "workload/training/stages/block_costs.hpp"
#include "workload/training/stages/pass_exchanges.hpp"

namespace orrery::core {

namespace {

// Scales what a link has carried in one collective to what it carries in several of them.
LinkUse times(LinkUse use, std::uint64_t count) {
  use.load = use.load * count;
  use.busy = use.busy * static_cast<std::int64_t>(count);
  if (!use.of_packets) return use;
  PacketLinkUse& packets = *use.of_packets;
  for (std::uint64_t* number : {&packets.packets, &packets.drops, &packets.marks, &packets.pauses,
                                &packets.credit_waits, &packets.trims})
    *number *= count;
  packets.paused = packets.paused * static_cast<std::int64_t>(count);
  packets.credit_waiting = packets.credit_waiting * static_cast<std::int64_t>(count);
  packets.resent = packets.resent * count;
  return use;
}

void add(LinkUse& sum, const LinkUse& use) {
  sum.load += use.load;
  sum.busy += use.busy;
  if (!sum.of_packets || !use.of_packets) return;
  PacketLinkUse& packets = *sum.of_packets;
  const PacketLinkUse& more = *use.of_packets;
  packets.packets += more.packets;
  packets.drops += more.drops;
  packets.marks += more.marks;
  packets.pauses += more.pauses;
  packets.paused += more.paused;
  packets.credit_waits += more.credit_waits;
  packets.credit_waiting += more.credit_waiting;
  packets.longest_queue = std::max(packets.longest_queue, more.longest_queue);
  packets.trims += more.trims;
  packets.resent += more.resent;
}

// Adds up what links have carried in several collectives, by their ends. Several cables may join the same
// ends: of each collective, the one that carries most counts for the one that carries most, and so on, which
// is what they carry where all collectives send along the same ways.
class LinkSums {
 public:
  // Adds what links have carried in one collective, the busiest first, `count` times.
  void add(const std::vector<LinkUse>& links, std::uint64_t count) {
    std::map<Ends, std::size_t> seen;
    for (const LinkUse& use : links) {
      const Ends ends{use.from, use.to, use.links};
      std::vector<LinkUse>& cables = sums_[ends];
      const std::size_t cable = seen[ends]++;
      if (cable == cables.size())
        cables.push_back(times(use, count));
      else
        orrery::core::add(cables[cable], times(use, count));
    }
  }
  void append_to(std::vector<LinkUse>& links) const {
    for (const auto& [ends, cables] : sums_) links.insert(links.end(), cables.begin(), cables.end());
  }

 private:
  using Ends = std::tuple<std::string, std::string, std::uint64_t>;

  std::map<Ends, std::vector<LinkUse>> sums_;
};

// Links that change are none of those of the collectives, or these would not take the same time in all
// passes.
Machine without_changes_of_links(Machine machine) {
  machine.topology.link_changes = nullptr;
  return machine;
}

}  // namespace

ExchangesWithinPasses::ExchangesWithinPasses(const Machine& machine, const TrainingSetup& setup)
    : communicators_(setup) {
  times_ = std::make_shared<CollectiveTimes>(without_changes_of_links(machine),
                                             on_network(communicators_.all(), machine.topology, setup.where));
  for (std::uint64_t stage = 0; stage < setup.plan.pipeline; ++stage) {
    std::map<BlockKind, std::uint64_t> blocks;
    for (const std::vector<BlockKind>& chunk : blocks_of_stage(setup.model, setup.plan, stage))
      for (const BlockKind kind : chunk) ++blocks[kind];
    Counts& counts = counts_.emplace_back();
    for (const auto& [kind, number] : blocks) {
      const RankBlock block = block_of(kind, setup);
      for (const std::vector<Step>* steps : {&block.forward, &block.backward})
        for (const Step& step : *steps) {
          const auto* exchange = std::get_if<Exchange>(&step.work);
          if (!exchange) continue;
          const CollectiveRequest request = request_of(*exchange, communicators_);
          const auto found = std::ranges::find(counts, request, &Counts::value_type::first);
          const std::uint64_t more = number * setup.plan.micro_batches();
          if (found == counts.end())
            counts.emplace_back(request, more);
          else
            found->second += more;
        }
    }
    ranks_.push_back(setup.mesh().ranks_of_stage(stage));
  }
}

bool ExchangesWithinPasses::end_together() {
  for (const Counts& counts : counts_)
    for (const auto& [request, count] : counts)
      if (!times_->alone(request).together) return false;
  return true;
}

ExchangeTime ExchangesWithinPasses::time() const {
  return [communicators = communicators_, times = times_](const Exchange& exchange) {
    return Seconds::of(times->alone(request_of(exchange, communicators)).time);
  };
}

KnownTimes ExchangesWithinPasses::on_some(std::vector<bool> ranks) const {
  std::vector<RankId> members;
  for (const RankId rank : first_ids<RankId>(ranks.size()))
    if (ranks[rank.index()]) members.push_back(rank);
  KnownTimes known{{}, std::move(ranks)};
  for (const Counts& counts : counts_)
    for (const auto& [request, count] : counts)
      if (!known.find(members[0], request))
        known.collectives.push_back(
            {request, times_->alone(request).time, times_->messages_on(members, request)});
  return known;
}

std::vector<std::pair<Time, CollectiveRequest>> ExchangesWithinPasses::begun(
    const Stage& stage, const std::vector<Interval>& operations) const {
  std::vector<std::pair<Time, CollectiveRequest>> begun;
  PassExchanges exchanges(stage.setup);
  for (ExecutionGraph::Id id = 0; id < operations.size(); ++id) {
    const Interval& ran = operations[id];
    if (const PassPart* const pass = stage.notes.pass_of(id)) {
      for (const PassExchange& one : exchanges.of(stage.number, *pass))
        begun.emplace_back(ran.start + one.begin.rounded(), request_of(one.exchange, communicators_));
    } else if (stage.graph.kind(id) == OperationKind::collective && stage.graph.collective(id).takes) {
      CollectiveRequest request = stage.graph.collective(id);
      const Time takes = *std::exchange(request.takes, std::nullopt);
      request.efficiency = 1;
      begun.emplace_back(ran.end - takes, request);
    }
  }
  return begun;
}

std::vector<Time> ExchangesWithinPasses::busy_besides(const Stage& stage,
                                                      const std::vector<Interval>& operations,
                                                      const PhaseRecords& records,
                                                      const Served& served) const {
  const std::size_t dimensions = records.payload.size();
  std::vector<std::vector<Interval>> busy =
      services(records, physical_dimensions(times_->communicators()), dimensions);
  std::vector<Time> without;
  for (const std::vector<Interval>& others : busy) without.push_back(time_covered(others));
  for (const auto& [begin, request] : begun(stage, operations)) {
    const auto found = std::ranges::find(served, request, &Served::value_type::first);
    if (found == served.end()) continue;  // a barrier
    for (std::size_t d = 0; d < dimensions; ++d)
      for (const Interval& alone : found->second[d])
        busy[d].push_back({begin + alone.start, begin + alone.end});
  }
  for (std::size_t d = 0; d < dimensions; ++d) without[d] = time_covered(std::move(busy[d])) - without[d];
  return without;
}

void ExchangesWithinPasses::count_in(const TrainingSetup& setup, const Program& program,
                                     const TrainingNotes& notes, Recording& recording) const {
  LinkSums links;
  const std::vector<int> physical = physical_dimensions(times_->communicators());
  for (std::size_t stage = 0; stage < counts_.size(); ++stage) {
    auto& part = std::get<PhaseRecords>(recording.parts[stage].collectives);
    part.besides.resize(part.payload.size());
    Served served;
    for (const auto& [request, count] : counts_[stage]) {
      const Recording one = times_->on(ranks_[stage], request);
      recording.messages += one.messages * count;
      links.add(one.links, count);
      for (std::size_t d = 0; d < part.payload.size(); ++d)
        part.besides[d].payload += one.phases_of(0)->payload[d] * count;
      served.emplace_back(request, services(*one.phases_of(0), physical, part.payload.size()));
    }
    const std::vector<Time> busy =
        busy_besides({setup, static_cast<int>(stage), program.parts[stage].graph, notes[stage]},
                     recording.lowest_of(stage).operations, part, served);
    for (std::size_t d = 0; d < busy.size(); ++d) part.besides[d].busy = busy[d];
  }
  // Nothing else goes over the links of these collectives.
  links.append_to(recording.links);
  std::ranges::stable_sort(recording.links,
                           [](const LinkUse& a, const LinkUse& b) { return a.busy > b.busy; });
}

}  // namespace orrery::core
