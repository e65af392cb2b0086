#include "collective/streams/messenger.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "collective/phase/handshake.hpp"

namespace orrery {

namespace {
std::uint64_t hash_of(const MessageKey& key) {
  std::uint64_t h = key.tag * 0x9e3779b97f4a7c15ull;
  h = (h ^ (h >> 29) ^ ((std::uint64_t{key.source} << 32) | key.destination)) * 0xbf58476d1ce4e5b9ull;
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
      lists_(1024, none) {}

std::uint32_t& Messenger::list_of(const MessageKey& key) {
  return lists_[hash_of(key) & (lists_.size() - 1)];
}

std::uint32_t Messenger::take(const MessageKey& key, bool is_send) {
  for (std::uint32_t* link = &list_of(key); *link != none; link = &pool_[*link].next) {
    Message& message = pool_[*link];
    if (message.is_send != is_send || !(message.key == key)) continue;
    const std::uint32_t found = *link;
    *link = message.next;
    message.next = none;
    --waiting_;
    return found;
  }
  return none;
}

void Messenger::wait(std::uint32_t message, bool is_send) {
  if (++waiting_ > lists_.size()) grow();
  pool_[message].is_send = is_send;
  append(message);
}

void Messenger::append(std::uint32_t message) {
  std::uint32_t* link = &list_of(pool_[message].key);
  while (*link != none) link = &pool_[*link].next;
  *link = message;
}

// Makes the table larger. Messages with the same key stay in order.
void Messenger::grow() {
  const std::vector<std::uint32_t> old =
      std::exchange(lists_, std::vector<std::uint32_t>(lists_.size() * 4, none));
  for (std::uint32_t message : old) {
    while (message != none) {
      const std::uint32_t next = std::exchange(pool_[message].next, none);
      append(message);
      message = next;
    }
  }
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

void Messenger::send_when_awaited(const MessageKey& key) {
  if (!holds_back_) return send(key, ignored());
  std::uint32_t message = take(key, false);
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
  transport_.send(static_cast<int>(key.source), static_cast<int>(key.destination), key.bytes,
                  Event{handler_, delivered, 0, message, 0});
}

void Messenger::transmit(const MessageKey& key, const Event& sent) {
  std::uint32_t message = take(key, false);
  if (message == none) {
    message = pool_.keep({key});
    wait(message, true);
  } else {
    pool_[message].bound = true;
  }
  pool_[message].sent = sent;
  carry(message);
}

void Messenger::post(const MessageKey& key, const Event& received) {
  const std::uint32_t message = take(key, true);
  if (message == none) {
    wait(pool_.keep({key, {}, received}), false);
    return;
  }
  if (pool_[message].arrived) {
    pool_.take(message);
    loop_.after(0, received);
    return;
  }
  pool_[message].bound = true;
  pool_[message].received = received;
  if (std::exchange(pool_[message].held, false)) carry(message);
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
  for (std::uint32_t message : lists_) {
    for (; message != none; message = pool_[message].next)
      found.push_back({pool_[message].key, pool_[message].is_send});
  }
  std::stable_sort(found.begin(), found.end(), [](const Unmatched& a, const Unmatched& b) {
    return std::tie(a.key.source, a.key.destination, a.key.tag, a.key.bytes) <
           std::tie(b.key.source, b.key.destination, b.key.tag, b.key.bytes);
  });
  return found;
}

}  // namespace orrery
