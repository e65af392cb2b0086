// A heap of many small items, the first one at its top.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace orrery::core {

// Items have a key() by which they are ordered. Each has four below it, so that few have to move. Nobody can
// foretell which of the four comes first, so that it costs less to choose without a branch than to have the
// processor guess.
template <class Item>
class WideHeap {
 public:
  bool empty() const { return items_.empty(); }
  std::size_t size() const { return items_.size(); }
  // Returns the first item, of which there must be one.
  const Item& first() const { return items_[0]; }

  void push(const Item& item) {
    std::size_t hole = items_.size();
    items_.push_back(item);
    const Key key = item.key();
    while (hole > 0) {
      const std::size_t above = (hole - 1) / children;
      if (items_[above].key() < key) break;
      items_[hole] = items_[above];
      hole = above;
    }
    items_[hole] = item;
  }

  // Takes the first item, of which there must be one.
  [[nodiscard]] Item pop() {
    const Item first = items_[0], last = items_.back();
    items_.pop_back();
    if (!items_.empty()) sink(last);
    return first;
  }

 private:
  using Key = decltype(std::declval<const Item&>().key());
  static constexpr std::size_t children = 4;

  // Puts an item in the place of the first one.
  void sink(const Item& item) {
    const Key key = item.key();
    const std::size_t size = items_.size();
    std::size_t hole = 0;
    for (std::size_t below = 1; below < size; below = hole * children + 1) {
      const std::size_t end = below + children < size ? below + children : size;
      std::size_t least = below;
      Key min_key = items_[below].key();
      for (std::size_t i = below + 1; i < end; ++i) {
        const Key other = items_[i].key();
        const bool is_less = __builtin_expect_with_probability(other < min_key, 1, 0.5);
        least = is_less ? i : least;
        min_key = is_less ? other : min_key;
      }
      if (key < min_key) break;
      items_[hole] = items_[least];
      hole = least;
    }
    items_[hole] = item;
  }

  std::vector<Item> items_;
};

}  // namespace orrery::core
