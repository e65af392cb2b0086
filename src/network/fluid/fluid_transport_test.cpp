#include "network/fluid/fluid_transport.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "support/ids.hpp"
#include "support/sent_messages.hpp"

namespace orrery::core::fluid_transport_test {
namespace {

// 1 byte per ns and 100 ns a hop.
Topology machine(Block block, int size) {
  Topology topology;
  Dimension& dimension = topology.dimensions.emplace_back();
  dimension.name = "net";
  dimension.block = block;
  dimension.size = size;
  dimension.links = block == Block::ring ? 2 : block == Block::switched ? 1 : size - 1;
  dimension.link_bandwidth = Bandwidth::from_gb_per_s(block == Block::ring ? 0.5 : 1);
  dimension.link_latency_ns = 100;
  return topology;
}

using Groups = std::vector<std::vector<RankId>>;

Groups groups_of(const std::vector<std::vector<std::uint32_t>>& numbers) {
  Groups groups;
  for (const std::vector<std::uint32_t>& group : numbers) groups.push_back(test::ids<RankId>(group));
  return groups;
}

struct Outcome {
  std::vector<std::int64_t> delivered_ns;  // by message
  std::vector<LinkUse> links;
};

Outcome run(const Topology& topology, const std::vector<SentMessage>& messages, const Groups& in_step = {}) {
  SentMessages sent;
  for (const SentMessage& message : messages) sent.add(message);
  FluidTransport transport(topology, native_dialect, sent.loop, in_step);
  Outcome result;
  result.delivered_ns.resize(messages.size());
  for (const Delivery& delivery : sent.run(transport))
    result.delivered_ns[delivery.message] = delivery.ps / 1000;
  result.links = transport.links(sent.loop.time());
  return result;
}

using Times = std::vector<std::int64_t>;

TEST(FluidTransport, AMessageAloneTakesWhatTheClosedFormSays) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    Topology topology = machine(
        random.pick(std::vector{Block::ring, Block::switched, Block::fully_connected}), random.between(2, 9));
    topology.dimensions[0].link_bandwidth = Bandwidth::from_gb_per_s(0.1 + random.fraction() * 100);
    topology.dimensions[0].link_latency_ns = random.fraction() * 2000;
    topology.dimensions[0].nic_latency_ns = random.between(0, 50);
    const int size = topology.npus(), source = random.between(0, size - 1);
    const int destination = (source + random.between(1, size - 1)) % size;
    const SentMessage message{source, destination, random.next() % 1'000'000'000, random.between(0, 9999)};
    SentMessages sent;
    sent.add(message);
    const AnalyticalNetwork network(topology, native_dialect);
    FluidTransport transport(topology, native_dialect, sent.loop);
    const std::vector<Delivery> deliveries = sent.run(transport);
    ASSERT_EQ(deliveries.size(), 1u);
    EXPECT_EQ(deliveries[0].ps, message.at_ps + network.duration(source, destination, Bytes(message.bytes)))
        << "seed " << seed;
  }
}

TEST(FluidTransport, SendersToOneReceiverShareItsLink) {
  // Two hops of 100 ns; four messages of 1000 bytes pass the link to NPU 0.
  EXPECT_EQ(
      run(machine(Block::switched, 8), {{1, 0, 1000}, {2, 0, 1000}, {3, 0, 1000}, {4, 0, 1000}}).delivered_ns,
      (Times{4200, 4200, 4200, 4200}));
}

TEST(FluidTransport, WhoMeetsNobodyIsNotSlowed) {
  EXPECT_EQ(run(machine(Block::switched, 8), {{1, 0, 1000}, {0, 1, 1000}, {2, 3, 1000}}).delivered_ns,
            (Times{1200, 1200, 1200}));
}

TEST(FluidTransport, TheSecondTakesHalfFromWhenItComes) {
  // The first has 500 bytes left when the second comes; both have half the link until 1500 ns, and the second
  // all of it for its last 500 bytes.
  EXPECT_EQ(run(machine(Block::switched, 4), {{1, 0, 1000, 0}, {2, 0, 1000, 500'000}}).delivered_ns,
            (Times{1700, 2200}));
}

TEST(FluidTransport, AMessageBehindTheOtherIsOnTime) {
  EXPECT_EQ(run(machine(Block::switched, 4), {{1, 0, 1000, 0}, {2, 0, 1000, 1'000'000}}).delivered_ns,
            (Times{1200, 2200}));
}

TEST(FluidTransport, MessagesOfOneChannelGoOneBehindTheOther) {
  EXPECT_EQ(run(machine(Block::switched, 4), {{1, 0, 1000}, {1, 0, 1000}}).delivered_ns, (Times{1200, 2200}));
}

TEST(FluidTransport, MessagesOfDifferentChannelsShare) {
  const Channel channels[] = {{.number = 1}, {.number = 2}, {.for_one = true}, {.for_one = true}};
  const Topology topology = machine(Block::switched, 4);
  SentMessages sent;
  for (int i = 0; i < 4; ++i) sent.add({1, 0, 1000});
  sent.channel_of = [&](std::size_t message) { return channels[message]; };
  FluidTransport transport(topology, native_dialect, sent.loop);
  for (const Delivery& delivery : sent.run(transport)) EXPECT_EQ(delivery.ps, 4'200'000) << delivery.message;
}

TEST(FluidTransport, ANothingArrivesAfterItsLatency) {
  EXPECT_EQ(run(machine(Block::switched, 4), {{1, 0, 0}, {2, 0, 1000}}).delivered_ns, (Times{200, 1200}));
}

// Four NPUs in step send four places ahead around a ring: every link between carries four messages.
TEST(FluidTransport, MessagesOfNpusInStepMeetTheirSiblings) {
  const Groups in_step = groups_of({{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}, {12, 13, 14, 15}});
  EXPECT_EQ(run(machine(Block::ring, 16), {{0, 4, 1000}}, in_step).delivered_ns, (Times{4400}));
  EXPECT_EQ(run(machine(Block::ring, 16), {{0, 4, 1000}}).delivered_ns, (Times{1400}));
  EXPECT_EQ(run(machine(Block::switched, 16), {{0, 4, 1000}}, in_step).delivered_ns, (Times{1200}));
}

TEST(FluidTransport, CountsWhatNpusInStepSend) {
  const Groups in_step = groups_of({{0, 1}, {2, 3}});
  const std::vector<LinkUse> links = run(machine(Block::switched, 4), {{0, 2, 1000}}, in_step).links;
  ASSERT_FALSE(links.empty());
  EXPECT_EQ(links[0].load, (LinkLoad{Bytes(1000), 1}));
  EXPECT_EQ(links[0].links, 4u);  // from 0 and 1 to the switch, and from it to 2 and 3
}

// Whatever is sent: no message is faster than alone, no link is busy longer than the run, and what passes a
// link one after another ends no earlier than the link's bytes need.
TEST(FluidTransport, NoLinkCarriesMoreThanItCan) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    Topology topology = machine(Block::ring, random.between(2, 6));
    topology.dimensions.push_back(machine(Block::switched, random.between(2, 5)).dimensions[0]);
    topology.dimensions[1].name = "outer";
    topology.dimensions[1].link_bandwidth = Bandwidth::from_gb_per_s(random.between(1, 8));
    const int npus = topology.npus();
    std::vector<SentMessage> messages;
    for (int i = random.between(1, 30); i > 0; --i) {
      const int source = random.between(0, npus - 1);
      messages.push_back({source, (source + random.between(1, npus - 1)) % npus,
                          static_cast<std::uint64_t>(random.between(0, 100'000)),
                          random.between(0, 100) * 1'000'000});
    }
    const Outcome result = run(topology, messages);
    const AnalyticalNetwork network(topology, native_dialect);
    std::int64_t end_ns = 0;
    for (std::size_t i = 0; i < messages.size(); ++i) {
      const SentMessage& sent = messages[i];
      const Stamp alone = network.duration(sent.source, sent.destination, Bytes(sent.bytes));
      EXPECT_GE(result.delivered_ns[i], (sent.at_ps + alone) / 1000) << "seed " << seed;
      end_ns = std::max(end_ns, result.delivered_ns[i]);
    }
    for (const LinkUse& link : result.links) EXPECT_LE(link.busy.ns(), static_cast<double>(end_ns + 1));
  }
}

}  // namespace
}  // namespace orrery::core::fluid_transport_test
