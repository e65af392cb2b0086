// Matches sends with receives within one phase: first in, first out per (source, destination, lane,
// bytes).
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "base/containers/waiting_lists.hpp"
#include "base/units/bytes.hpp"
#include "base/units/rank_id.hpp"
#include "events/clock.hpp"

namespace orrery::core {

struct MailEntry {
  bool is_send;
  std::uint8_t channel;
  std::uint16_t lane;
  RankId source;
  Bytes bytes;
  Stamp finish;         // arrival time; sends only
  std::uint32_t extra;  // receives only: the index by which the owner knows it
  std::uint32_t next;
};

// The entries of all mailboxes.
struct MailPool : Numbered<MailEntry> {
  static constexpr std::uint32_t none = WaitingLists<MailEntry>::none;
};

// Pending sends and receives of every member of a phase. A receiver has several short lists, by source.
class Mailbox {
 public:
  // Each receiver has so many lists: about as many as messages may be under way to it at a time.
  void reset(std::uint32_t receivers, std::uint32_t lists) {
    list_bits_ = static_cast<std::uint32_t>(std::bit_width(lists - 1));
    lists_.reset(static_cast<std::size_t>(receivers) << list_bits_);
  }

  // Takes the oldest pending counterpart of `entry` for `receiver`. If there is none, `entry` is stored and
  // none is returned. The caller takes what it gets out of the pool.
  [[nodiscard]] std::uint32_t match(MailPool& pool, RankId receiver, const MailEntry& entry) {
    const std::uint32_t found = take(pool, receiver, entry);
    if (found == MailPool::none) store(pool, receiver, entry);
    return found;
  }

  // Does the same as match(), but stores nothing.
  [[nodiscard]] std::uint32_t take(MailPool& pool, RankId receiver, const MailEntry& entry) {
    return lists_.take(pool, list_of(receiver, entry.source), [&](const MailEntry& other) {
      return other.is_send != entry.is_send && other.source == entry.source && other.bytes == entry.bytes &&
             other.channel == entry.channel && other.lane == entry.lane;
    });
  }

  // Adds an entry that has no counterpart yet.
  void store(MailPool& pool, RankId receiver, const MailEntry& entry) {
    lists_.append(pool, list_of(receiver, entry.source), pool.keep(entry));
  }

 private:
  std::size_t list_of(RankId receiver, RankId source) const {
    const std::uint64_t list = (source.value() * 0x9e3779b1ull & 0xffffffff) >> (32 - list_bits_);
    return (receiver.index() << list_bits_) + list;
  }

  WaitingLists<MailEntry> lists_;
  std::uint32_t list_bits_ = 0;
};

}  // namespace orrery::core
