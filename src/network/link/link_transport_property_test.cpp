// Tests what holds in every random run of the link network.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <deque>
#include <map>
#include <set>

#include "base/random.hpp"
#include "network/analytical/contention_free_transport.hpp"
#include "network/link/link_transport.hpp"
#include "support/sent_messages.hpp"

namespace orrery::core::link_transport_property_test {
namespace {

int cases() {
  return std::getenv("ORRERY_TEST_LONG") ? 20'000 : 300;
}

Dialect dialect(bool whole_nanoseconds) {
  Dialect made;
  made.whole_nanoseconds = whole_nanoseconds;
  made.one_link_per_message = true;
  made.stores_and_forwards = true;
  return made;
}

Topology random_topology(Random& random, const std::vector<Block>& blocks) {
  Topology topology;
  const int dimensions = random.between(1, 3);
  for (int d = 0; d < dimensions; ++d) {
    Dimension dimension;
    dimension.block = random.pick(blocks);
    dimension.size = random.between(2, 6);
    dimension.link_bandwidth = Bandwidth::from_gib_per_s(random.between(1, 40) / 4.0);
    dimension.link_latency_ns = random.chance(30) ? 0 : random.between(0, 3000) / 7.0;
    topology.dimensions.push_back(dimension);
  }
  return topology;
}

// Few different sizes and times, so that much falls into the same instant.
std::vector<SentMessage> random_messages(Random& random, const Topology& topology) {
  std::vector<SentMessage> messages;
  const int count = random.between(1, 200);
  for (int i = 0; i < count; ++i) {
    const int source = random.between(0, topology.npus() - 1);
    const int other = random.between(0, topology.npus() - 2);
    const auto bytes = static_cast<std::uint64_t>(random.between(1, 4) * 500);
    messages.push_back({source, other < source ? other : other + 1, bytes, random.between(0, 3) * 250'000});
  }
  return messages;
}

template <class SomeTransport>
std::vector<Delivery> deliveries(const Topology& topology, bool whole_nanoseconds,
                                 const std::vector<SentMessage>& messages) {
  SentMessages sent;
  SomeTransport transport(topology, dialect(whole_nanoseconds), sent.loop);
  for (const SentMessage& message : messages) sent.add(message);
  return sent.run(transport);
}

// The store-and-forward rules of docs/models/network-link.md, Queues, in their simplest form: routes are
// lists and links are known by their ends.
class WordByWord {
 public:
  WordByWord(const Topology& topology, bool whole_nanoseconds)
      : topology_(topology), whole_nanoseconds_(whole_nanoseconds) {}

  std::vector<Delivery> run(const std::vector<SentMessage>& messages) {
    for (std::size_t m = 0; m < messages.size(); ++m) {
      messages_.push_back({route(messages[m].source, messages[m].destination), messages[m].bytes});
      schedule(messages[m].at_ps, [this, m] { forward(m); });
    }
    while (!events_.empty()) {
      const auto next = events_.begin();
      now_ = next->first;
      const auto run = next->second;
      events_.erase(next);
      run();
    }
    return deliveries_;
  }

 private:
  struct Hop {
    int from, to;
    std::size_t dimension;
  };
  struct Message {
    std::deque<Hop> route;
    std::uint64_t bytes;
  };
  struct Wire {
    bool busy = false;
    std::deque<std::size_t> fifo;
  };

  // A switch is numbered by the lowest NPU of its group, below zero, as only its identity matters here.
  std::deque<Hop> route(int source, int destination) const {
    std::deque<Hop> route;
    int stride = 1, at = source;
    for (std::size_t d = 0; d < topology_.dimensions.size(); ++d) {
      const int n = topology_.dimensions[d].size;
      const int from = source / stride % n, to = destination / stride % n;
      const int goal = at + (to - from) * stride;
      const int middle = -1 - (at - from * stride) - topology_.npus() * static_cast<int>(d);
      if (from != to) switch (topology_.dimensions[d].block) {
          case Block::fully_connected:
            route.push_back({at, goal, d});
            break;
          case Block::switched:
            route.push_back({at, middle, d});
            route.push_back({middle, goal, d});
            break;
          case Block::ring: {
            const int step = (from - to + n) % n < (to - from + n) % n ? n - 1 : 1;
            for (int x = from; x != to; x = (x + step) % n)
              route.push_back({at + (x - from) * stride, at + ((x + step) % n - from) * stride, d});
          }
        }
      at = goal;
      stride *= n;
    }
    return route;
  }

  std::int64_t ps(double ns) const {
    return whole_nanoseconds_ ? static_cast<std::int64_t>(ns) * 1000
                              : static_cast<std::int64_t>(std::floor(ns * 1000 + 0.5));
  }
  void schedule(std::int64_t at, std::function<void()> event) { events_.emplace(at, std::move(event)); }

  Wire& wire(const Hop& hop) { return wires_[{hop.from, hop.to}]; }
  void forward(std::size_t m) {
    Wire& link = wire(messages_[m].route.front());
    if (link.busy)
      link.fifo.push_back(m);
    else
      start(link, m);
  }
  void start(Wire& link, std::size_t m) {
    const Dimension& dimension = topology_.dimensions[messages_[m].route.front().dimension];
    const double serialisation =
        static_cast<double>(messages_[m].bytes) / dimension.link_bandwidth.bytes_per_ns();
    link.busy = true;
    schedule(now_ + ps(dimension.link_latency_ns + serialisation), [this, m] {
      messages_[m].route.pop_front();
      if (messages_[m].route.empty())
        deliveries_.push_back({m, now_});
      else
        forward(m);
    });
    schedule(now_ + ps(serialisation), [this, &link] {
      link.busy = false;
      if (link.fifo.empty()) return;
      const std::size_t next = link.fifo.front();
      link.fifo.pop_front();
      start(link, next);
    });
  }

  const Topology& topology_;
  bool whole_nanoseconds_;
  std::int64_t now_ = 0;
  std::multimap<std::int64_t, std::function<void()>> events_;  // equal times in the order of insertion
  std::vector<Message> messages_;
  std::map<std::pair<int, int>, Wire> wires_;
  std::vector<Delivery> deliveries_;
};

const std::vector<Block> all_blocks{Block::ring, Block::fully_connected, Block::switched};

TEST(LinkTransportProperty, DoesWhatTheTextSays) {
  for (int seed = 0; seed < cases(); ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const Topology topology = random_topology(random, all_blocks);
    const std::vector<SentMessage> messages = random_messages(random, topology);
    const bool whole = random.chance(50);
    const std::vector<Delivery> got = deliveries<LinkTransport>(topology, whole, messages);
    ASSERT_EQ(got, WordByWord(topology, whole).run(messages)) << "seed " << seed;
    ASSERT_EQ(got, deliveries<LinkTransport>(topology, whole, messages)) << "seed " << seed;
  }
}

// Each link carries one message, and each message takes one hop.
TEST(LinkTransportProperty, NeighboursThatShareNothingTakeTheTimeWithoutContention) {
  for (int seed = 0; seed < cases(); ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const Topology topology = random_topology(random, {Block::ring, Block::fully_connected});
    const std::vector<LogicalDimension> dimensions = logical_dimensions(topology);
    std::set<std::pair<int, int>> used;
    std::vector<SentMessage> messages;
    for (int i = 0; i < 100; ++i) {
      const LogicalDimension& d = random.pick(dimensions);
      const int source = random.between(0, topology.npus() - 1);
      const bool ring = topology.dimensions[static_cast<std::size_t>(d.physical)].block == Block::ring;
      const int step = !ring ? random.between(1, d.size - 1) : random.chance(50) ? 1 : d.size - 1;
      const int destination = d.base(source) + (d.position(source) + step) % d.size * d.stride;
      if (used.emplace(source, destination).second)
        messages.push_back({source, destination, static_cast<std::uint64_t>(random.between(1, 100'000)),
                            random.between(0, 1000) * 1000});
    }
    const bool whole = random.chance(50);
    EXPECT_EQ(deliveries<LinkTransport>(topology, whole, messages),
              deliveries<ContentionFreeTransport>(topology, whole, messages))
        << "seed " << seed;
  }
}

// Whatever waits for whatever: every byte passes as many links as its message has hops.
TEST(LinkTransportProperty, LinksCarryWhatWasSent) {
  for (int seed = 0; seed < cases(); ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const Topology topology = random_topology(random, all_blocks);
    SentMessages sent;
    LinkTransport transport(topology, dialect(false), sent.loop);
    std::uint64_t expected = 0, carried = 0;
    for (const SentMessage& message : random_messages(random, topology)) {
      sent.add(message);
      for (const LogicalDimension& d : logical_dimensions(topology))
        if (const int a = d.position(message.source), b = d.position(message.destination); a != b)
          expected +=
              message.bytes * static_cast<std::uint64_t>(
                                  topology.dimensions[static_cast<std::size_t>(d.physical)].hops(a, b));
    }
    sent.run(transport);
    for (const LinkUse& link : transport.links(sent.loop.time())) {
      carried += link.load.bytes.count() * link.links;
      EXPECT_LE(link.busy, sent.loop.time());
    }
    EXPECT_EQ(carried, expected) << "seed " << seed;
  }
}

}  // namespace
}  // namespace orrery::core::link_transport_property_test
