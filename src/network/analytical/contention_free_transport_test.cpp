#include "network/analytical/contention_free_transport.hpp"

#include <gtest/gtest.h>

#include "base/diagnostics/diagnostics.hpp"
#include "support/sent_messages.hpp"

namespace orrery::core::contention_free_transport_test {
namespace {

constexpr std::uint64_t mib = 1 << 20;

Dimension dimension(Block block, int size, double gib_per_s, double latency_ns) {
  Dimension made;
  made.name = "d";
  made.block = block;
  made.size = size;
  made.link_bandwidth = Bandwidth::from_gib_per_s(gib_per_s);
  made.link_latency_ns = latency_ns;
  return made;
}

Dialect whole_nanoseconds() {
  Dialect dialect;
  dialect.whole_nanoseconds = true;
  dialect.one_link_per_message = true;
  return dialect;
}

Dialect picoseconds() {
  Dialect dialect;
  dialect.one_link_per_message = true;
  return dialect;
}

double ns(const Topology& topology, int source, int destination,
          const Dialect& dialect = whole_nanoseconds()) {
  SentMessages sent;
  ContentionFreeTransport transport(topology, dialect, sent.loop);
  sent.add({source, destination, mib});
  return static_cast<double>(sent.run(transport).at(0).ps) / 1000;
}

// The expected durations are ASTRA-sim 2's own.
TEST(ContentionFreeTransport, TakesHopsAndBytesOnce) {
  EXPECT_EQ(ns({{dimension(Block::ring, 16, 50, 500)}}, 1, 4), 21031);
  EXPECT_EQ(ns({{dimension(Block::ring, 16, 50, 500)}}, 4, 1), 21031);
  EXPECT_EQ(ns({{dimension(Block::ring, 16, 50, 500)}}, 15, 2), 21031);
  EXPECT_EQ(ns({{dimension(Block::fully_connected, 16, 50, 500)}}, 1, 4), 20031);
  EXPECT_EQ(ns({{dimension(Block::switched, 16, 50, 500)}}, 1, 4), 20531);
}

TEST(ContentionFreeTransport, ChargesTheLowestDimensionThatDiffers) {
  const Topology topology{{dimension(Block::ring, 2, 200, 50), dimension(Block::fully_connected, 8, 100, 500),
                           dimension(Block::switched, 4, 50, 2000)}};
  EXPECT_EQ(ns(topology, 0, 1), 4932);
  EXPECT_EQ(ns(topology, 37, 41), 10265);
  EXPECT_EQ(ns(topology, 26, 42), 23531);
  EXPECT_EQ(ns(topology, 0, 63), 4932);  // all three differ
}

// 2^20 bytes over 50 GiB/s take 10^9 / (50 * 2^10) = 19531.25 ns.
TEST(ContentionFreeTransport, RoundsOnceAsTheDialectDoes) {
  const Topology topology{{dimension(Block::ring, 16, 50, 500.3)}};
  EXPECT_EQ(ns(topology, 1, 4, picoseconds()), 21032.15);  // 1500.9 + 19531.25
  EXPECT_EQ(ns(topology, 1, 4), 21032);                    // cut after the product it would be 21031
}

TEST(ContentionFreeTransport, MessagesPassOneAnother) {
  const Topology topology{{dimension(Block::switched, 4, 50, 500)}};
  SentMessages sent;
  ContentionFreeTransport transport(topology, whole_nanoseconds(), sent.loop);
  for (int i = 0; i < 3; ++i) sent.add({1, 0, mib});
  sent.add({1, 2, mib / 2});
  sent.add({1, 2, mib / 2, 1'000'000'000});
  EXPECT_EQ(sent.run(transport),
            (std::vector<Delivery>{
                {3, 10'765'000}, {0, 20'531'000}, {1, 20'531'000}, {2, 20'531'000}, {4, 1'010'765'000}}));
}

TEST(ContentionFreeTransport, CountsWhatWouldPassOverLinks) {
  const Topology topology{{dimension(Block::ring, 4, 50, 500), dimension(Block::switched, 2, 50, 500)}};
  SentMessages sent;
  ContentionFreeTransport transport(topology, whole_nanoseconds(), sent.loop);
  sent.add({1, 3, mib});  // 1 -> 2 -> 3
  sent.add({1, 2, mib});
  sent.add({1, 5, 100});
  sent.run(transport);
  const std::vector<LinkUse> links = transport.links(sent.loop.time());
  ASSERT_EQ(links.size(), 5u);
  EXPECT_EQ(links[0].from, "npu1");
  EXPECT_EQ(links[0].to, "npu2");
  EXPECT_EQ(links[0].links, 1u);
  EXPECT_EQ(links[0].busy, Time::from_ps(2 * 19'531'250));  // longer than the run: 20531 ns
  EXPECT_EQ(links[0].load, (LinkLoad{Bytes(2 * mib), 2}));
  EXPECT_EQ(links[1].from, "npu2");
  EXPECT_EQ(links[1].load, (LinkLoad{Bytes(mib), 1}));
  EXPECT_EQ(links[2].from, "npu1");  // up to the switch, and down to 5
  EXPECT_EQ(links[2].dimension, 1);
  EXPECT_EQ(links[2].links, 2u);
  EXPECT_EQ(links[2].load, (LinkLoad{Bytes(100), 1}));
  EXPECT_EQ(links[3].links, 14u);
  EXPECT_EQ(links[4].links, 14u);
  EXPECT_EQ(links[4].busy, Time());
}

TEST(ContentionFreeTransport, RefusesMessagesOfMoreThanTenDays) {
  EXPECT_THROW(ns({{dimension(Block::ring, 4, 1e-12, 500)}}, 0, 1), InputError);
  EXPECT_THROW(ns({{dimension(Block::ring, 4, 50, 9e14)}}, 0, 1), InputError);
}

}  // namespace
}  // namespace orrery::core::contention_free_transport_test
