#include "report/critical_path/path_exchanges.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "program/operation_text.hpp"
#include "report/critical_path/message_meetings.hpp"
#include "report/statistics/rank_times.hpp"

namespace orrery::core {
namespace {

std::optional<Time> cell_of(const std::optional<Seconds>& time) {
  return time ? std::optional(time->rounded()) : std::nullopt;
}

std::optional<Real> cell_of(const std::optional<double>& share) {
  return share ? std::optional(Real{*share, 4}) : std::nullopt;
}

constexpr Column<PathExchange> path_exchange_columns[] = {
    {"run", "", "Name of the run.", [](auto& row) { return row.run; }},
    {"part", "", "Name of the part, such as `stage 0`. It is `all` where all ranks do the same.",
     [](auto& row) { return row.part; }},
    {"layer", "",
     "Name of the layer. In training steps it names the part of the model, or what is exchanged; in "
     "execution traces it names the node, and is empty where the row stands for nodes of different names.",
     [](auto& row) { return row.layer; }},
    {"pass", "", "Pass of the training, as in [critical-path.csv](#critical-pathcsv).",
     [](auto& row) { return row.pass; }},
    {"collective", "", "Kind of the collective, such as `all-reduce`, or `message`.",
     [](auto& row) { return row.collective; }},
    {"group", "",
     "Name of the group of ranks that take part in the collective. For a message it names the part that the "
     "message goes to.",
     [](auto& row) { return row.group; }},
    {"dimension", "",
     "Dimension of the network that its data passes. The cell is empty where that is not known.",
     [](auto& row) { return row.dimension; }},
    {"size_bytes", "bytes", "Size of the collective or message, as the workload states it.",
     [](auto& row) { return row.size; }},
    {"path_us", "us", "Time on the critical path in which it is under way, summed over all that are alike.",
     [](auto& row) { return row.time; }},
    {"queue_us", "us", "Time on the critical path in which it waits for something that is not known.",
     [](auto& row) { return row.queue; }},
    {"share", "share", "Sum of these two times as a share of the path's length.",
     [](auto& row) {
       return Real{row.share, 6};
     }},
    {"count", "", "Number of collectives or messages on the path that are alike.",
     [](auto& row) {
       return Real{row.count, 0};
     }},
    {"bytes_share", "share",
     "Share of its time on the path that its bytes need on the busiest link. The cell is empty where that is "
     "not known.",
     [](auto& row) { return cell_of(row.bytes_share()); }},
    {"latency_share", "share",
     "Share of its time on the path that its messages would take without their bytes. The cell is empty "
     "where that is not known.",
     [](auto& row) { return cell_of(row.latency_share()); }},
    {"algorithm", "",
     "Algorithm in this dimension; for libraries, the protocol follows. The cell is empty where it is not "
     "known.",
     [](auto& row) { return std::string_view(row.cost.algorithm); }},
    {"chunks", "", "Number of chunks into which each collective is cut.",
     [](auto& row) { return row.cost.chunks; }},
    {"steps", "",
     "Number of messages that a rank sends for a chunk in this dimension. For libraries it is the number of "
     "steps between nodes.",
     [](auto& row) {
       return Real{row.cost.steps, 2};
     }},
    {"sent_bytes", "bytes",
     "Bytes that a rank sends for each collective in this dimension. For libraries it is the size of the "
     "collective.",
     [](auto& row) {
       return Real{row.cost.sent_bytes, 0};
     }},
    {"links_us", "us",
     "Time for which the bytes of each collective keep its busiest link busy. On graphs the slowest link of "
     "each message's way counts. The cell is empty where that is not known.",
     [](auto& row) { return cell_of(row.cost.links); }},
    {"latency_us", "us",
     "Time that the messages of one phase of a chunk would take one after the other without their bytes. For "
     "libraries it is the time of the launch and the steps. The cell is empty where that is not known.",
     [](auto& row) { return cell_of(row.cost.latency); }},
    {"turn_us", "us", "Time that a chunk waits behind others for its turn in this dimension, on average.",
     [](auto& row) { return row.turn; }},
    {"link", "", "Busiest link that it passes, or the class of links.",
     [](auto& row) { return std::string_view(row.link); }},
    {"link_use", "share", "Share of the whole run in which that link is busy.",
     [](auto& row) { return cell_of(row.use); }},
    {"others", "",
     "For messages: the most other messages between parts or ranks that were under way over a link of its "
     "way at the same time. Where the row stands for several messages, it is the largest of their numbers. "
     "Messages of collectives do not count. The cell is empty where messages do not meet on links, or where "
     "their ways are not known.",
     [](auto& row) { return row.others; }},
    {"late_rank", "",
     "Rank that came last to one of these collectives: the one with the longest delay after the first. The "
     "cell is empty where all ranks come together.",
     [](auto& row) { return row.late_rank; }},
    {"late_us", "us", "Time by which that rank came later than the first one.",
     [](auto& row) { return row.late_rank ? std::optional(row.late) : std::nullopt; }},
    {"late_after", "", "What that rank did until then.",
     [](auto& row) { return std::string_view(row.late_after); }},
    {"reason", "", "What takes most of its time, in words.", [](auto& row) { return reason_of(row); }},
};

struct Turns {
  Time waited;
  std::int64_t chunks = 0;
};

class Exchanges {
 public:
  Exchanges(const PathContext& context, const Machine& machine, const Recording& recording)
      : context_(context),
        machine_(machine),
        recording_(recording),
        costs_(context.program, machine),
        meetings_(context.program, machine, recording),
        times_(context.program, recording),
        dimensions_(all_dimensions(context.program)) {
    for (std::size_t part = 0; part < recording.parts.size(); ++part) {
      const PhaseRecords* const records = recording.phases_of(part);
      if (!records) continue;
      auto& turns = turns_.emplace_back();
      for (const PhaseRecord& phase : records->chunks.phases) {
        Turns& turn = turns[key_of(phase.token, phase.dimension)];
        turn.waited += phase.started - phase.entered;
        ++turn.chunks;
      }
    }
    for (const LinkUse& link : recording.links) busiest_.try_emplace(link.dimension, &link);
  }

  void add(const PathStep& step) {
    if (step.kind != PathKind::collective && step.kind != PathKind::queue && step.kind != PathKind::message)
      return;
    const ExecutionGraph& graph = context_.program.parts[step.part].graph;
    if (graph.is_timed(step.operation)) return;  // a trace states its time, so nothing was exchanged
    const Operation& operation = graph[step.operation];
    const CollectiveRequest* const request = step.within ? step.within
                                             : operation.kind == OperationKind::collective
                                                 ? &operation.collective
                                                 : nullptr;
    const Bytes size = request ? request->size : operation.message.size;
    const Key key{step.part,
                  operation.layer,
                  static_cast<int>(operation.pass),
                  request ? static_cast<int>(request->kind) : -1,
                  size,
                  request ? request->communicator : operation.message.peer,
                  step.dimension};
    const auto [found, is_new] = places_.try_emplace(key, rows_.size());
    if (is_new) rows_.push_back(request ? collective(step, *request) : message(step, operation));
    PathExchange& row = rows_[found->second];
    if (graph.is_named())
      row.layer =
          is_new || row.layer == graph.name(step.operation) ? graph.name(step.operation) : std::string_view();
    (step.kind == PathKind::queue ? row.queue : row.time) += step.interval.end - step.interval.start;
    if (step.within || seen_[found->second].insert(std::uint64_t{step.part} << 32 | step.operation).second)
      row.count += step.count;
    // Where the phases are not known, the step belongs to all of them.
    if (step.kind != PathKind::queue)
      row.phases += step.dimension < 0 ? step.count * row.cost.phases : step.count;
    row.within = step.within != nullptr;
    if (!request) row.others = std::max(row.others, meetings_.others(step.rank, step.operation));
    if (!request || step.within) return;
    look_for_late(row, step);
    add_turn(found->second, step);
  }

  std::vector<PathExchange> take(Time length) {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      PathExchange& row = rows_[i];
      row.share = length > Time() ? (row.time + row.queue).ns() / length.ns() : 0;
      const auto found = waited_.find(i);
      if (found != waited_.end() && found->second.chunks > 0)
        row.turn = Time::from_ps(found->second.waited.ps() / found->second.chunks);
    }
    std::ranges::stable_sort(rows_, std::greater(),
                             [](const PathExchange& row) { return row.time + row.queue; });
    return std::move(rows_);
  }

 private:
  using Key = std::tuple<std::uint32_t, std::int32_t, int, int, Bytes, std::uint32_t, int>;

  static std::uint64_t key_of(std::uint32_t token, int dimension) {
    return (std::uint64_t{token} << 16) | static_cast<std::uint16_t>(dimension);
  }

  PathExchange named(const PathStep& step) {
    PathExchange row;
    const ProgramPart& part = context_.program.parts[step.part];
    const Operation& operation = part.graph[step.operation];
    row.run = context_.run;
    row.part = part.name.empty() ? "all" : std::string_view(part.name);
    if (operation.layer >= 0) {
      row.layer = part.graph.layer_names[static_cast<std::size_t>(operation.layer)];
      row.pass = context_.passes[static_cast<std::size_t>(operation.pass)];
    }
    seen_.emplace_back();
    return row;
  }

  PathExchange collective(const PathStep& step, const CollectiveRequest& request) {
    PathExchange row = named(step);
    row.collective = name_of(request.kind);
    row.group = context_.program.communicators[request.communicator].name;
    row.size = request.size;
    row.cost = costs_.of(step.part, request, step.dimension);
    if (step.dimension >= 0)
      set_dimension(row, dimensions_[static_cast<std::size_t>(step.dimension)].physical);
    else if (row.cost.dimension)
      set_dimension(row, static_cast<int>(*row.cost.dimension));
    if (row.link.empty()) row.link = row.cost.link;
    return row;
  }

  PathExchange message(const PathStep& step, const Operation& operation) {
    PathExchange row = named(step);
    row.collective = "message";
    row.group = context_.program.parts[times_.part_of_peer(operation.message.peer)].name;
    row.size = operation.message.size;
    RankId from = step.rank, to = times_.counterpart(step.rank, operation.message.peer);
    if (operation.kind == OperationKind::receive) std::swap(from, to);
    row.cost = costs_.of_message(from, to, operation.message.size);
    row.link = row.cost.link;
    if (machine_.library) return row;
    const std::vector<LogicalDimension> physical = logical_dimensions(machine_.topology);
    for (std::size_t d = physical.size(); d-- > 0;)
      if (physical[d].position(npu_of(from)) != physical[d].position(npu_of(to))) {
        set_dimension(row, static_cast<int>(d));
        break;
      }
    return row;
  }

  void set_dimension(PathExchange& row, int physical) {
    row.dimension =
        physical < 0
            ? std::string_view("whole machine")
            : std::string_view(context_.topology.dimensions[static_cast<std::size_t>(physical)].name);
    const auto found = busiest_.find(physical);
    if (found == busiest_.end()) return;
    const LinkUse& link = *found->second;
    row.link = fmt::format("{} to {}", link.from, link.to);
    if (link.links > 1) row.link += fmt::format(" and {} alike", link.links - 1);
    if (recording_.end() > Time()) row.use = link.busy.ns() / recording_.end().ns();
  }

  // The path goes by the rank that came last.
  void look_for_late(PathExchange& row, const PathStep& step) {
    const RankTimes::Place first = times_.first_to_come({step.rank, step.operation});
    const Time late = times_.at(step.rank, step.operation).start - times_.at(first.rank, first.id).start;
    if (late <= row.late) return;
    row.late = late;
    row.late_rank = step.rank;
    const auto cause = times_.cause_of(step.rank, step.operation);
    row.late_after = cause ? described(times_.graph_of(step.rank), *cause) : "";
  }

  // Chunks of the same collective wait once, however often the path comes by. Where ranks plan their own
  // collectives, nobody records chunks.
  void add_turn(std::size_t place, const PathStep& step) {
    if (turns_.empty()) return;
    auto& turns = turns_[step.part];
    const auto found = turns.find(key_of(step.operation, step.dimension));
    if (found == turns.end()) return;
    Turns& sum = waited_[place];
    sum.waited += found->second.waited;
    sum.chunks += found->second.chunks;
    turns.erase(found);
  }

  const PathContext& context_;
  const Machine& machine_;
  const Recording& recording_;
  ExchangeCosts costs_;
  MessageMeetings meetings_;
  RankTimes times_;
  const std::vector<LogicalDimension> dimensions_;
  std::vector<std::unordered_map<std::uint64_t, Turns>> turns_;  // by part; by collective and dimension
  std::map<int, const LinkUse*> busiest_;                        // by dimension of the topology
  std::map<Key, std::size_t> places_;
  std::vector<PathExchange> rows_;
  std::vector<std::unordered_set<std::uint64_t>> seen_;  // by row: parts and their operations
  std::map<std::size_t, Turns> waited_;                  // by row
};

}  // namespace

const Table<PathExchange> path_exchange_table = path_exchange_columns;

std::vector<PathExchange> path_exchanges(const PathContext& context, const std::vector<PathStep>& path,
                                         const Machine& machine, const Recording& recording) {
  Exchanges exchanges(context, machine, recording);
  for (const PathStep& step : path) exchanges.add(step);
  return exchanges.take(path.empty() ? Time() : path.back().interval.end);
}

std::vector<PathShare> link_shares(const PathContext& context, const std::vector<PathExchange>& exchanges) {
  std::map<std::string, PathShare> by_link;
  for (const PathExchange& row : exchanges) {
    if (row.link.empty()) continue;
    const std::string name =
        row.dimension.empty() ? row.link : fmt::format("{}: {}", row.dimension, row.link);
    PathShare& share = by_link.try_emplace(name, PathShare{context.run, "link", name}).first->second;
    share.time += row.time + row.queue;
    share.steps += static_cast<std::size_t>(std::llround(row.count));
    share.share += row.share;
  }
  std::vector<PathShare> shares;
  for (auto& [name, share] : by_link) shares.push_back(std::move(share));
  std::ranges::stable_sort(shares, std::greater(), &PathShare::time);
  return shares;
}

}  // namespace orrery::core
