#include "collective/messages/messenger.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "collective/phase/handshake.hpp"

namespace orrery::core {

namespace {
std::uint64_t hash_of(const MessageKey& key) {
  std::uint64_t h = key.tag * 0x9e3779b97f4a7c15ull;
  h = (h ^ (h >> 29) ^ ((std::uint64_t{key.source.value()} << 32) | key.destination.value())) *
      0xbf58476d1ce4e5b9ull;
  h = (h ^ (h >> 32) ^ key.bytes.count()) * 0x94d049bb133111ebull;
  return h ^ (h >> 31);
}
}  // namespace

Messenger::Messenger(EventLoop& loop, Transport& transport, bool rendezvous, bool holds_back)
    : loop_(loop),
      transport_(transport),
      rendezvous_(rendezvous),
      holds_back_(holds_back && !rendezvous),
      handler_(loop.add_handler(*this)),
      lists_(1024) {}

std::size_t Messenger::list_of(const MessageKey& key) const {
  return hash_of(key) & (lists_.size() - 1);
}

std::uint32_t Messenger::counterpart(const MessageKey& key, bool is_send) {
  const std::uint32_t found = lists_.take(pool_, list_of(key), [&](const Message& message) {
    return message.is_send == is_send && message.key == key;
  });
  if (found != none) --waiting_;
  return found;
}

void Messenger::wait(std::uint32_t message, bool is_send) {
  if (++waiting_ > lists_.size()) grow();
  pool_[message].is_send = is_send;
  lists_.append(pool_, list_of(pool_[message].key), message);
}

// Makes the table larger. Messages with the same key stay in order.
void Messenger::grow() {
  const WaitingLists<Message> old = std::exchange(lists_, WaitingLists<Message>(lists_.size() * 4));
  old.for_each(pool_,
               [&](std::uint32_t message) { lists_.append(pool_, list_of(pool_[message].key), message); });
}

// With rendezvous the receiver's handshake comes first, under a tag of its own.
void Messenger::send(const MessageKey& key, const Event& sent) {
  if (!rendezvous_) {
    transmit(key, sent);
    return;
  }
  const std::uint32_t held = pool_.keep({key, sent});
  post({key.tag + handshake_tags, key.destination, key.source, handshake_bytes},
       Event{handler_, may_send, 0, held, 0});
}

void Messenger::send(const MessageKey& key, const MessageLoad& load, const Event& sent) {
  const std::uint32_t message = under_way(key, sent);
  ++messages_;
  transport_.send_on(load.channel, load.source, load.destination, load.bytes,
                     Event{handler_, delivered, 0, message, 0});
}

void Messenger::send_when_awaited(const MessageKey& key) {
  if (!holds_back_) return send(key, ignored());
  std::uint32_t message = counterpart(key, false);
  if (message != none) {
    pool_[message].bound = true;
    pool_[message].sent = ignored();
    carry(message);
    return;
  }
  message = pool_.keep({key, ignored()});
  pool_[message].held = true;
  wait(message, true);
}

void Messenger::receive(const MessageKey& key, const Event& received) {
  if (!rendezvous_) {
    post(key, received);
    return;
  }
  const std::uint32_t held = pool_.keep({key, {}, received});
  transmit({key.tag + handshake_tags, key.destination, key.source, handshake_bytes},
           Event{handler_, may_receive, 0, held, 0});
}

void Messenger::carry(std::uint32_t message) {
  ++messages_;
  const MessageKey& key = pool_[message].key;
  transport_.send(npu_of(simulated_of(key.source)), npu_of(simulated_of(key.destination)), key.bytes,
                  Event{handler_, delivered, 0, message, 0});
}

std::uint32_t Messenger::under_way(const MessageKey& key, const Event& sent) {
  std::uint32_t message = counterpart(key, false);
  if (message == none) {
    message = pool_.keep({key});
    wait(message, true);
  } else {
    pool_[message].bound = true;
  }
  pool_[message].sent = sent;
  return message;
}

void Messenger::transmit(const MessageKey& key, const Event& sent) {
  carry(under_way(key, sent));
}

void Messenger::post(const MessageKey& key, const Event& received) {
  if (take(key, received) == Received::already) loop_.after(0, received);
}

Received Messenger::take(const MessageKey& key, const Event& received) {
  const std::uint32_t message = counterpart(key, true);
  if (message == none) {
    wait(pool_.keep({key, {}, received}), false);
    return Received::later;
  }
  if (pool_[message].arrived) {
    pool_.take(message);
    return Received::already;
  }
  pool_[message].bound = true;
  pool_[message].received = received;
  if (std::exchange(pool_[message].held, false)) carry(message);
  return Received::later;
}

void Messenger::handle(const Event& event) {
  if (event.what == nothing) return;
  const std::uint32_t number = event.object;
  const Message message = pool_[number];
  switch (event.what) {
    case delivered:
      // The sender learns of the arrival first, because what it does then may match this very message.
      pool_[number].arrived = true;
      if (message.bound) pool_.take(number);
      loop_.dispatch(message.sent);
      if (message.bound) loop_.dispatch(message.received);
      break;
    case may_send:
      pool_.take(number);
      transmit(message.key, message.sent);
      break;
    case may_receive:
      pool_.take(number);
      post(message.key, message.received);
      break;
    default:
      break;
  }
}

std::vector<Messenger::Unmatched> Messenger::unmatched() const {
  std::vector<Unmatched> found;
  lists_.for_each(pool_, [&](std::uint32_t message) {
    found.push_back({pool_[message].key, pool_[message].is_send});
  });
  std::stable_sort(found.begin(), found.end(), [](const Unmatched& a, const Unmatched& b) {
    return std::tie(a.key.source, a.key.destination, a.key.tag, a.key.bytes) <
           std::tie(b.key.source, b.key.destination, b.key.tag, b.key.bytes);
  });
  return found;
}

}  // namespace orrery::core
