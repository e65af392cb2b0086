#include "collective/messages/mailbox.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <tuple>

#include "base/random.hpp"

namespace orrery::core::mailbox_test {
namespace {

constexpr auto none = MailPool::none;

class MailboxTest : public testing::Test {
 protected:
  MailboxTest() { mailbox.reset(4, 3); }

  // The `finish` of the send that was waiting; -1: none was.
  Stamp receive(std::uint32_t receiver, std::uint32_t source, std::uint64_t bytes, std::uint8_t channel = 0) {
    const auto found =
        mailbox.match(pool, RankId(receiver), {false, channel, 0, RankId(source), Bytes(bytes), 0, 0, none});
    return found == none ? -1 : pool.take(found).finish;
  }
  // The `extra` of the receive that was waiting; none: none was.
  std::uint32_t send(std::uint32_t receiver, std::uint32_t source, std::uint64_t bytes, Stamp finish,
                     std::uint8_t channel = 0) {
    const auto found = mailbox.match(pool, RankId(receiver),
                                     {true, channel, 0, RankId(source), Bytes(bytes), finish, 0, none});
    return found == none ? none : pool.take(found).extra;
  }
  void post(std::uint32_t receiver, std::uint32_t source, std::uint64_t bytes, std::uint32_t extra) {
    EXPECT_EQ(
        mailbox.match(pool, RankId(receiver), {false, 0, 0, RankId(source), Bytes(bytes), 0, extra, none}),
        none);
  }

  MailPool pool;
  Mailbox mailbox;
};

TEST_F(MailboxTest, GivesSendsOfOneKeyInTheirOrder) {
  for (Stamp finish : {10, 20, 30}) EXPECT_EQ(send(1, 2, 64, finish), none);
  EXPECT_EQ(receive(1, 2, 64), 10);
  EXPECT_EQ(receive(1, 2, 64), 20);
  EXPECT_EQ(receive(1, 2, 64), 30);
  EXPECT_EQ(receive(1, 2, 64), -1);
}

TEST_F(MailboxTest, GivesReceivesOfOneKeyInTheirOrder) {
  post(1, 2, 64, 7);
  post(1, 2, 64, 8);
  EXPECT_EQ(send(1, 2, 64, 10), 7u);
  EXPECT_EQ(send(1, 2, 64, 10), 8u);
  EXPECT_EQ(send(1, 2, 64, 10), none);
}

TEST_F(MailboxTest, DoesNotMixKeys) {
  EXPECT_EQ(send(1, 2, 64, 10), none);
  EXPECT_EQ(receive(0, 2, 64), -1);     // another receiver
  EXPECT_EQ(receive(1, 3, 64), -1);     // another source
  EXPECT_EQ(receive(1, 2, 65), -1);     // other bytes
  EXPECT_EQ(receive(1, 2, 64, 1), -1);  // another channel
  EXPECT_EQ(receive(1, 2, 64), 10);
}

TEST_F(MailboxTest, ForgetsEverythingAtAReset) {
  send(1, 2, 64, 10);
  mailbox.reset(4, 1);
  EXPECT_EQ(receive(1, 2, 64), -1);
}

// Against a queue per key, with few lists per receiver and entries that are recycled all the time.
TEST_F(MailboxTest, AgreesWithAQueuePerKey) {
  for (std::uint32_t lists : {1u, 2u, 7u}) {
    Random random(lists);
    pool = MailPool();
    mailbox.reset(4, lists);
    struct Pending {
      bool is_send;
      std::uint32_t number;
    };
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>, std::deque<Pending>> model;
    for (std::uint32_t number = 0; number < 5'000; ++number) {
      const auto receiver = static_cast<std::uint32_t>(random.between(0, 3));
      const auto source = static_cast<std::uint32_t>(random.between(0, 9));
      const auto bytes = static_cast<std::uint64_t>(random.between(0, 1));
      const bool is_send = random.chance(50);
      const auto found = mailbox.match(pool, RankId(receiver),
                                       {is_send, 0, 0, RankId(source), Bytes(bytes), 0, number, none});
      auto& pending = model[{receiver, source, bytes}];
      if (pending.empty() || pending.front().is_send == is_send) {
        ASSERT_EQ(found, none);
        pending.push_back({is_send, number});
      } else {
        ASSERT_NE(found, none);
        ASSERT_EQ(pool[found].extra, pending.front().number);
        pending.pop_front();
        pool.take(found);
      }
    }
  }
}

}  // namespace
}  // namespace orrery::core::mailbox_test
