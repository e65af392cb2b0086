#include "network/host/host_stack_transport.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "network/host/host_stack_option.hpp"
#include "network/network_setup.hpp"
#include "support/sent_messages.hpp"

namespace orrery::core::host_stack_transport_test {
namespace {

// NPUs behind a switch whose links take 500 ns each and carry 10 bytes per ns.
Topology machine(int npus) {
  Dimension dimension;
  dimension.name = "d";
  dimension.block = Block::switched;
  dimension.size = npus;
  dimension.links = 1;
  dimension.link_bandwidth = Bandwidth::from_gb_per_s(10);
  dimension.link_latency_ns = 500;
  return {{dimension}};
}

struct Outcome {
  std::vector<Time> delivered;
  std::vector<LinkUse> links;
};

Outcome run(const HostStack& stack, const std::vector<SentMessage>& messages, int npus = 4,
            NetworkModel model = &fluid_model) {
  SentMessages sent;
  const Topology topology = machine(npus);
  const NetworkSetup network{.options = {option_of(stack)}};
  const auto transport = make_transport(model, {topology, native_dialect, network}, sent.loop);
  for (const SentMessage& message : messages) sent.add(message);
  Outcome outcome;
  outcome.delivered.resize(messages.size());
  for (const Delivery& delivery : sent.run(*transport))
    outcome.delivered[delivery.message] = Time::from_ps(delivery.ps);
  outcome.links = transport->links(sent.loop.time());
  return outcome;
}

const LinkUse* link_between(const Outcome& outcome, const std::string& from, const std::string& to) {
  for (const LinkUse& link : outcome.links)
    if (link.from == from && link.to == to) return &link;
  return nullptr;
}

HostStack software() {
  HostStack stack;
  stack.send = Time::from_ns(2000);
  stack.receive = Time::from_ns(3000);
  stack.cores = 1;
  stack.packet = Bytes(1000);
  stack.per_packet = Time::from_ns(100);
  stack.copying = Bandwidth::from_gb_per_s(5);
  return stack;
}

HostStack hardware() {
  HostStack stack;
  stack.send = Time::from_ns(2000);
  stack.receive = Time::from_ns(3000);
  return stack;
}

TEST(HostStackTransport, HardwareAddsLatencyAlone) {
  // 100 ns for 1000 bytes over two links of 500 ns, and the ends; two messages of different senders do not
  // meet.
  const Outcome outcome = run(hardware(), {{0, 1, 1000}, {2, 3, 1000}});
  EXPECT_EQ(outcome.delivered[0], Time::from_ns(2000 + 1100 + 3000));
  EXPECT_EQ(outcome.delivered[1], outcome.delivered[0]);
}

TEST(HostStackTransport, AShortMessageTakesItsStagesOneAfterTheOther) {
  HostStack stack = software();
  stack.card = Bandwidth::from_gb_per_s(2);
  stack.staging = Bandwidth::from_gb_per_s(4);
  stack.staging_latency = Time::from_ns(700);
  const std::int64_t copy = 700 + 250, core = 100 + 200, card = 500;
  EXPECT_EQ(run(stack, {{0, 1, 1000}}).delivered[0],
            Time::from_ns(2 * copy + 2000 + core + 2 * card + 1100 + 3000 + core));
}

TEST(HostStackTransport, NothingTakesTheTimesOfAMessage) {
  EXPECT_EQ(run(software(), {{0, 1, 0}}).delivered[0], Time::from_ns(2000 + 100 + 1000 + 3000 + 100));
}

// A core takes 100 ns for a packet and 200 ns to copy it, the network 100 ns. 64 packets are as many
// segments.
TEST(HostStackTransport, ALongMessageIsAsFastAsItsSlowestStage) {
  EXPECT_EQ(run(software(), {{0, 1, 64'000}}).delivered[0],
            Time::from_ns(2000 + 1100 + 3000 + 300 + 64 * 300));
}

// 128,000 bytes are 64 segments of two packets each.
TEST(HostStackTransport, SegmentsAreOfWholePackets) {
  EXPECT_EQ(run(software(), {{0, 1, 128'000}}).delivered[0],
            Time::from_ns(2000 + 1200 + 3000 + 600 + 64 * 600));
}

// One core sends 64 packets of each of two messages, taking turns. The receivers' cores are quicker than
// that, so that a last packet waits for nothing after the sender.
TEST(HostStackTransport, MessagesShareACoreByTurns) {
  const Outcome outcome = run(software(), {{0, 1, 64'000}, {0, 2, 64'000}});
  EXPECT_EQ(outcome.delivered[0], Time::from_ns(2 * 2000 + 127 * 300 + 1100 + 300));
  EXPECT_EQ(outcome.delivered[1], Time::from_ns(2 * 2000 + 128 * 300 + 1100 + 300));
}

// Packets of the two messages leave at the same time, and share the sender's link.
TEST(HostStackTransport, TwoCoresCarryTwoMessagesAtOnceButNotOne) {
  HostStack stack = software();
  const Time alone = run(stack, {{0, 1, 64'000}}).delivered[0];
  stack.cores = 2;
  EXPECT_EQ(run(stack, {{0, 1, 64'000}}).delivered[0], alone);
  const Outcome both = run(stack, {{0, 1, 64'000}, {0, 2, 64'000}});
  EXPECT_EQ(both.delivered[0], alone + Time::from_ns(100));
  EXPECT_EQ(both.delivered[1], alone + Time::from_ns(100));
}

// Seven senders have a core each, and the receiver has one for all. Their first packets share its link.
TEST(HostStackTransport, AReceiversCoreIsTheBottleneckOfAnIncast) {
  std::vector<SentMessage> messages;
  for (int npu = 1; npu < 8; ++npu) messages.push_back({npu, 0, 64'000});
  const Outcome outcome = run(software(), messages, 8);
  Time last;
  for (const Time time : outcome.delivered) last = std::max(last, time);
  EXPECT_EQ(last, Time::from_ns(2000 + 300 + 7 * 100 + 1000) + Time::from_ns(3000 + 64 * 300) * 7);
}

TEST(HostStackTransport, MessagesWithinAHostDoNotPassIt) {
  HostStack stack = software();
  stack.npus_per_host = 2;
  const Outcome outcome = run(stack, {{0, 1, 1000}, {1, 2, 1000}});
  EXPECT_EQ(outcome.delivered[0], Time::from_ns(1100));
  EXPECT_GT(outcome.delivered[1], Time::from_ns(5000));
}

TEST(HostStackTransport, CoresAreAmongTheLinks) {
  const Outcome outcome = run(software(), {{0, 1, 64'000}});
  const LinkUse* const sender = link_between(outcome, "npu0", "npu0.cores");
  const LinkUse* const receiver = link_between(outcome, "npu1", "npu1.cores");
  ASSERT_TRUE(sender && receiver);
  EXPECT_EQ(sender->busy, Time::from_ns(2000 + 64 * 300));
  EXPECT_EQ(receiver->busy, Time::from_ns(3000 + 64 * 300));
  EXPECT_EQ(sender->load.bytes, Bytes(64'000));
  EXPECT_EQ(outcome.links.front().from, "npu1");  // the busiest
}

// A proxy hands one message after the other to the card; without one, the card gets all of them at once.
TEST(HostStackTransport, AProxySpendsItsTimeOnEachMessage) {
  HostStack stack;
  stack.send = Time::from_ns(3000);
  stack.receive = Time::from_ns(1000);
  const std::vector<SentMessage> messages{{0, 1, 0, 0}, {0, 2, 0, 0}, {0, 3, 0, 0}};
  for (const Time delivered : run(stack, messages).delivered) EXPECT_EQ(delivered, Time::from_ns(5000));
  stack.proxy = Time::from_ns(650);
  const Outcome by_proxy = run(stack, messages);
  EXPECT_EQ(by_proxy.delivered[0], Time::from_ns(5650));
  EXPECT_EQ(by_proxy.delivered[1], Time::from_ns(6300));
  EXPECT_EQ(by_proxy.delivered[2], Time::from_ns(6950));
  ASSERT_NE(link_between(by_proxy, "npu0", "npu0.proxy"), nullptr);
  EXPECT_EQ(link_between(by_proxy, "npu0", "npu0.proxy")->busy, Time::from_ns(1950));
}

HostStack random_stack(Random& random) {
  HostStack stack;
  stack.send = Time::from_ns(random.between(0, 5000));
  stack.receive = Time::from_ns(random.between(0, 5000));
  stack.cores = random.between(0, 3);
  stack.packet = Bytes(static_cast<std::uint64_t>(random.between(1, 9000)));
  if (random.chance(30)) stack.proxy = Time::from_ns(random.between(0, 2000));
  if (stack.cores > 0 && random.chance(50)) stack.per_packet = Time::from_ns(random.between(0, 500));
  if (stack.cores > 0 && random.chance(50)) stack.copying = Bandwidth::from_gb_per_s(random.between(1, 20));
  if (random.chance(50)) stack.card = Bandwidth::from_gb_per_s(random.between(1, 20));
  if (random.chance(50)) stack.staging = Bandwidth::from_gb_per_s(random.between(1, 20));
  stack.npus_per_host = random.pick<int>({1, 2, 4});
  return stack;
}

// Every message arrives once, none sooner than without a stack, and no server works longer than the run.
TEST(HostStackTransport, CarriesRandomMessages) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const HostStack stack = random_stack(random);
    std::vector<SentMessage> messages;
    std::uint64_t beyond = 0;
    for (int i = random.between(1, 30); i > 0; --i) {
      const int source = random.between(0, 7), destination = (source + random.between(1, 7)) % 8;
      messages.push_back({source, destination, static_cast<std::uint64_t>(random.between(0, 200'000)),
                          random.between(0, 20) * 1'000'000});
      if (source / stack.npus_per_host != destination / stack.npus_per_host) beyond += messages.back().bytes;
    }
    const NetworkModel model = random.chance(50) ? &fluid_model : &link_model;
    const Outcome with = run(stack, messages, 8, model);
    Time end;
    for (const Time time : with.delivered) end = std::max(end, time);
    for (std::size_t i = 0; i < messages.size(); ++i) {
      const Time alone = run({}, {messages[i]}, 8, model).delivered[0];
      ASSERT_GE(with.delivered[i], alone) << "seed " << seed;
    }
    std::uint64_t on_cores = 0;
    for (const LinkUse& link : with.links) {
      ASSERT_LE(link.busy.ps(), end.ps() + 1000) << link.from << " to " << link.to << ", seed " << seed;
      if (link.to.ends_with(".cores")) on_cores += link.links * link.load.bytes.count();
    }
    const bool copies = stack.copying.bytes_per_ns() > 0;
    if (copies) {
      ASSERT_EQ(on_cores, 2 * beyond) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace orrery::core::host_stack_transport_test
