// Adds up the times of messages by their sizes, so that millions of messages need no more room than a few.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/units/bytes.hpp"
#include "base/units/time.hpp"

namespace orrery::core {

// A class of messages with sizes between two powers of two.
struct MessageClass {
  Bytes from, to;  // `to` is the first size that is not in it
  std::uint64_t messages = 0;
  double took_ns = 0;    // sum over all
  Time longest;          // longest time of one message
  double slowdowns = 0;  // sum over all
  double largest_slowdown = 0;
  Bytes resent;
};

class MessageTimes {
 public:
  void add(Bytes bytes, Time took, Time alone, Bytes resent) {
    MessageClass& of = classes_[static_cast<std::size_t>(std::bit_width(bytes.count()))];
    const double slowdown = alone > Time() ? took.ns() / alone.ns() : 1;
    ++of.messages;
    of.took_ns += took.ns();
    of.longest = std::max(of.longest, took);
    of.slowdowns += slowdown;
    of.largest_slowdown = std::max(of.largest_slowdown, slowdown);
    of.resent += resent;
  }

  // Returns the classes that have messages, by size.
  std::vector<MessageClass> classes() const {
    std::vector<MessageClass> classes;
    for (std::size_t i = 0; i < classes_.size(); ++i) {
      if (classes_[i].messages == 0) continue;
      MessageClass& of = classes.emplace_back(classes_[i]);
      of.from = Bytes(i == 0 ? 0 : std::uint64_t{1} << (i - 1));
      of.to = Bytes(std::uint64_t{1} << i);
    }
    return classes;
  }

 private:
  static constexpr std::size_t sizes = 64;  // sizes of a message, which is below 2^63 bytes
  std::array<MessageClass, sizes> classes_{};
};

}  // namespace orrery::core
