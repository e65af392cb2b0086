// Keeps queues of messages, first in, first out, for the few of a million links that have a queue at a time.
//
// The messages of a line lie side by side, in the order in which they will be taken, so that millions that
// wait are written and read in sequence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace orrery {

template <class Message>
class MessageLines {
 public:
  // Returns the number of an empty line, which must be closed when it is empty again.
  std::uint32_t open() {
    if (closed_.empty()) {
      lines_.emplace_back();
      return static_cast<std::uint32_t>(lines_.size() - 1);
    }
    const std::uint32_t line = closed_.back();
    closed_.pop_back();
    return line;
  }
  void close(std::uint32_t line) { closed_.push_back(line); }

  bool empty(std::uint32_t line) const { return lines_[line].messages.empty(); }
  void append(std::uint32_t line, const Message& message) { lines_[line].messages.push_back(message); }
  // Takes the first message of a line. Requires that the line is not empty.
  [[nodiscard]] Message take_first(std::uint32_t line) {
    auto& [messages, first] = lines_[line];
    const Message message = messages[first++];
    // The taken messages are erased when they are at least half of the line, so a message moves once on
    // average.
    if (2 * first >= messages.size()) {
      messages.erase(messages.begin(), messages.begin() + static_cast<std::ptrdiff_t>(first));
      first = 0;
    }
    return message;
  }

 private:
  struct Line {
    std::vector<Message> messages;
    std::size_t first = 0;
  };

  std::vector<Line> lines_;
  std::vector<std::uint32_t> closed_;
};

}  // namespace orrery
