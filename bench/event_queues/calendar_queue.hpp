// Brown, "Calendar queues: a fast O(1) priority queue implementation for the simulation event set problem",
// CACM 1988.
//
// Tuned: events of equal stamp are one entry of their day, with a first-in-first-out list, so that ties cost
// nothing; a day's length is a power of two; and the lengths are chosen anew not only when the number of
// entries has doubled or halved but also when days turn out to be too short or too long.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "events/clock.hpp"
#include "events/event.hpp"

namespace orrery {

class CalendarQueue {
 public:
  CalendarQueue() : days_(least_days, none) {}

  void push(Stamp stamp, const Event& event) {
    const std::uint32_t node = new_node(stamp, event);
    insert(node);
    if (entries_ > 2 * days_.size()) rebuild(2 * days_.size());
  }

  bool pop(Stamp& stamp, Event& event) {
    if (entries_ == 0) return false;
    std::uint32_t& head = days_[find_first()];
    const std::uint32_t taken = head;
    Node& node = nodes_[taken];
    stamp = node.stamp;
    event = node.event;
    if (node.next == none) {
      head = node.later;
      --entries_;
    } else {
      head = node.next;
      nodes_[head].last = node.last;
      nodes_[head].later = node.later;
    }
    node.next = free_;
    free_ = taken;
    if (entries_ < days_.size() / 2 && days_.size() > least_days) {
      rebuild(days_.size() / 2);
    } else if (++operations_ >= std::max<std::size_t>(4096, entries_)) {
      if (steps_ > 3 * operations_) rebuild(days_.size());
      operations_ = steps_ = 0;
    }
    return true;
  }

 private:
  static constexpr std::uint32_t none = 0xffffffff;
  static constexpr std::size_t least_days = 16;
  struct Node {
    Stamp stamp;
    Event event;
    std::uint32_t next;   // of equal stamp
    std::uint32_t last;   // of equal stamp; kept in the first
    std::uint32_t later;  // the first of the next stamp of this day; kept in the first
  };

  std::uint32_t new_node(Stamp stamp, const Event& event) {
    std::uint32_t node = free_;
    if (node == none) {
      node = static_cast<std::uint32_t>(nodes_.size());
      nodes_.emplace_back();
    } else {
      free_ = nodes_[node].next;
    }
    nodes_[node] = {stamp, event, none, node, none};
    return node;
  }

  // `node` is the first of a stamp.
  void insert(std::uint32_t node) {
    const Stamp stamp = nodes_[node].stamp;
    std::uint32_t* link = &days_[static_cast<std::size_t>(stamp >> shift_) & (days_.size() - 1)];
    while (*link != none && nodes_[*link].stamp < stamp) {
      link = &nodes_[*link].later;
      ++steps_;
    }
    if (*link != none && nodes_[*link].stamp == stamp) {
      std::uint32_t& last = nodes_[*link].last;
      nodes_[last].next = node;
      last = nodes_[node].last;
      return;
    }
    nodes_[node].later = *link;
    *link = node;
    ++entries_;
  }

  // The place of the first day, from `today_` on, that has an event this year.
  std::size_t find_first() {
    for (std::size_t i = 0; i < days_.size(); ++i, ++today_) {
      const std::size_t place = static_cast<std::size_t>(today_) & (days_.size() - 1);
      if (days_[place] != none && nodes_[days_[place]].stamp >> shift_ == today_) return place;
      ++steps_;
    }
    Stamp first = -1;
    for (std::uint32_t head : days_) {
      if (head != none && (first < 0 || nodes_[head].stamp < first)) first = nodes_[head].stamp;
    }
    steps_ += days_.size();
    today_ = first >> shift_;
    return static_cast<std::size_t>(today_) & (days_.size() - 1);
  }

  void rebuild(std::size_t days) {
    heads_.clear();
    for (std::uint32_t head : days_) {
      for (; head != none; head = nodes_[head].later) heads_.push_back(head);
    }
    if (heads_.empty()) return;
    choose_length();
    days_.assign(days, none);
    entries_ = 0;
    for (std::uint32_t head : heads_) insert(head);
    operations_ = steps_ = 0;
  }

  // Brown's rule: three times the mean distance of the next 25 entries, outliers left out.
  void choose_length() {
    const auto sample = heads_.begin() + std::min<std::ptrdiff_t>(25, std::ssize(heads_));
    std::partial_sort(heads_.begin(), sample, heads_.end(),
                      [this](auto a, auto b) { return nodes_[a].stamp < nodes_[b].stamp; });
    const std::ptrdiff_t distances = sample - heads_.begin() - 1;
    const Stamp first = nodes_[heads_[0]].stamp;
    if (distances > 0) {
      const Stamp most = 2 * ((nodes_[*(sample - 1)].stamp - first) / distances + 1);
      Stamp sum = 0, count = 0;
      for (auto i = heads_.begin() + 1; i != sample; ++i) {
        const Stamp distance = nodes_[*i].stamp - nodes_[*(i - 1)].stamp;
        if (distance > most) continue;
        sum += distance;
        ++count;
      }
      shift_ =
          static_cast<int>(std::bit_width(static_cast<std::uint64_t>(3 * sum / std::max<Stamp>(count, 1))));
    }
    today_ = first >> shift_;
  }

  std::vector<Node> nodes_;
  std::uint32_t free_ = none;
  std::vector<std::uint32_t> days_;   // the first event of each; a power of two of them
  std::vector<std::uint32_t> heads_;  // only while rebuilding
  std::size_t entries_ = 0;           // different stamps
  std::size_t operations_ = 0, steps_ = 0;
  int shift_ = 10;  // a day is 2^shift_ long
  Stamp today_ = 0;
};

}  // namespace orrery
