// Switches add up what the members send, and send the sum to those that want it: SHARP between machines
// (Graham et al., "Scalable Hierarchical Aggregation Protocol (SHArP)", COMHPC 2016), NVLS among the GPUs at
// NVLink switches (NVIDIA, "NVLink SHARP", NCCL 2.17; Klenk et al., "An In-Network Architecture for
// Accelerating Shared-Memory Multiprocessor Collectives", ISCA 2020).
//
// Data go up a tree of switches to its top and come down from there (docs/models/collectives.md, Reduction in
// switches). They stream: a switch begins to send when the first bytes of all that it waits for have arrived,
// and has sent the last byte when the last ones have. A message cannot begin to leave before it has arrived,
// so three messages stand for what passes an edge: the front has no bytes, the data leave as soon as the
// front is there, and the end, without bytes either, says that everything has arrived.
#include <algorithm>
#include <optional>

#include "collective/algorithms/algorithms.hpp"
#include "collective/algorithms/program_builder.hpp"
#include "collective/algorithms/rooted_programs.hpp"

namespace orrery::core {
namespace {

using Kind = MemberProgram::Kind;
using Steps = ProgramBuilder::Steps;

enum class Technique { sharp, nvls };
enum Part : std::uint64_t { front_part, data_part, end_part, parts };

// A member or a switch, with the tree below it. Positions count from the root of the collective on.
struct Node {
  std::uint32_t above = 0;  // number of the switch above it
  std::uint32_t lowest;     // position of the lowest member below
  std::uint32_t members;    // number of members below
  std::uint32_t depth;      // number of edges to the top
};

// The nodes of a tree.
struct Tree {
  std::vector<Node> members, switches;
  double share;
  std::uint32_t first;   // number of its top among all switches
  std::uint64_t number;  // of the tree
};

Tree tree_of(const ReductionTree& given, std::uint32_t root, std::uint32_t first, std::uint64_t number) {
  const auto n = static_cast<std::uint32_t>(given.of_member.size());
  Tree tree{{}, {}, given.share, first, number};
  for (std::size_t s = 0; s < given.above.size(); ++s) {
    const std::uint32_t above = given.above[s];
    tree.switches.push_back({above, n, 0, s == 0 ? 0 : tree.switches[above].depth + 1});
  }
  for (std::uint32_t position = 0; position < n; ++position) {
    std::uint32_t s = given.of_member[(position + root) % n];
    tree.members.push_back({s, position, 1, tree.switches[s].depth + 1});
    for (bool top = false; !top; s = tree.switches[s].above) {
      tree.switches[s].lowest = std::min(tree.switches[s].lowest, position);
      ++tree.switches[s].members;
      top = s == 0;
    }
  }
  return tree;
}

// Makes the programs of all members. The lowest member below a switch runs the switch's part of the work.
class ProgramsInNetwork {
 public:
  ProgramsInNetwork(Technique technique, const PhaseRequest& request)
      : technique_(technique), request_(request), programs_(request.members) {}

  ProgramSchedule make() {
    std::uint32_t first = 0;
    for (std::size_t number = 0; number < request_.trees->trees.size(); ++number) {
      const ReductionTree& given = request_.trees->trees[number];
      const Tree tree = tree_of(given, request_.root, first, number);
      for (std::uint32_t position = 0; position < request_.members; ++position) add_member(tree, position);
      for (std::uint32_t s = 0; s < tree.switches.size(); ++s) add_switch(tree, s);
      first += static_cast<std::uint32_t>(tree.switches.size());
    }
    ProgramSchedule schedule;
    for (std::uint32_t position = 0; position < request_.members; ++position) {
      schedule.programs.push_back(programs_[position].finish());
      schedule.programs.back().name = "reduction in switches";
      schedule.members.push_back({position, 0});
    }
    return schedule;
  }

 private:
  struct Child {
    Node node;
    std::uint32_t at;  // number of the switch; MemberProgram::npu: it is a member
  };
  // One direction of an edge, as the end that sends or receives there sees it.
  struct Way {
    std::uint32_t position, at;  // of this end
    std::uint32_t peer, peer_at;
    std::uint64_t tag;
    Bytes bytes;
  };

  bool has_root(const Node& node) const { return node.lowest == 0; }

  // These return what passes the edge above a node in each direction, if anything does.
  std::optional<Bytes> up(const Tree& tree, const Node& node) const {
    const Bytes own = part_of(tree, request_.input);
    switch (request_.kind) {
      case CollectiveKind::all_reduce:
        return own + gathered(tree);
      case CollectiveKind::all_gather:
        return own * node.members;
      case CollectiveKind::broadcast:
        return has_root(node) ? std::optional(own) : std::nullopt;
      default:
        return own;
    }
  }
  std::optional<Bytes> down(const Tree& tree, const Node& node) const {
    const Bytes own = part_of(tree, request_.input);
    const bool is_root = has_root(node) && node.members == 1;
    switch (request_.kind) {
      case CollectiveKind::all_reduce:
        return own + gathered(tree);
      case CollectiveKind::reduce_scatter:
        return part_of(tree, request_.input / request_.members) * node.members;
      case CollectiveKind::all_gather:
        return own * request_.members;
      case CollectiveKind::broadcast:
        return is_root ? std::nullopt : std::optional(own);
      case CollectiveKind::reduce:
        return has_root(node) ? std::optional(own) : std::nullopt;
      default:
        return own;
    }
  }
  // Under NVLS a GPU loads the sum of its share from the switches, and stores it to all GPUs through them.
  Bytes gathered(const Tree& tree) const {
    return technique_ == Technique::nvls ? part_of(tree, request_.input / request_.members) : Bytes();
  }
  static Bytes part_of(const Tree& tree, Bytes bytes) {
    return tree.share == 1 ? bytes : Bytes::rounded(bytes.as_double() * tree.share);
  }

  // Between two members there is at most one edge of a depth, whatever switches they work for. Collectives of
  // different kinds share links, instead of waiting for one another.
  std::uint64_t tag_of(const Tree& tree, const Node& below, bool upward) const {
    const auto kind = static_cast<std::uint64_t>(request_.kind);
    return (((tree.number * 16 + kind) * 16 + below.depth) * 2 + (upward ? 1 : 0)) * parts;
  }

  // Adds a message of a direction, and returns the step.
  std::uint32_t add(Kind kind, const Way& way, Part part, const Steps& after) {
    MemberProgram::Step step{kind, way.peer, part == data_part ? way.bytes : Bytes(), way.tag + part};
    step.at = way.at;
    step.peer_at = way.peer_at;
    return programs_[way.position].add(step, after);
  }

  Way way(const Tree& tree, const Node& below, std::uint32_t below_at, bool upward, bool of_above,
          Bytes bytes) const {
    const std::uint32_t above = tree.switches[below.above].lowest, above_at = tree.first + below.above;
    const std::uint64_t tag = tag_of(tree, below, upward);
    if (of_above) return {above, above_at, below.lowest, below_at, tag, bytes};
    return {below.lowest, below_at, above, above_at, tag, bytes};
  }

  void add_member(const Tree& tree, std::uint32_t position) {
    const Node& node = tree.members[position];
    ProgramBuilder& program = programs_[position];
    if (const auto bytes = up(tree, node)) {
      const Way to = way(tree, node, MemberProgram::npu, true, false, *bytes);
      const Steps prepared{program.add({Kind::prepare, 0, *bytes})};
      for (const Part part : {front_part, data_part}) add(Kind::send, to, part, prepared);
    }
    if (const auto bytes = down(tree, node)) {
      const Way from = way(tree, node, MemberProgram::npu, false, false, *bytes);
      const Steps received{add(Kind::receive, from, data_part, {}), add(Kind::receive, from, end_part, {})};
      MemberProgram::Step last{Kind::prepare, 0, *bytes};
      last.arrived = true;
      program.add(last, received);
    }
  }

  // Steps by which a node knows that the first bytes, and that all bytes, have come.
  struct Arrivals {
    Steps front, whole;
  };

  void add_switch(const Tree& tree, std::uint32_t s) {
    const Node& node = tree.switches[s];
    const std::uint32_t at = tree.first + s;
    std::vector<Child> children;
    for (std::uint32_t below = 1; below < tree.switches.size(); ++below)
      if (tree.switches[below].above == s) children.push_back({tree.switches[below], tree.first + below});
    for (const Node& member : tree.members)
      if (member.above == s) children.push_back({member, MemberProgram::npu});

    Arrivals come = gather(tree, children);
    if (adds_up()) come.whole.push_back(add_sum(tree, node, at, come.front));
    if (s > 0) {
      if (const auto bytes = up(tree, node)) {
        const Way to = way(tree, node, at, true, false, *bytes);
        for (const Part part : {front_part, data_part}) add(Kind::send, to, part, come.front);
        add(Kind::send, to, end_part, come.whole);
      }
      const auto bytes = down(tree, node);
      if (!bytes) return;
      const Way from = way(tree, node, at, false, false, *bytes);
      come.front = {add(Kind::receive, from, front_part, {})};
      come.whole = {add(Kind::receive, from, data_part, {}), add(Kind::receive, from, end_part, {})};
    }
    for (const Child& child : children) {
      const auto bytes = down(tree, child.node);
      if (!bytes) continue;
      const Way to = way(tree, child.node, child.at, false, true, *bytes);
      if (child.at != MemberProgram::npu) add(Kind::send, to, front_part, come.front);
      add(Kind::send, to, data_part, come.front);
      add(Kind::send, to, end_part, come.whole);
    }
  }

  Arrivals gather(const Tree& tree, const std::vector<Child>& children) {
    Arrivals come;
    for (const Child& child : children) {
      const auto bytes = up(tree, child.node);
      if (!bytes) continue;
      const Way from = way(tree, child.node, child.at, true, true, *bytes);
      come.front.push_back(add(Kind::receive, from, front_part, {}));
      come.whole.push_back(add(Kind::receive, from, data_part, {}));
      if (child.at != MemberProgram::npu) come.whole.push_back(add(Kind::receive, from, end_part, {}));
    }
    return come;
  }

  bool adds_up() const {
    const bool gathers =
        request_.kind == CollectiveKind::all_gather || request_.kind == CollectiveKind::broadcast;
    return request_.switch_bytes_per_s > 0 && !gathers;
  }
  // The units of a switch make the sum while the bytes come.
  std::uint32_t add_sum(const Tree& tree, const Node& node, std::uint32_t at, const Steps& front_came) {
    MemberProgram::Step sum{Kind::compute};
    sum.duration =
        Time::from_ns_rounded(part_of(tree, request_.input).as_double() / request_.switch_bytes_per_s * 1e9);
    sum.at = at;
    return programs_[node.lowest].add(sum, front_came);
  }

  const Technique technique_;
  const PhaseRequest& request_;
  std::vector<ProgramBuilder> programs_;  // by position
};

// In these there is nothing to add up, and nothing that all get.
constexpr CollectiveKind not_in_network[] = {CollectiveKind::all_to_all, CollectiveKind::gather,
                                             CollectiveKind::scatter};

Schedule make_in_network(Technique technique, std::string_view algorithm, const PhaseRequest& request) {
  if (!request.trees)
    throw InputError(request.where,
                     std::string(algorithm) +
                         " is not for collectives that each rank plans for itself, as those of "
                         "execution traces; choose another algorithm, such as ring");
  const auto levels = [](const ReductionTree& tree) { return tree.above.size(); };
  if (technique == Technique::nvls &&
      std::ranges::any_of(request.trees->trees, [&](const auto& tree) { return levels(tree) > 1; }))
    throw InputError(
        request.where,
        "nvls needs switches to which all NPUs of a group are joined, and here several levels of "
        "switches lie between them; choose sharp");
  PhaseRequest phase = request;
  if (request.kind == CollectiveKind::barrier) phase.input = barrier_token;
  return ProgramsInNetwork(technique, phase).make();
}

}  // namespace

const AlgorithmKind sharp_algorithm{.name = "sharp",
                                    .make = [](const PhaseRequest& request) -> Schedule {
                                      return make_in_network(Technique::sharp, "sharp", request);
                                    },
                                    .rooted = true,
                                    .but_not = not_in_network,
                                    .in_network = true};

const AlgorithmKind nvls_algorithm{.name = "nvls",
                                   .make = [](const PhaseRequest& request) -> Schedule {
                                     return make_in_network(Technique::nvls, "nvls", request);
                                   },
                                   .rooted = true,
                                   .but_not = not_in_network,
                                   .in_network = true};

}  // namespace orrery::core
