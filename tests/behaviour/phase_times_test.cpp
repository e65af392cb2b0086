// Compares one phase on one dimension with the closed forms of docs/models/collectives.md.
//
// In them there are n NPUs, D is the endpoint delay, l the time of one message, M the cost of one reduction.
#include <gtest/gtest.h>

#include "support/one_collective.hpp"

namespace orrery::core::test::phase_times_test {
namespace {

using enum CollectiveKind;

constexpr std::int64_t d = 10;  // D
constexpr std::int64_t latency = 500;
const Bandwidth byte_per_ns = Bandwidth::from_gb_per_s(1);

// A message of b bytes over the switch: two hops.
std::int64_t l(std::int64_t bytes) {
  return 2 * latency + bytes;
}
// Two reads and a write at 500000 bytes/ns, each cut to whole nanoseconds.
std::int64_t m(std::int64_t bytes) {
  return bytes / 500'000 * 3;
}

class PhaseTimes : public testing::Test {
 protected:
  Machine switched(AlgorithmChoice algorithm, std::int64_t n) {
    const Dimension dimension = make_dimension(Block::switched, static_cast<int>(n), 1, byte_per_ns, latency);
    Machine machine = make_machine({dimension}, {algorithm});
    machine.system.endpoint_delay = Time::from_ns(d);
    machine.system.rendezvous = rendezvous;
    return machine;
  }

  void expect(AlgorithmChoice algorithm, CollectiveKind kind, std::int64_t n, std::int64_t size,
              std::int64_t ns) {
    const Recording recording =
        simulate_one(switched(algorithm, n), kind, Bytes(static_cast<std::uint64_t>(size)));
    ASSERT_EQ(recording.phases_of(0)->chunks.phases.size(), 1u);
    const PhaseRecord& phase = recording.phases_of(0)->chunks.phases[0];
    EXPECT_EQ((phase.left - phase.started).ns(), static_cast<double>(ns)) << name_of(kind) << " over " << n;
    EXPECT_EQ(recording.finish, std::vector(static_cast<std::size_t>(n), phase.left));  // everyone, at once
  }

  // All messages are of `share` bytes and take `one`, with their handshake where there is one.
  void expect_ring(std::int64_t n, std::int64_t share, std::int64_t one) {
    const AlgorithmChoice ring{&ring_algorithm};
    const std::int64_t rounds = n * (n - 1) / 2;
    expect(ring, all_reduce, n, n * share, (2 * n - 1) * d + 2 * (n - 1) * one + (n - 1) * m(share));
    expect(ring, reduce_scatter, n, n * share, n * d + (n - 1) * (one + m(share)));
    expect(ring, all_gather, n, share, n * d + (n - 1) * one);
    expect(ring, all_to_all, n, n * share, (rounds + 1) * d + rounds * one);
  }
  void expect_direct(std::int64_t n, std::int64_t share, std::int64_t one) {
    const AlgorithmChoice direct{&direct_algorithm};
    expect(direct, all_reduce, n, n * share, 3 * d + 2 * one + m(share));
    expect(direct, reduce_scatter, n, n * share, 2 * d + one + m(share));
    expect(direct, all_gather, n, share, 2 * d + one);
    expect(direct, all_to_all, n, n * share, 2 * d + one);
  }
  // Messages of half, a quarter, ... of the data; `handshake` comes on top of each.
  void expect_halving_doubling(int rounds, std::int64_t share, std::int64_t handshake) {
    const AlgorithmChoice halving_doubling{&halving_doubling_algorithm};
    const std::int64_t n = 1 << rounds, size = n * share;
    std::int64_t one_way = 0, reductions = 0;
    for (int k = 0; k < rounds; ++k) {
      const std::int64_t bytes = size >> (k + 1);
      one_way += d + l(bytes) + handshake;
      if (k > 0) reductions += m(bytes);  // not before the first message, nor after the last
    }
    expect(halving_doubling, reduce_scatter, n, size, one_way + d + reductions);
    expect(halving_doubling, all_reduce, n, size, 2 * one_way + d + reductions);
    expect(halving_doubling, all_gather, n, share, one_way + d);  // the same sizes, ascending
  }
  // Up and down again with all the data, whatever the kind.
  void expect_tree(int levels, std::int64_t size, std::int64_t first_handshake) {
    const std::int64_t ns =
        2 * levels * l(size) + (2 * levels + 1) * d + (2 * levels - 1) * m(size) + first_handshake;
    for (CollectiveKind kind : {reduce_scatter, all_gather, all_reduce, all_to_all}) {
      expect(AlgorithmChoice{&double_binary_tree_algorithm}, kind, 1 << levels, size, ns);
    }
  }

  bool rendezvous = false;
};

constexpr std::int64_t small = 600,
                       large = 1'300'000;  // bytes: below and above what reductions cost anything for

TEST_F(PhaseTimes, Ring) {
  for (std::int64_t n : {2, 3, 4, 5, 8, 16}) {
    for (std::int64_t share : {small, large}) expect_ring(n, share, l(share));
  }
}

TEST_F(PhaseTimes, Direct) {
  for (std::int64_t n : {2, 3, 4, 5, 8, 16}) {
    for (std::int64_t share : {small, large}) expect_direct(n, share, l(share));
  }
}

TEST_F(PhaseTimes, HalvingDoubling) {
  for (int rounds : {1, 2, 3, 4}) {
    for (std::int64_t share : {small, large}) expect_halving_doubling(rounds, share, 0);
  }
}

TEST_F(PhaseTimes, DoubleBinaryTree) {
  for (int levels : {1, 2, 3, 4}) {
    for (std::int64_t size : {small, large}) expect_tree(levels, size, 0);
  }
}

// A handshake of 8192 bytes goes ahead of every message.
TEST_F(PhaseTimes, RendezvousAddsAHandshakeToEveryMessage) {
  rendezvous = true;
  for (std::int64_t n : {2, 3, 4, 5, 8, 16}) {
    expect_ring(n, small, l(8192) + l(small));
    expect_direct(n, small, l(8192) + l(small));
  }
  for (int rounds : {1, 2, 3, 4}) expect_halving_doubling(rounds, large, l(8192));
}

// A tree's inner nodes ask for their children's data at the start, and children ask for their parent's long
// before it has any: only the leaves wait, for the handshake that has set out D before they are ready.
TEST_F(PhaseTimes, RendezvousHidesATreesHandshakesButTheFirst) {
  rendezvous = true;
  for (int levels : {1, 2, 3, 4}) expect_tree(levels, 50'000, l(8192) - d);
}

// Windows of 2 of 4 peers make two rounds, with a preparation before, between and after them. Only the
// second of three windows of preparations reduces.
TEST_F(PhaseTimes, DirectInWindows) {
  expect({&direct_algorithm, 2}, all_gather, 5, small, 3 * d + 2 * l(small));
  expect({&direct_algorithm, 2}, reduce_scatter, 5, 5 * large, 3 * d + 2 * l(large) + m(large));
  expect({&direct_algorithm, 1}, all_to_all, 5, 5 * small, 5 * d + 4 * l(small));
}

TEST_F(PhaseTimes, MessagesMayBeEmpty) {
  expect({&ring_algorithm}, all_reduce, 4, 3, 7 * d + 6 * l(0));
}

// On a physical ring a direct exchange is as slow as its farthest peer: n/2 hops.
TEST_F(PhaseTimes, DirectOnARingWaitsForTheFarthest) {
  Machine machine =
      make_machine({make_dimension(Block::ring, 8, 2, byte_per_ns, latency)}, {{&direct_algorithm}});
  machine.system.endpoint_delay = Time::from_ns(d);
  const Recording recording = simulate_one(machine, all_to_all, Bytes(8 * 600));
  EXPECT_EQ(recording.finish[0], Time::from_ns(2 * d + 4 * latency + 300));  // two links: 2 bytes/ns
}

// The second half starts when the last message of the first, from two hops away, has been prepared; all of it
// at once.
TEST_F(PhaseTimes, DirectAllReduceOnARingWaitsBetweenItsHalves) {
  Machine machine =
      make_machine({make_dimension(Block::ring, 4, 2, byte_per_ns, latency)}, {{&direct_algorithm}});
  machine.system.endpoint_delay = Time::from_ns(d);
  const Recording recording = simulate_one(machine, all_reduce, Bytes(4 * 600));
  EXPECT_EQ(recording.finish[0], Time::from_ns(3 * d + 2 * (2 * latency + 300)));
}

// Everything NPU 0 sends is booked, handshakes too.
TEST_F(PhaseTimes, CountsPayloadAndMessages) {
  const Recording plain = simulate_one(switched({&ring_algorithm}, 4), all_reduce, Bytes(2400));
  EXPECT_EQ(plain.phases_of(0)->payload, (std::vector{Bytes(6 * 600)}));
  EXPECT_EQ(plain.messages, 24u);
  EXPECT_EQ(plain.phases_of(0)->chunks.phases[0].messages, 6u);  // received by NPU 0
  EXPECT_EQ(plain.phases_of(0)->chunks.phases[0].latency_sum, Time::from_ns(6 * l(600)));
  rendezvous = true;
  const Recording shaken = simulate_one(switched({&ring_algorithm}, 4), all_reduce, Bytes(2400));
  EXPECT_EQ(shaken.phases_of(0)->payload, (std::vector{Bytes(6 * (600 + 8192))}));
  EXPECT_EQ(shaken.messages, 48u);
  EXPECT_EQ(shaken.phases_of(0)->chunks.phases[0].latency_sum, Time::from_ns(6 * (l(600) + l(8192))));
}

// Chunks are served one after the other, or several at once: in ASTRA-sim 1.0 there is no contention.
TEST_F(PhaseTimes, ActiveChunksShareNothing) {
  Machine machine = switched({&ring_algorithm}, 4);
  machine.system.chunks = 4;
  const std::int64_t phase = 7 * d + 6 * l(600);
  EXPECT_EQ(simulate_one(machine, all_reduce, Bytes(4 * 2400)).finish[0], Time::from_ns(4 * phase));
  machine.system.active_chunks = 3;
  EXPECT_EQ(simulate_one(machine, all_reduce, Bytes(4 * 2400)).finish[0], Time::from_ns(2 * phase));
  machine.system.active_chunks = 4;
  EXPECT_EQ(simulate_one(machine, all_reduce, Bytes(4 * 2400)).finish[0], Time::from_ns(phase));
}

// Phases follow each other without a gap: scatter inside, reduce outside, gather inside.
TEST_F(PhaseTimes, DimensionsAddUp) {
  const Dimension dimension = make_dimension(Block::switched, 4, 1, byte_per_ns, latency);
  Machine machine = make_machine({dimension, dimension}, {{&ring_algorithm}, {&ring_algorithm}});
  machine.system.endpoint_delay = Time::from_ns(d);
  const std::int64_t inside = 4 * d + 3 * l(2400), outside = 7 * d + 6 * l(600);
  EXPECT_EQ(simulate_one(machine, all_reduce, Bytes(9600)).finish[15], Time::from_ns(2 * inside + outside));
  machine.dialect = native_dialect;
  EXPECT_EQ(simulate_one(machine, all_reduce, Bytes(9600)).finish[15], Time::from_ns(2 * inside + outside));
}

// Adding up takes memory bandwidth that nobody has stated: natively it takes no time besides the endpoint
// delay.
TEST_F(PhaseTimes, NativeReductionsCostNothing) {
  Machine machine = switched({&ring_algorithm}, 4);
  machine.dialect = native_dialect;
  EXPECT_EQ(simulate_one(machine, reduce_scatter, Bytes(4 * large)).finish[0],
            Time::from_ns(4 * d + 3 * l(large)));
}

// All of an NPU's messages leave through its one link to the switch.
TEST_F(PhaseTimes, NativeDirectTakesWhatItsLinkNeeds) {
  Machine machine = switched({&direct_algorithm}, 4);
  machine.dialect = native_dialect;
  for (const CollectiveKind kind : {reduce_scatter, all_to_all})
    EXPECT_EQ(simulate_one(machine, kind, Bytes(4 * large)).finish[0], Time::from_ns(2 * d + l(3 * large)));
}

}  // namespace
}  // namespace orrery::core::test::phase_times_test
