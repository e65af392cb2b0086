// Collectives whose messages are flows on a graph take what closed forms say.
//
// These have the alpha-beta form (Thakur, Rabenseifner and Gropp, "Optimization of collective communication
// operations in MPICH", 2005): the steps of the algorithm, one after another, each of which takes the latency
// of its longest way and the bytes of its busiest link. All times here are in picoseconds.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>

#include "support/one_collective.hpp"
#include "topology/files/any_network.hpp"
#include "topology/graph/changes/failures.hpp"
#include "topology/graph/changes/link_changes.hpp"
#include "topology/graph/routing/routing_kinds.hpp"

namespace orrery::core::test::graph_collectives_test {
namespace {

constexpr double endpoint_delay = 10'000;

// The way in which the members of a group are joined: in a circle, by switches without contention, or each
// with each.
enum class Form { circle, switches, pairs };

struct Group {
  Form form;
  int n;
  double byte, hop;  // what a byte takes on a link, and a message of no bytes
  int hops = 1;      // of a way, but not in a circle
};

// Returns the time when every member sends to the next one.
double to_the_next(const Group& group, double bytes) {
  return group.hops * group.hop + bytes * group.byte;
}

// Every member sends to each other one at the same time. In a circle of odd size there are m members on
// either side; the farthest message passes m links, so a link carries 1 + 2 + ... + m messages. In an even
// one the message to the opposite member goes half one way and half the other.
double to_all(const Group& group, double bytes) {
  if (group.form == Form::pairs) return to_the_next(group, bytes);
  if (group.form == Form::switches) return group.hops * group.hop + (group.n - 1) * bytes * group.byte;
  const int far = group.n / 2;
  const double on_a_link = group.n % 2 == 1 ? far * (far + 1) / 2.0 : group.n * group.n / 8.0;
  return far * group.hop + on_a_link * bytes * group.byte;
}

// Members exchange with those at a distance that is a power of two, in blocks of twice the distance. In a
// circle all messages of half a block pass the link in its middle; opposite members use both ways around.
double exchange_at(const Group& group, int distance, double bytes) {
  if (group.form != Form::circle) return to_the_next(group, bytes);
  const double on_a_link = 2 * distance == group.n ? group.n / 4.0 : distance;
  return distance * group.hop + on_a_link * bytes * group.byte;
}

// Two children of a node send to it, or get what it sends. At a switch they share its link; in a circle they
// are on either side of it.
double tree_level(const Group& group, int distance, double bytes) {
  if (group.form == Form::circle) return distance * group.hop + bytes * group.byte;
  const int on_a_link = group.form == Form::switches ? 2 : 1;
  return group.hops * group.hop + on_a_link * bytes * group.byte;
}

struct Phase {
  double time = endpoint_delay;  // after the last message
  int steps = 0;
  void add(double step) {
    time += endpoint_delay + step;
    ++steps;
  }
};

Phase ring(CollectiveKind kind, const Group& group, double bytes) {
  const int n = group.n;
  const int steps = kind == CollectiveKind::all_reduce   ? 2 * (n - 1)
                    : kind == CollectiveKind::all_to_all ? n * (n - 1) / 2
                                                         : n - 1;
  Phase phase;
  for (int i = 0; i < steps; ++i)
    phase.add(to_the_next(group, kind == CollectiveKind::all_gather ? bytes : bytes / n));
  return phase;
}

Phase direct(CollectiveKind kind, const Group& group, double bytes) {
  Phase phase;
  for (int i = 0; i < (kind == CollectiveKind::all_reduce ? 2 : 1); ++i)
    phase.add(to_all(group, kind == CollectiveKind::all_gather ? bytes : bytes / group.n));
  return phase;
}

// A reduce-scatter sends a half, a quarter and so on to members farther and farther away; an all-gather does
// the same the other way around, with all that a member has got.
Phase halving_doubling(CollectiveKind kind, const Group& group, double bytes) {
  const double all = kind == CollectiveKind::all_gather ? bytes * group.n : bytes;
  Phase phase;
  for (int distance = 1; distance < group.n; distance *= 2) {
    const double step = exchange_at(group, distance, all / (2 * distance));
    phase.add(step);
    if (kind == CollectiveKind::all_reduce) phase.add(step);
  }
  return phase;
}

// Up and down with all the bytes. The root has one child. In a circle that is opposite, so that half of the
// bytes go one way and half the other.
Phase tree(CollectiveKind, const Group& group, double bytes) {
  Phase phase;
  for (int direction = 0; direction < 2; ++direction) {
    for (int distance = 1; distance < group.n / 2; distance *= 2)
      phase.add(tree_level(group, distance, bytes));
    phase.add(group.form == Form::circle ? tree_level(group, group.n / 2, bytes / 2)
                                         : to_the_next(group, bytes));
  }
  return phase;
}

struct TestedAlgorithm {
  Algorithm algorithm;
  Phase (*phase)(CollectiveKind, const Group&, double bytes);
};
constexpr TestedAlgorithm ring_test{&ring_algorithm, ring}, direct_test{&direct_algorithm, direct},
    halving_test{&halving_doubling_algorithm, halving_doubling},
    tree_test{&double_binary_tree_algorithm, tree};

// Reduce-scatters go outward and all-gathers inward; an all-reduce does both, and turns in the last
// dimension.
Phase in_dimensions(const TestedAlgorithm& tested, CollectiveKind kind, const std::vector<Group>& groups,
                    double bytes) {
  const bool keeps_bytes = tested.algorithm == &double_binary_tree_algorithm;
  Phase all{0, 0};
  const auto pass = [&](CollectiveKind what, const Group& group) {
    const Phase phase = tested.phase(what, group, bytes);
    all.time += phase.time;
    all.steps += phase.steps;
    if (what == CollectiveKind::reduce_scatter && !keeps_bytes) bytes /= group.n;
    if (what == CollectiveKind::all_gather && !keeps_bytes) bytes *= group.n;
  };
  const std::size_t last = groups.size() - 1;
  if (kind == CollectiveKind::all_reduce) {
    for (std::size_t d = 0; d < last; ++d) pass(CollectiveKind::reduce_scatter, groups[d]);
    pass(kind, groups[last]);
    for (std::size_t d = last; d-- > 0;) pass(CollectiveKind::all_gather, groups[d]);
  } else if (kind == CollectiveKind::all_gather) {
    for (std::size_t d = groups.size(); d-- > 0;) pass(kind, groups[d]);
  } else {
    for (const Group& group : groups) pass(kind, group);
  }
  return all;
}

struct Network {
  std::string text;  // {} stands for the link
  std::vector<Group> groups;
};

struct Link {
  double gb_per_s;
  std::int64_t latency_ps;
  double byte() const { return 1000 / gb_per_s; }
};

// The forms whose messages never share a link but as the formulas say.
std::vector<Network> networks(const Link& link) {
  const double byte = link.byte(), hop = static_cast<double>(link.latency_ps);
  const auto circle = [&](int n) { return Group{Form::circle, n, byte, hop}; };
  const auto switches = [&](int n, int hops) { return Group{Form::switches, n, byte, hop, hops}; };
  std::vector<Network> made;
  for (const int n : {3, 4, 5, 8, 16}) {
    made.push_back({fmt::format("build: ring, size: {}", n), {circle(n)}});
    made.push_back({fmt::format("build: switch, size: {}", n), {switches(n, 2)}});
    made.push_back({fmt::format("build: fully-connected, size: {}", n), {Group{Form::pairs, n, byte, hop}}});
  }
  for (const auto& [a, b] : {std::pair(4, 4), {3, 5}, {8, 4}})
    made.push_back({fmt::format("build: torus, dimensions: [ {{ size: {} }}, {{ size: {} }} ]", a, b),
                    {circle(a), circle(b)}});
  made.push_back({"build: torus, dimensions: [ { size: 4 }, { size: 4 }, { size: 4 } ]",
                  {circle(4), circle(4), circle(4)}});
  made.push_back({"build: torus, dimensions: [ { size: 3 }, { size: 4 }, { size: 5 } ]",
                  {circle(3), circle(4), circle(5)}});
  made.push_back({"build: fat-tree, levels: [ { size: 4 }, { size: 8 } ]", {switches(4, 2), switches(8, 4)}});
  made.push_back({"build: fat-tree, levels: [ { size: 4 }, { size: 2 }, { size: 4 } ]",
                  {switches(4, 2), switches(2, 4), switches(4, 6)}});
  return made;
}

Topology built(const std::string& text, const Link& link) {
  const std::string with_link = fmt::format("{{ {}, link: {{ bandwidth: {} GB/s, latency: {} ns }} }}", text,
                                            link.gb_per_s, static_cast<double>(link.latency_ps) / 1000);
  Topology topology = read_graph_network(parse_yaml(with_link, "net.yaml"));
  topology.routing = &spray_routing;  // so that no hash decides who meets whom
  return topology;
}

Machine machine_on(Topology topology, AlgorithmChoice algorithm) {
  const std::vector<AlgorithmChoice> algorithms(topology.dimensions.size(), algorithm);
  Machine machine = make_machine({}, algorithms, native_dialect);
  machine.topology = std::move(topology);
  machine.system.endpoint_delay = Time::from_ps(static_cast<std::int64_t>(endpoint_delay));
  machine.network.model = &fluid_model;
  return machine;
}

double run(const Topology& topology, AlgorithmChoice algorithm, CollectiveKind kind, std::uint64_t bytes) {
  return static_cast<double>(simulate_one(machine_on(topology, algorithm), kind, Bytes(bytes)).end().ps());
}

// Halving-doubling and trees need powers of two. A node of a tree goes on to the next dimension while its
// last messages are under way; where this one has the same links, as in a fat tree, they meet.
bool has_closed_form(const TestedAlgorithm& tested, CollectiveKind kind, const std::vector<Group>& groups) {
  if (tested.phase == ring || tested.phase == direct) return true;
  if (tested.phase == tree && groups.size() > 1 && groups[0].form == Form::switches) return false;
  if (tested.phase == halving_doubling && kind == CollectiveKind::all_to_all) return false;
  return std::ranges::all_of(groups, [](const Group& group) { return (group.n & (group.n - 1)) == 0; });
}

// `off`: by how much each step may be off.
void expect_closed_forms(const Link& link, double off) {
  for (const Network& network : networks(link)) {
    const Topology topology = built(network.text, link);
    const auto npus = static_cast<std::uint64_t>(topology.npus());
    for (const TestedAlgorithm& tested : {ring_test, direct_test, halving_test, tree_test}) {
      for (const CollectiveKind kind : {CollectiveKind::all_reduce, CollectiveKind::reduce_scatter,
                                        CollectiveKind::all_gather, CollectiveKind::all_to_all}) {
        if (!has_closed_form(tested, kind, network.groups)) continue;
        for (const std::uint64_t share : {8, 4096, 8'000'000}) {
          const std::uint64_t bytes = kind == CollectiveKind::all_gather ? share : share * npus;
          const Phase expected = in_dimensions(tested, kind, network.groups, static_cast<double>(bytes));
          ASSERT_NEAR(run(topology, {tested.algorithm}, kind, bytes), expected.time, expected.steps * off)
              << network.text << ": " << name_of(kind) << " by " << tested.algorithm->name << " of " << bytes;
        }
      }
    }
  }
}

TEST(GraphCollectives, TakeTheirClosedFormToThePicosecond) {
  expect_closed_forms({50, 500'000}, 0);  // a byte takes 20 ps
}

// A message arrives at a whole picosecond, and the next step begins there.
TEST(GraphCollectives, AreOffByTheRoundingOfTheirMessages) {
  expect_closed_forms({46.4, 700'123}, 0.5 + 1e-6);
}

// 128 MB among 64 NPUs behind a switch: 63/64 of them leave each NPU at 50 GB/s.
TEST(GraphCollectives, AllToAllBehindASwitchTakesWhatALinkNeeds) {
  const double latency = 500'000;
  const Topology topology = built("build: switch, size: 64", {50, 500'000});
  EXPECT_EQ(run(topology, {&direct_algorithm}, CollectiveKind::all_to_all, 128'000'000),
            2'520'000'000.0 + 2 * latency + 2 * endpoint_delay);
}

constexpr Link usual{50, 500'000};
constexpr double byte_ps = 20, hop_ps = 500'000;

TEST(GraphCollectives, OversubscriptionDoublesTheTimeOfWhatCrosses) {
  const std::uint64_t bytes = 32'000'000;
  const auto time_of = [&](int oversubscription, CollectiveKind kind) {
    const std::string text = fmt::format(
        "build: fat-tree, levels: [ {{ size: 4 }}, {{ size: 8, oversubscription: {} }} ]", oversubscription);
    return run(built(text, usual), {&direct_algorithm}, kind, bytes);
  };
  // A quarter of the bytes is left when the phase inside leaves is over. Seven of eight shares of it cross,
  // and in an all-reduce they do so twice.
  const double crossing = bytes / 4 / 8 * 7 * byte_ps;
  for (const int factor : {2, 4}) {
    EXPECT_EQ(time_of(factor, CollectiveKind::reduce_scatter),
              time_of(1, CollectiveKind::reduce_scatter) + (factor - 1) * crossing);
    EXPECT_EQ(time_of(factor, CollectiveKind::all_reduce),
              time_of(1, CollectiveKind::all_reduce) + (factor - 1) * 2 * crossing);
  }
}

// All 32 hosts send to each other at once, not dimension by dimension: 28 of a host's 31 messages leave its
// leaf, by half as many links as the leaf has hosts.
TEST(GraphCollectives, AllToAllOfAllIsLimitedByWhatCrosses) {
  const std::uint64_t share = 1'000'000;
  const auto time_of = [&](int oversubscription) {
    const std::string text = fmt::format(
        "build: fat-tree, levels: [ {{ size: 4 }}, {{ size: 8, oversubscription: {} }} ]", oversubscription);
    return run(built(text, usual), {&direct_algorithm, 0, true}, CollectiveKind::all_to_all, 32 * share);
  };
  const double rest = 4 * hop_ps + 2 * endpoint_delay;
  EXPECT_EQ(time_of(1), 31 * share * byte_ps + rest);
  EXPECT_EQ(time_of(2), 2 * 28 * share * byte_ps + rest);
  EXPECT_EQ(time_of(4), 4 * 28 * share * byte_ps + rest);
}

// A link at a tenth of its rate carries message after message, for each of which it needs ten times as long,
// so that all other steps of the ring hide behind it. Only its latency comes once.
TEST(GraphCollectives, ASlowLinkHasTheFullEffectOfItsBytes) {
  const int n = 16;
  const std::uint64_t share = 1'000'000;
  const double slow = 10 * 2 * (n - 1) * static_cast<double>(share) * byte_ps;
  const auto time_of = [&](const std::string& network, const std::string& link) {
    Topology topology = built(fmt::format("build: {}, size: {}", network, n), usual);
    topology.link_changes = std::make_shared<LinkChanges>(
        read_failure_file(fmt::format("{{ link: {}, bandwidth: 10% }}", link), "f.yaml", *topology.graph));
    return run(topology, {&ring_algorithm}, CollectiveKind::all_reduce, n * share);
  };
  EXPECT_EQ(time_of("ring", "npu5->npu6"), slow + hop_ps + 2 * endpoint_delay);
  EXPECT_EQ(time_of("switch", "npu5->switch0"), slow + 2 * hop_ps + 2 * endpoint_delay);
  // Both directions are slow, but NPU 5 has received a message before it sends one.
  EXPECT_EQ(time_of("switch", "npu5-switch0"), slow + 4 * hop_ps + 3 * endpoint_delay);
  // Nothing goes that way.
  const double whole = in_dimensions(ring_test, CollectiveKind::all_reduce,
                                     {{Form::circle, n, byte_ps, hop_ps}}, n * static_cast<double>(share))
                           .time;
  EXPECT_EQ(time_of("ring", "npu6->npu5"), whole);
}

}  // namespace
}  // namespace orrery::core::test::graph_collectives_test
