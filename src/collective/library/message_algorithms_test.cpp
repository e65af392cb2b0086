// Times of MPI's algorithms by hand, from the formulas of Thakur, Rabenseifner and Gropp 2005 with a latency,
// a time per byte and a time per byte that is added up.
#include "collective/library/message_algorithms.hpp"

#include <gtest/gtest.h>

#include "collective/library/collective_library.hpp"
#include "collective/library/library_file.hpp"

namespace orrery::core::message_algorithms_test {
namespace {

// 1 us and 1 ns per byte in a node, 10 us and 0.1 ns per byte between nodes, 2 ns per byte to add up.
constexpr auto hosts = R"(
name: hosts
buffers: cpu
allocation: 1 GB/s
staging: 2 GB/s
algorithms:
  all-reduce: [ring, recursive-doubling, halving-doubling]
  all-gather: [ring, neighbor-exchange, recursive-doubling]
  reduce-scatter: [ring, recursive-halving]
  broadcast: [binomial, scatter-doubling, scatter-ring]
inside:
  memory: {bandwidth: 100 GB/s, stream: 1 GB/s, step: 1 us, sum: 0.5 GB/s}
  crowded: {bandwidth: 100 GB/s, stream: 1 GB/s, step: 1 us, sum: 0.5 GB/s, full-speed-members: 2}
between:
  network: {bandwidth: 10 GB/s, step: 10 us}
  sockets: {bandwidth: 10 GB/s, stream: 2 GB/s, step: 10 us}
)";

CollectiveLibrary hosts_library(const ClusterLinks& links) {
  return CollectiveLibrary(read_library_file(hosts, "hosts.yaml"), links, {"here"});
}

double us_of(const CollectiveLibrary& library, CollectiveKind kind, LibraryAlgorithm algorithm, double bytes,
             const GroupPlacement& group) {
  return library.cost(kind, bytes, group, algorithm).seconds * 1e6;
}

constexpr double mb = 1e6;  // takes 1000 us in a node, 100 us between nodes, and 2000 us to add up

using enum CollectiveKind;
using enum LibraryAlgorithm;

TEST(MessageAlgorithms, InsideAHost) {
  const CollectiveLibrary host = hosts_library({"memory", "", 8, 0});
  const GroupPlacement eight{8, 8};
  EXPECT_NEAR(us_of(host, all_reduce, ring, mb, eight), 14 + 1.75 * 1000 + 0.875 * 2000, 1e-6);
  EXPECT_NEAR(us_of(host, all_reduce, recursive_doubling, mb, eight), 3 + 3 * 1000 + 3 * 2000, 1e-6);
  EXPECT_NEAR(us_of(host, all_reduce, halving_doubling, mb, eight), 6 + 1.75 * 1000 + 0.875 * 2000, 1e-6);
  EXPECT_NEAR(us_of(host, all_gather, ring, mb, eight), 7 + 875, 1e-6);
  EXPECT_NEAR(us_of(host, all_gather, neighbor_exchange, mb, eight), 3.5 + 875, 1e-6);
  EXPECT_NEAR(us_of(host, all_gather, recursive_doubling, mb, eight), 3 + 875, 1e-6);
  EXPECT_NEAR(us_of(host, reduce_scatter, ring, mb, eight), 7 + 875 + 1750, 1e-6);
  EXPECT_NEAR(us_of(host, reduce_scatter, recursive_halving, mb, eight), 3 + 875 + 1750, 1e-6);
  EXPECT_NEAR(us_of(host, broadcast, binomial, mb, eight), 3 + 3000, 1e-6);
  EXPECT_NEAR(us_of(host, broadcast, scatter_doubling, mb, eight), 6 + 1750, 1e-6);
  EXPECT_NEAR(us_of(host, broadcast, scatter_ring, mb, eight), 3 + 7 + 1750, 1e-6);
}

// Two processes on each of four hosts with a card of 10 GB/s each: a step in the host, two between hosts.
TEST(MessageAlgorithms, BetweenHosts) {
  const CollectiveLibrary library = hosts_library({"memory", "network", 2, 1});
  const GroupPlacement eight{8, 2};
  EXPECT_NEAR(us_of(library, all_reduce, recursive_doubling, mb, eight),
              1 + 20 + 1000 + 2 * 2 * 100 + 3 * 2000, 1e-6);
  // A half in the host, then a quarter and an eighth of each process between hosts, and the same back.
  EXPECT_NEAR(us_of(library, all_reduce, halving_doubling, mb, eight), 2 + 40 + 1000 + 2 * 0.75 * 100 + 1750,
              1e-6);
  EXPECT_NEAR(us_of(library, broadcast, binomial, mb, eight), 1 + 20 + 1000 + 200, 1e-6);
  // The slowest link holds a ring up, which is the one in a host.
  EXPECT_NEAR(us_of(library, all_gather, ring, mb, eight), 4 + 30 + 875, 1e-6);
}

TEST(MessageAlgorithms, TheQuickestIsTaken) {
  const CollectiveLibrary library = hosts_library({"memory", "network", 1, 1});
  EXPECT_EQ(library.cost(all_reduce, 100, {64, 1}).algorithm, recursive_doubling);
  EXPECT_EQ(library.cost(all_reduce, 64 * mb, {64, 1}).algorithm,
            ring);  // which needs no buffer for all of it
  EXPECT_EQ(library.cost(all_reduce, mb, {64, 1}).algorithm, halving_doubling);
  EXPECT_EQ(library.cost(broadcast, 100, {64, 1}).algorithm, binomial);
}

TEST(MessageAlgorithms, DoublingOfPartsNeedsAPowerOfTwo) {
  const CollectiveLibrary library = hosts_library({"memory", "network", 1, 1});
  EXPECT_EQ(library.cost(all_gather, 100, {64, 1}).algorithm, recursive_doubling);
  EXPECT_EQ(library.cost(all_gather, 100, {62, 1}).algorithm, neighbor_exchange);
  EXPECT_EQ(library.cost(all_gather, 100, {63, 1}).algorithm, ring);
  EXPECT_THROW(library.cost(all_gather, 100, {63, 1}, recursive_doubling), InputError);
  // Six members take as many steps as eight.
  EXPECT_NEAR(us_of(library, all_reduce, recursive_doubling, mb, {6, 1}), 30 + 300 + 6000, 1e-6);
}

TEST(MessageAlgorithms, AStreamIsTheMostOfAMember) {
  const CollectiveLibrary library = hosts_library({"memory", "sockets", 1, 1});
  EXPECT_NEAR(us_of(library, all_gather, ring, mb, {2, 1}), 10 + 250, 1e-6);  // half a MB at 2 GB/s
  EXPECT_NEAR(library.send_seconds(mb, false) * 1e6, 10 + 500, 1e-6);
  // Two processes fill two streams, of one of which a ring makes use.
  const CollectiveLibrary two = hosts_library({"memory", "sockets", 2, 2});
  EXPECT_NEAR(us_of(two, all_reduce, recursive_doubling, mb, {4, 2}), 1 + 10 + 1000 + 500 + 4000, 1e-6);
  EXPECT_NEAR(us_of(two, all_gather, ring, 4 * mb, {4, 2}), 2 + 10 + 3000, 1e-6);
}

TEST(MessageAlgorithms, CrowdedMemoryIsShared) {
  const CollectiveLibrary library = hosts_library({"crowded", "", 8, 0});
  EXPECT_NEAR(us_of(library, all_gather, ring, mb, {2, 2}), 1 + 500, 1e-6);
  EXPECT_NEAR(us_of(library, all_gather, ring, mb, {8, 8}), 7 + 4 * 875, 1e-6);
  EXPECT_NEAR(us_of(library, reduce_scatter, ring, mb, {8, 8}), 7 + 4 * 875 + 4 * 1750, 1e-6);
}

// Above 32 MiB, memory for temporary buffers is obtained at 1 GB/s: one for a ring's reduce-scatter, two for
// recursive halving.
TEST(MessageAlgorithms, LargeTemporaryBuffersTakeTime) {
  const CollectiveLibrary library = hosts_library({"memory", "", 2, 0});
  constexpr double large = 40e6;
  EXPECT_NEAR(us_of(library, reduce_scatter, ring, large, {2, 2}), 1 + 20000 + 40000 + 40000, 1e-6);
  EXPECT_NEAR(us_of(library, reduce_scatter, recursive_halving, large, {2, 2}), 1 + 20000 + 40000 + 80000,
              1e-6);
  EXPECT_NEAR(us_of(library, all_gather, ring, large, {2, 2}), 1 + 20000, 1e-6);
}

// What a member has before and after is copied at 2 GB/s.
TEST(MessageAlgorithms, BuffersOfGpusAreCopied) {
  ClusterLinks links{"memory", "", 2, 0};
  const CollectiveLibrary cpu = hosts_library(links);
  links.buffers = Buffers::gpu;
  const CollectiveLibrary gpu = hosts_library(links);
  const auto added = [&](CollectiveKind kind) {
    return (gpu.seconds(kind, mb, {2, 2}) - cpu.seconds(kind, mb, {2, 2})) * 1e6;
  };
  EXPECT_NEAR(added(all_reduce), 1000, 1e-6);
  EXPECT_NEAR(added(broadcast), 1000, 1e-6);
  EXPECT_NEAR(added(all_gather), 750, 1e-6);
  EXPECT_NEAR(added(reduce_scatter), 750, 1e-6);
  EXPECT_NEAR(added(barrier), 0, 1e-6);
  EXPECT_NEAR((gpu.send_seconds(mb, true) - cpu.send_seconds(mb, true)) * 1e6, 1000, 1e-6);
}

TEST(MessageAlgorithms, TermsAddUp) {
  const CollectiveLibrary library = hosts_library({"memory", "network", 2, 1});
  for (const double bytes : {100.0, mb, 100 * mb}) {
    const CollectiveTerms terms = library.terms(all_reduce, bytes, {8, 2});
    EXPECT_NEAR(terms.launch_seconds + terms.hop_seconds + terms.step_seconds + terms.byte_seconds,
                terms.cost.seconds, 1e-12);
  }
}

}  // namespace
}  // namespace orrery::core::message_algorithms_test
