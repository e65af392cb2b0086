#include "network/link/link_transport.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/diagnostics/diagnostics.hpp"
#include "support/sent_messages.hpp"

namespace orrery::core::link_transport_test {
namespace {

constexpr std::uint64_t mib = 1 << 20;

Dimension dimension(Block block, int size, Bandwidth bandwidth, double latency_ns) {
  Dimension made;
  made.name = "d";
  made.block = block;
  made.size = size;
  made.link_bandwidth = bandwidth;
  made.link_latency_ns = latency_ns;
  return made;
}

// Returns the topology of the reference values: 50 GiB/s, 500 ns.
Topology reference(Block block, int size) {
  return {{dimension(block, size, Bandwidth::from_gib_per_s(50), 500)}};
}

// Returns a dimension for sums by hand, in which a byte takes a nanosecond.
Dimension simple(Block block, int size, double latency_ns = 10, double bytes_per_ns = 1) {
  return dimension(block, size, Bandwidth::from_gb_per_s(bytes_per_ns), latency_ns);
}

Dialect whole_nanoseconds() {
  Dialect dialect;
  dialect.whole_nanoseconds = true;
  dialect.one_link_per_message = true;
  dialect.stores_and_forwards = true;
  return dialect;
}

Dialect picoseconds() {
  Dialect dialect;
  dialect.one_link_per_message = true;
  dialect.stores_and_forwards = true;
  return dialect;
}

using Arrivals = std::vector<std::pair<std::size_t, double>>;  // message, ns

Arrivals arrivals(const Topology& topology, const std::vector<SentMessage>& messages,
                  const Dialect& dialect = whole_nanoseconds()) {
  SentMessages sent;
  LinkTransport transport(topology, dialect, sent.loop);
  for (const SentMessage& message : messages) sent.add(message);
  Arrivals result;
  for (const Delivery& d : sent.run(transport)) result.emplace_back(d.message, double(d.ps) / 1000);
  return result;
}

// The expected times are ASTRA-sim 2's own.
TEST(LinkTransport, ReferenceValues) {
  EXPECT_EQ(arrivals(reference(Block::ring, 16), {{1, 4, mib}}), (Arrivals{{0, 60093}}));
  EXPECT_EQ(arrivals(reference(Block::fully_connected, 16), {{1, 4, mib}}), (Arrivals{{0, 20031}}));
  EXPECT_EQ(arrivals(reference(Block::switched, 16), {{1, 4, mib}}), (Arrivals{{0, 40062}}));
  std::vector<SentMessage> all_pairs;
  for (int source = 0; source < 16; ++source)
    for (int destination = 0; destination < 16; ++destination)
      if (source != destination) all_pairs.push_back({source, destination, mib});
  const Arrivals times = arrivals(reference(Block::ring, 16), all_pairs);
  EXPECT_EQ(times.size(), 240u);
  EXPECT_EQ(times.back().second, 704116);
}

// 0 -> 2 is relayed by 1, where it comes at 1010 ns. The link 1 -> 2 is then
// - free, if 1's own message has 1000 bytes: 1010 + 1010;
// - busy until 3000, if it has 3000: 3000 + 1010.
TEST(LinkTransport, RelayedAndOwnMessagesShareALink) {
  const Topology ring{{simple(Block::ring, 4)}};
  EXPECT_EQ(arrivals(ring, {{0, 2, 1000}, {1, 2, 1000}}), (Arrivals{{1, 1010}, {0, 2020}}));
  EXPECT_EQ(arrivals(ring, {{0, 2, 1000}, {1, 2, 3000}}), (Arrivals{{1, 3010}, {0, 4010}}));
  // Sent at 2500, 1's second message waits behind the relayed one: 4000 + 1000 + 10.
  EXPECT_EQ(arrivals(ring, {{0, 2, 1000}, {1, 2, 3000}, {1, 2, 1000, 2'500'000}}),
            (Arrivals{{1, 3010}, {0, 4010}, {2, 5010}}));
}

// The second message starts when the first has left, 1000 ns, not when it has arrived, 1500 ns.
TEST(LinkTransport, SeveralMessagesAreInFlightOnALongLink) {
  EXPECT_EQ(arrivals({{simple(Block::fully_connected, 2, 500)}}, {{0, 1, 1000}, {0, 1, 100}, {1, 0, 300}}),
            (Arrivals{{2, 800}, {0, 1500}, {1, 1600}}));
}

TEST(LinkTransport, ARingOfTwoHasOneLinkPerDirection) {
  EXPECT_EQ(arrivals({{simple(Block::ring, 2)}}, {{0, 1, 1000}, {0, 1, 1000}, {1, 0, 1500}}),
            (Arrivals{{0, 1010}, {2, 1510}, {1, 2010}}));
}

// All messages are at the switch at 1010, in the order in which they were sent. The link to 0 takes them at
// 1010, 2010 and 3010, and each needs 1010 more.
TEST(LinkTransport, ManyToOneQueueAtTheSwitch) {
  EXPECT_EQ(arrivals({{simple(Block::switched, 4)}}, {{3, 0, 1000}, {1, 0, 1000}, {2, 0, 1000}}),
            (Arrivals{{0, 2020}, {1, 3020}, {2, 4020}}));
}

// A ring of 4 NPUs, three times. 0 -> 6 goes 0 -> 1 -> 2 at 1 byte/ns and 10 ns, then 2 -> 6 at half a
// byte/ns and 100 ns: 1010 + 1010 + 2100. With 2's own 2000 bytes on 2 -> 6 until 4000, it leaves then: 4000
// + 2100.
TEST(LinkTransport, ARingOfRings) {
  const Topology torus{{simple(Block::ring, 4), simple(Block::ring, 3, 100, 0.5)}};
  EXPECT_EQ(arrivals(torus, {{0, 6, 1000}}), (Arrivals{{0, 4120}}));
  EXPECT_EQ(arrivals(torus, {{0, 6, 1000}, {2, 6, 2000}}), (Arrivals{{1, 4100}, {0, 6100}}));
  // 6 -> 0 takes 6 -> 7 -> 4, then 4 -> 0, and none of the links of 0 -> 6.
  EXPECT_EQ(arrivals(torus, {{0, 6, 1000}, {6, 0, 1000}}), (Arrivals{{0, 4120}, {1, 4120}}));
}

// Ring 2 (1 byte/ns, 10 ns) x FullyConnected 3 (2, 20 ns) x Switch 2 (0.5, 30 ns).
// 0 -> 11 with 1000 bytes: 0 -> 1 at 1010, 1 -> 5 at 1010 + 520, to the switch at 1530 + 2030, to 11 at 5590.
// With 5 -> 11, also 1000 bytes, sent at 1000: that one keeps 5 -> switch until 3000 and switch -> 11 from
// 3030 to 5030, and is there at 5060. The other leaves 5 at 3000, the switch at 5030, and is there at 7060.
TEST(LinkTransport, ThreeDimensions) {
  const Topology machine{{simple(Block::ring, 2, 10, 1), simple(Block::fully_connected, 3, 20, 2),
                          simple(Block::switched, 2, 30, 0.5)}};
  EXPECT_EQ(arrivals(machine, {{0, 11, 1000}}), (Arrivals{{0, 5590}}));
  EXPECT_EQ(arrivals(machine, {{0, 11, 1000}, {5, 11, 1000, 1'000'000}}), (Arrivals{{1, 5060}, {0, 7060}}));
}

// Bytes 1000.2 ns, latency 0.6 ns: each of three hops takes 1000.8 ns.
TEST(LinkTransport, RoundsEveryHop) {
  const Topology ring{{simple(Block::ring, 8, 0.6, 5.0 / 5.001)}};
  EXPECT_EQ(arrivals(ring, {{0, 3, 1000}}), (Arrivals{{0, 3000}}));
  EXPECT_EQ(arrivals(ring, {{0, 3, 1000}}, picoseconds()), (Arrivals{{0, 3002.4}}));
  // The link is free after 1000 ns, natively after 1000.2 ns.
  EXPECT_EQ(arrivals(ring, {{0, 1, 1000}, {0, 1, 1000}}), (Arrivals{{0, 1000}, {1, 2000}}));
  EXPECT_EQ(arrivals(ring, {{0, 1, 1000}, {0, 1, 1000}}, picoseconds()), (Arrivals{{0, 1000.8}, {1, 2001}}));
}

// Without latency, a message arrives while its link still counts as busy. A message that is then sent over
// that link waits for the link's own event. So a message that is sent next over an idle link starts before
// it, and later arrives before it.
TEST(LinkTransport, AnArrivalComesBeforeItsLinkIsFree) {
  for (const double latency : {0.0, 0.3}) {  // 0.3: the same after rounding
    const Topology ring{{simple(Block::ring, 4, latency)}};
    SentMessages sent;
    LinkTransport transport(ring, whole_nanoseconds(), sent.loop);
    sent.on_delivery = [&](std::size_t message) {
      if (message > 0) return;
      sent.send_now({0, 1, 1000});
      sent.send_now({0, 3, 1000});
    };
    sent.add({0, 1, 1000});
    EXPECT_EQ(sent.run(transport), (std::vector<Delivery>{{0, 1'000'000}, {2, 2'000'000}, {1, 2'000'000}}));
  }
}

TEST(LinkTransport, AMessageWithoutBytesTakesTheLatency) {
  EXPECT_EQ(arrivals({{simple(Block::ring, 4)}}, {{0, 2, 0}, {0, 2, 1000}}), (Arrivals{{0, 20}, {1, 2020}}));
}

// More wait than a line keeps of those that it has given away.
TEST(LinkTransport, MessagesOfALongLineLeaveInTheirOrder) {
  std::vector<SentMessage> sent;
  Arrivals expected;
  for (std::size_t i = 0; i < 100; ++i) {
    sent.push_back({0, 1, 1000, i < 50 ? 0 : 20'500'000});
    expected.emplace_back(i, 1000.0 * static_cast<double>(i + 1) + 10);
  }
  EXPECT_EQ(arrivals({{simple(Block::ring, 4)}}, sent), expected);
}

TEST(LinkTransport, DeliversWithinTheArrival) {
  SentMessages sent;
  LinkTransport transport({{simple(Block::ring, 4)}}, whole_nanoseconds(), sent.loop);
  sent.add({0, 1, 1000});
  sent.run(transport);
  EXPECT_EQ(sent.loop.events(), 3u);  // that it is sent, that the link is free, that it is there
}

// Returns a line for each set of links that carried equally much: how many, which first, and for how long: "2
// npu0-npu1 1000".
std::vector<std::string> lines(const std::vector<LinkUse>& links) {
  std::vector<std::string> lines;
  for (const LinkUse& link : links)
    lines.push_back(fmt::format("{} {}-{} {} ns, {} B, {}", link.links, link.from, link.to, link.busy.ns(),
                                link.load.bytes.count(), link.load.messages));
  return lines;
}

TEST(LinkTransport, CountsWhatLinksCarry) {
  SentMessages sent;
  LinkTransport transport({{simple(Block::ring, 4), simple(Block::switched, 2, 10, 0.5)}}, picoseconds(),
                          sent.loop);
  std::vector<std::string> half_way;
  sent.on_delivery = [&](std::size_t message) {
    if (message == 1) half_way = lines(transport.links(sent.loop.time()));
  };
  sent.add({0, 6, 1000});  // 0 -> 1 -> 2 -> switch 10 -> 6
  sent.add({2, 1, 1500});  // delivered at 1510: for 500 ns, the first has been on 1 -> 2
  sent.run(transport);
  EXPECT_EQ(half_way,
            (std::vector<std::string>{"1 npu2-npu1 1500 ns, 1500 B, 1", "1 npu0-npu1 1000 ns, 1000 B, 1",
                                      "1 npu1-npu2 500 ns, 500 B, 1", "13 npu0-npu3 0 ns, 0 B, 0",
                                      "16 npu0-switch8 0 ns, 0 B, 0"}));
  EXPECT_EQ(lines(transport.links(sent.loop.time())),
            (std::vector<std::string>{"2 npu2-switch10 2000 ns, 1000 B, 1", "1 npu2-npu1 1500 ns, 1500 B, 1",
                                      "2 npu0-npu1 1000 ns, 1000 B, 1", "13 npu0-npu3 0 ns, 0 B, 0",
                                      "14 npu0-switch8 0 ns, 0 B, 0"}));
}

// Native machines: a ring of two links per NPU, each of half a byte per ns, so that a message takes a
// nanosecond per byte on both.
Dimension native(Block block, int size) {
  Dimension made = simple(block, size, 10, block == Block::ring ? 0.5 : 1);
  made.links = min_links(block, size);
  return made;
}

TEST(LinkTransport, OppositeWaysAroundARingMeetWhereMessagesUseTheLinksOfBoth) {
  EXPECT_EQ(arrivals({{native(Block::ring, 4)}}, {{0, 1, 1000}, {1, 0, 1000}, {1, 2, 1000}}, native_dialect),
            (Arrivals{{0, 1010}, {2, 1010}, {1, 2010}}));
}

// Natively a message's front goes on at once (cut-through): its bytes are paid once, over the slowest link. 0
// -> 6 goes over two links of a byte per ns and 10 ns, then one of half a byte per ns and 100 ns; back over
// links of other NPUs. 2's own 2000 bytes keep the last one until 4000.
TEST(LinkTransport, BytesArePaidOnceOnAnIdleWay) {
  Topology torus{{native(Block::ring, 4), native(Block::ring, 3)}};
  torus.dimensions[1].link_latency_ns = 100;
  torus.dimensions[1].link_bandwidth = Bandwidth::from_gb_per_s(0.25);
  EXPECT_EQ(arrivals(torus, {{0, 6, 1000}}, native_dialect), (Arrivals{{0, 2120}}));
  EXPECT_EQ(arrivals(torus, {{0, 6, 1000}, {2, 6, 2000}}, native_dialect), (Arrivals{{1, 4100}, {0, 6100}}));
  // The other way around: what comes slowly goes on no faster.
  std::swap(torus.dimensions[0].link_bandwidth, torus.dimensions[1].link_bandwidth);
  EXPECT_EQ(arrivals(torus, {{0, 6, 1000}}, native_dialect), (Arrivals{{0, 2120}}));
}

// Their fronts are at the switch by 10, and they go down to 0 one by one.
TEST(LinkTransport, MessagesToOneNpuQueueAtTheSwitch) {
  EXPECT_EQ(
      arrivals({{native(Block::switched, 4)}}, {{1, 0, 1000}, {2, 0, 1000}, {3, 0, 1000}}, native_dialect),
      (Arrivals{{0, 1020}, {1, 2020}, {2, 3020}}));
}

// First hop 10, NIC 5 and router 7; second 10 and NIC 5; 1000 of bytes. Over a ring of 4, from 0 to 2: 10 + 5
// twice. Of one hop: 10 + 2 * 5.
TEST(LinkTransport, NicsAndRoutersArePaidWhereAMessageEntersAndLeavesADimension) {
  Dimension switched = native(Block::switched, 4), ring = native(Block::ring, 4);
  switched.nic_latency_ns = ring.nic_latency_ns = 5;
  switched.router_latency_ns = 7;
  EXPECT_EQ(arrivals({{switched}}, {{0, 1, 1000}}, native_dialect), (Arrivals{{0, 1037}}));
  EXPECT_EQ(arrivals({{ring}}, {{0, 2, 1000}}, native_dialect), (Arrivals{{0, 1030}}));
  EXPECT_EQ(arrivals({{ring}}, {{0, 1, 1000}}, native_dialect), (Arrivals{{0, 1020}}));
}

// The memory takes 100 + 1000 / 0.5 ns, while the link is busy for 1000: a second message waits for that.
TEST(LinkTransport, MemoryDelaysTheFirstHop) {
  Dimension dimension = native(Block::fully_connected, 2);
  dimension.hbm_latency_ns = 100;
  dimension.hbm_bandwidth = Bandwidth::from_gb_per_s(0.5);
  dimension.hbm_scale = 1;
  EXPECT_EQ(arrivals({{dimension}}, {{0, 1, 1000}, {0, 1, 1000}}, native_dialect),
            (Arrivals{{0, 2100}, {1, 3100}}));
}

// NPU 1's links need twice as long, toward it and from it; 2 -> 3 is not among them.
TEST(LinkTransport, SlowLinks) {
  SentMessages sent;
  LinkTransport transport({{native(Block::ring, 4)}}, native_dialect, sent.loop, {{0, {1}, 2}});
  sent.add({0, 2, 1000});
  sent.add({2, 3, 1000});
  EXPECT_EQ(sent.run(transport), (std::vector<Delivery>{{1, 1'010'000}, {0, 2'020'000}}));
  EXPECT_EQ(lines(transport.links(sent.loop.time())),
            (std::vector<std::string>{"2 npu0-npu1 2000 ns, 1000 B, 1", "1 npu2-npu3 1000 ns, 1000 B, 1",
                                      "1 npu3-npu0 0 ns, 0 B, 0"}));
}

TEST(LinkTransport, RefusesTooManyLinks) {
  SentMessages sent;
  for (const int size : {8193, 1 << 27}) {
    const Topology topology{{simple(Block::fully_connected, size)}};
    EXPECT_THROW(LinkTransport(topology, picoseconds(), sent.loop), InputError);
  }
}

TEST(LinkTransport, RefusesMessagesOfMoreThanTenDays) {
  EXPECT_THROW(arrivals({{simple(Block::ring, 4, 10, 1e-12)}}, {{0, 1, 1000}}), InputError);
  EXPECT_THROW(arrivals({{simple(Block::ring, 4), simple(Block::ring, 4, 9e14)}}, {{0, 5, 1000}}),
               InputError);
}

}  // namespace
}  // namespace orrery::core::link_transport_test
