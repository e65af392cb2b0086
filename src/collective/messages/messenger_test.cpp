#include "collective/messages/messenger.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <vector>

namespace orrery::core::messenger_test {
namespace {

// A transport on which every message takes a time of 10.
class TenTransport final : public Transport {
 public:
  explicit TenTransport(EventLoop& loop) : loop_(loop) {}
  void send(int, int, Bytes, const Event& delivered) override { loop_.after(10, delivered); }
  std::vector<LinkUse> links(Time) const override { return {}; }

 private:
  EventLoop& loop_;
};

// Sends and receives what it is told to, when it is told to, and writes down what it hears of.
class MessengerTest : public testing::Test, public EventHandler {
 protected:
  using Heard = std::vector<std::pair<Stamp, std::string>>;

  void handle(const Event& event) override {
    if (event.what == 0) {
      heard.emplace_back(loop.now(), names[event.object]);
    } else if (event.what == 1) {
      messenger.send(keys[event.object], note("sent " + names[event.object]));
    } else {
      messenger.receive(keys[event.object], note("received " + names[event.object]));
    }
  }
  Event note(const std::string& what) {
    names.push_back(what);
    keys.emplace_back();
    return {handler, 0, 0, static_cast<std::uint32_t>(names.size() - 1), 0};
  }
  void at(Stamp when, bool send, const std::string& name, std::uint64_t tag, std::uint64_t bytes) {
    names.push_back(name);
    keys.push_back({tag, ClassId(0), ClassId(1), Bytes(bytes)});
    loop.at(when, {handler, static_cast<std::uint16_t>(send ? 1 : 2), 0,
                   static_cast<std::uint32_t>(names.size() - 1), 0});
  }
  Heard run() {
    loop.run({});
    return heard;
  }

  EventLoop loop{Clock(Clock::Mode::picoseconds)};
  TenTransport transport{loop};
  Messenger messenger{loop, transport, false};
  std::uint16_t handler = loop.add_handler(*this);
  std::deque<std::string> names;
  std::deque<MessageKey> keys;
  Heard heard;
};

TEST_F(MessengerTest, BothHearOfTheDeliveryTheSenderFirst) {
  at(1, true, "a", 7, 100);
  at(5, false, "A", 7, 100);
  EXPECT_EQ(run(), (Heard{{11, "sent a"}, {11, "received A"}}));
}

TEST_F(MessengerTest, AReceiveThatComesLaterEndsAtOnce) {
  at(1, true, "a", 7, 100);
  at(50, false, "A", 7, 100);
  EXPECT_EQ(run(), (Heard{{11, "sent a"}, {50, "received A"}}));
}

TEST_F(MessengerTest, EqualKeysMatchInOrder) {
  at(1, true, "first", 7, 100);
  at(2, true, "second", 7, 100);
  at(3, false, "A", 7, 100);
  at(4, false, "B", 7, 100);
  EXPECT_EQ(run(), (Heard{{11, "sent first"}, {11, "received A"}, {12, "sent second"}, {12, "received B"}}));
}

TEST_F(MessengerTest, TagsAndSizesTellMessagesApart) {
  at(1, true, "a", 7, 100);
  at(1, false, "A", 8, 100);
  at(1, false, "B", 7, 101);
  EXPECT_EQ(run(), (Heard{{11, "sent a"}}));
  const auto left = messenger.unmatched();
  ASSERT_EQ(left.size(), 3u);
  EXPECT_TRUE(left[0].is_send);
  EXPECT_EQ(left[1].key.bytes, Bytes(101));
  EXPECT_EQ(left[2].key.tag, 8u);
}

TEST_F(MessengerTest, KeepsThousandsApart) {
  for (std::uint64_t tag = 0; tag < 5000; ++tag) at(1, true, "s" + std::to_string(tag), tag, 8);
  for (std::uint64_t tag = 5000; tag-- > 0;) at(2, false, "r" + std::to_string(tag), tag, 8);
  EXPECT_EQ(run().size(), 10'000u);
  EXPECT_TRUE(messenger.unmatched().empty());
}

TEST_F(MessengerTest, WhatIsHeldBackIsCarriedOnceItIsAwaited) {
  const auto heard_when = [&](bool holds_back) {
    EventLoop other{Clock(Clock::Mode::picoseconds)};
    TenTransport slow{other};
    Messenger with(other, slow, false, holds_back);
    struct Listener final : EventHandler {
      void handle(const Event& event) override {
        if (event.what == 1) return with.send_when_awaited(key);
        if (event.what == 2) return with.receive(key, Event{self, 3, 0, 0, 0});
        heard.push_back(other.now());
      }
      Listener(EventLoop& loop, Messenger& messenger)
          : other(loop), with(messenger), self(loop.add_handler(*this)) {}
      EventLoop& other;
      Messenger& with;
      std::uint16_t self;
      MessageKey key{7, ClassId(0), ClassId(1), Bytes(100)};
      std::vector<Stamp> heard;
    } listener(other, with);
    other.at(1, {listener.self, 1, 0, 0, 0});   // is sent before it is awaited
    other.at(50, {listener.self, 2, 0, 0, 0});  // at 50
    other.at(60, {listener.self, 2, 0, 0, 0});  // and the next one after that
    other.at(70, {listener.self, 1, 0, 0, 0});
    other.run({});
    EXPECT_EQ(with.messages(), 2u);
    return listener.heard;
  };
  EXPECT_EQ(heard_when(true), (std::vector<Stamp>{60, 80}));
  EXPECT_EQ(heard_when(false), (std::vector<Stamp>{50, 80}));
}

TEST_F(MessengerTest, RendezvousWaitsForTheReceiver) {
  EventLoop other{Clock(Clock::Mode::picoseconds)};
  TenTransport slow(other);
  Messenger with(other, slow, true);
  struct Ear final : EventHandler {
    explicit Ear(EventLoop& l) : loop(l) {}
    void handle(const Event& event) override { times[event.what] = loop.now(); }
    EventLoop& loop;
    Stamp times[2] = {0, 0};
  } ear(other);
  const std::uint16_t number = other.add_handler(ear);
  const MessageKey key{7, ClassId(0), ClassId(1), Bytes(100)};
  with.send(key, {number, 0, 0, 0, 0});
  with.receive(key, {number, 1, 0, 0, 0});
  other.run({});
  EXPECT_EQ(ear.times[0], 20);  // the handshake, then the message
  EXPECT_EQ(ear.times[1], 20);
  EXPECT_EQ(with.messages(), 2u);
}

}  // namespace
}  // namespace orrery::core::messenger_test
