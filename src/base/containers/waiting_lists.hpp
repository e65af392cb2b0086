// Keeps what waits for its counterpart, such as messages that wait for their receives, in lists, oldest
// first. Whoever owns the lists says which list a thing belongs to, so that lists are short.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/containers/numbered.hpp"

namespace orrery::core {

// `Entry` has a member `next` that is the number of an entry, and that is for these lists alone. The entries
// are kept by their owner, and several objects may share them.
template <class Entry>
class WaitingLists {
 public:
  static constexpr std::uint32_t none = 0xffffffff;

  explicit WaitingLists(std::size_t lists = 0) : heads_(lists, none) {}

  // Makes so many empty lists and forgets all that were there.
  void reset(std::size_t lists) { heads_.assign(lists, none); }
  std::size_t size() const { return heads_.size(); }

  // Takes the oldest entry of a list for which `matches` holds out of the list, but not from its owner.
  // Returns none where there is none.
  template <class Matches>
  [[nodiscard]] std::uint32_t take(Numbered<Entry>& entries, std::size_t list, const Matches& matches) {
    for (std::uint32_t* link = &heads_[list]; *link != none; link = &entries[*link].next) {
      if (!matches(entries[*link])) continue;
      const std::uint32_t found = *link;
      *link = std::exchange(entries[found].next, none);
      return found;
    }
    return none;
  }

  // Puts an entry behind the others of a list.
  void append(Numbered<Entry>& entries, std::size_t list, std::uint32_t entry) {
    entries[entry].next = none;
    std::uint32_t* link = &heads_[list];
    while (*link != none) link = &entries[*link].next;
    *link = entry;
  }

  // Calls visit(number) for each entry of each list, the older ones of a list first. `visit` may change the
  // entry's `next`.
  template <class Visit>
  void for_each(const Numbered<Entry>& entries, const Visit& visit) const {
    for (const std::uint32_t head : heads_) {
      for (std::uint32_t entry = head; entry != none;) {
        const std::uint32_t next = entries[entry].next;
        visit(entry);
        entry = next;
      }
    }
  }

 private:
  std::vector<std::uint32_t> heads_;  // the oldest entry of each list
};

}  // namespace orrery::core
