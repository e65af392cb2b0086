// The expected orders follow from docs/models/chunk-flow.md, Queues.
#include "collective/flow/chunk_queue.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace orrery::core::chunk_queue_test {
namespace {

using enum CollectiveKind;
using Item = ChunkQueue::Item;

std::vector<std::uint32_t> order_of(const ChunkQueue& queue) {
  std::vector<std::uint32_t> chunks;
  for (const Item& item : queue.items()) chunks.push_back(item.chunk);
  return chunks;
}

using Chunks = std::vector<std::uint32_t>;

// The order of chunks 0, 1, 2, ... inserted one after the other.
Chunks order(QueueOrder policy, std::vector<Item> items) {
  ChunkQueue queue;
  for (std::uint32_t i = 0; i < items.size(); ++i) {
    items[i].chunk = i;
    queue.insert(items[i], policy);
  }
  return order_of(queue);
}

Item with_priority(int priority, CollectiveKind kind = reduce_scatter) {
  return {0, priority, Bytes(100), kind, 0};
}
Item of_size(std::uint64_t bytes, CollectiveKind kind = reduce_scatter) {
  return {0, 0, Bytes(bytes), kind, 0};
}
Item with_phases_left(std::uint16_t left, CollectiveKind kind = reduce_scatter) {
  return {0, 0, Bytes(100), kind, left};
}

TEST(ChunkQueue, FifoPutsHigherPrioritiesFirstAndEqualsBehind) {
  EXPECT_EQ(order(QueueOrder::fifo, {with_priority(1), with_priority(2), with_priority(1), with_priority(2)}),
            (Chunks{1, 3, 0, 2}));
}

TEST(ChunkQueue, SmallestFirstPutsEqualsInFront) {
  EXPECT_EQ(
      order(QueueOrder::smallest_first, {of_size(20), of_size(10), of_size(20), of_size(10), of_size(30)}),
      (Chunks{3, 1, 2, 0, 4}));
}

TEST(ChunkQueue, FewestPhasesLeftFirstPutsEqualsInFront) {
  EXPECT_EQ(order(QueueOrder::fewest_phases_left,
                  {with_phases_left(2), with_phases_left(1), with_phases_left(2), with_phases_left(3)}),
            (Chunks{1, 2, 0, 3}));
}

TEST(ChunkQueue, AllReducesAndAllToAllsAreAlwaysFifo) {
  for (CollectiveKind kind : {all_reduce, all_to_all}) {
    EXPECT_EQ(order(QueueOrder::smallest_first, {of_size(20, kind), of_size(10, kind)}), (Chunks{0, 1}));
    EXPECT_EQ(order(QueueOrder::fewest_phases_left, {with_phases_left(2, kind), with_phases_left(1, kind)}),
              (Chunks{0, 1}));
    EXPECT_EQ(order(QueueOrder::alternate_kinds, {with_priority(1, kind), with_priority(2, kind)}),
              (Chunks{1, 0}));
  }
  // Only the new chunk's kind matters.
  EXPECT_EQ(order(QueueOrder::smallest_first, {of_size(20, all_reduce), of_size(10, all_gather)}),
            (Chunks{1, 0}));
}

TEST(ChunkQueue, NobodyGoesBeforeAStartedChunk) {
  for (QueueOrder policy : {QueueOrder::fifo, QueueOrder::smallest_first, QueueOrder::fewest_phases_left}) {
    ChunkQueue queue;
    queue.insert({0, 0, Bytes(100), reduce_scatter, 5}, policy);
    ASSERT_EQ(queue.start_next(1), 0u);
    queue.insert({1, 0, Bytes(90), reduce_scatter, 4}, policy);
    queue.insert({2, 9, Bytes(1), reduce_scatter, 0}, policy);
    EXPECT_EQ(order_of(queue), (Chunks{0, 2, 1}));
  }
}

// The steps of docs/models/chunk-flow.md, Queues, one by one: the place of x among chunks that take turns by
// kind.
std::size_t alternating_place(std::span<const Item> list, const Item& x) {
  std::optional<CollectiveKind> last, last2;
  std::size_t i = 0;
  while (i < list.size()) {
    last2 = last;
    last = list[i].kind;
    if (list[i].started) {
      i += 1;
      if (i < list.size() && !list[i].started) {
        last2 = last;
        last = list[i].kind;
        i += 1;
      }
      continue;
    }
    if (list[i].priority > x.priority) {
      i += 1;
      continue;
    }
    if ((last == reduce_scatter && last2 == all_gather) || (last == all_gather && last2 == reduce_scatter)) {
      i += 1;
      continue;
    }
    break;
  }
  return i;
}

TEST(ChunkQueue, AlternatingLetsOneWaitBehindTheStartedAndSkipsPairs) {
  ChunkQueue queue;
  const auto insert = [&](std::uint32_t chunk, CollectiveKind kind) {
    queue.insert({chunk, 0, Bytes(1), kind, 0}, QueueOrder::alternate_kinds);
  };
  insert(0, reduce_scatter);
  queue.start_next(1);
  insert(1, reduce_scatter);  // RS* RS
  insert(2, all_gather);      // 1 stands directly behind the started one and stays: RS* RS AG
  EXPECT_EQ(order_of(queue), (Chunks{0, 1, 2}));
  insert(3, all_gather);  // RS, AG is a pair: behind it
  EXPECT_EQ(order_of(queue), (Chunks{0, 1, 2, 3}));
  insert(4, reduce_scatter);  // AG, AG is none: in front of the second
  EXPECT_EQ(order_of(queue), (Chunks{0, 1, 2, 4, 3}));
}

TEST(ChunkQueue, AlternatingFollowsItsDefinitionOnRandomQueues) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    ChunkQueue queue;
    for (std::uint32_t chunk = 0; chunk < 40; ++chunk) {
      const int slots = random.between(1, 3);
      if (random.chance(40)) queue.start_next(slots);
      if (!queue.items().empty() && queue.items()[0].started && random.chance(30)) {
        queue.remove(queue.items()[0].chunk);
        queue.free_slot();
      }
      const auto kind =
          random.pick<CollectiveKind>({reduce_scatter, all_gather, reduce_scatter, all_gather, all_reduce});
      const Item item{chunk, random.between(0, 2), Bytes(1), kind, 0};
      const bool policy_applies = kind == reduce_scatter || kind == all_gather;
      const std::size_t expected = alternating_place(queue.items(), item);
      queue.insert(item, QueueOrder::alternate_kinds);
      if (policy_applies) {
        ASSERT_EQ(queue.items()[expected].chunk, chunk) << "seed " << seed;
      }
    }
  }
}

// The rule read literally: before the first waiting chunk that does not stay ahead. The queue finds that
// place by bisection where all its chunks came in by the same rule.
TEST(ChunkQueue, FindsThePlaceThatScanningFinds) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    ChunkQueue queue;
    const bool mixed = random.chance(50);
    const auto order = random.pick<QueueOrder>(
        {QueueOrder::fifo, QueueOrder::smallest_first, QueueOrder::fewest_phases_left});
    for (std::uint32_t chunk = 0; chunk < 60; ++chunk) {
      if (random.chance(40)) queue.start_next(2);
      if (!queue.items().empty() && queue.items()[0].started && random.chance(40)) {
        queue.remove(queue.items()[0].chunk);
        queue.free_slot();
      }
      const auto kind = mixed && random.chance(40) ? all_reduce : all_gather;
      const Item item{chunk, random.between(0, 9), Bytes(static_cast<std::uint64_t>(random.between(0, 9))),
                      kind, static_cast<std::uint16_t>(random.between(0, 9))};
      const QueueOrder rule = kind == all_reduce ? QueueOrder::fifo : order;
      std::size_t expected = 0;
      for (const Item& other : queue.items()) {
        const bool stays = rule == QueueOrder::fifo             ? other.priority >= item.priority
                           : rule == QueueOrder::smallest_first ? other.input < item.input
                                                                : other.phases_left < item.phases_left;
        if (!other.started && !stays) break;
        ++expected;
      }
      queue.insert(item, order);
      ASSERT_EQ(queue.items()[expected].chunk, chunk) << "seed " << seed;
    }
  }
}

TEST(ChunkQueue, StartsAsManyAsThereAreSlots) {
  ChunkQueue queue;
  for (std::uint32_t chunk = 0; chunk < 4; ++chunk)
    queue.insert({chunk, 0, Bytes(1), all_reduce, 0}, QueueOrder::fifo);
  EXPECT_EQ(queue.start_next(2), 0u);
  EXPECT_EQ(queue.start_next(2), 1u);
  EXPECT_EQ(queue.start_next(2), std::nullopt);
  queue.remove(1);
  EXPECT_EQ(queue.start_next(2), std::nullopt);  // gone from the list, its slot not yet free
  queue.free_slot();
  EXPECT_EQ(queue.start_next(2), 2u);
  EXPECT_EQ(order_of(queue), (Chunks{0, 2, 3}));
}

TEST(ChunkQueue, StartsNothingWhenAllHaveStarted) {
  ChunkQueue queue;
  EXPECT_EQ(queue.start_next(3), std::nullopt);
  queue.insert({7, 0, Bytes(1), all_reduce, 0}, QueueOrder::fifo);
  EXPECT_EQ(queue.start_next(3), 7u);
  EXPECT_EQ(queue.start_next(3), std::nullopt);
}

// The last to come goes first or last, the first to have started leaves; copies go their own routes.
TEST(ChunkQueue, KeepsItsOrderWhateverComesAndLeaves) {
  Random random(1);
  ChunkQueue queue;
  std::vector<std::uint32_t> model;
  int running = 0;
  for (std::uint32_t chunk = 0; chunk < 20'000; ++chunk) {
    if (random.chance(chunk < 10'000 ? 60 : 40)) {
      const bool first = random.chance(50);
      const int priority = first ? static_cast<int>(chunk) : -static_cast<int>(chunk);
      queue.insert({chunk, priority, Bytes(1), all_reduce, 0}, QueueOrder::fifo);
      model.insert(first ? model.begin() + running : model.end(), chunk);
    } else if (running > 0) {
      queue.remove(model.front());
      queue.free_slot();
      model.erase(model.begin());
      --running;
    }
    if (queue.start_next(2)) ++running;
    ASSERT_EQ(order_of(queue), model) << chunk;
  }
  ChunkQueue copy = queue;
  EXPECT_EQ(copy, queue);
  copy.insert({20'000, 0, Bytes(1), all_reduce, 0}, QueueOrder::fifo);
  EXPECT_EQ(order_of(queue), model);
  EXPECT_NE(copy, queue);
}

}  // namespace
}  // namespace orrery::core::chunk_queue_test
