// Finds the least of keys that change often.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace orrery::core {

// A binary heap of numbers, each with a key. A key that changes so little that the order stays takes a few
// steps. Of equal keys the one of the least number comes first.
template <class Key>
class NumberedHeap {
 public:
  bool empty() const { return items_.empty(); }
  std::uint32_t first() const { return items_.front().number; }
  Key least() const { return items_.front().key; }

  // Gives a number its key, whether or not it has had one.
  void set(std::uint32_t number, Key key) {
    if (number >= place_.size()) place_.resize(number + 1, none);
    std::uint32_t place = place_[number];
    if (place == none) {
      place = static_cast<std::uint32_t>(items_.size());
      items_.push_back({});
    }
    move({key, number}, place);
  }
  // Takes a number's key away if it has one.
  void remove(std::uint32_t number) {
    if (number >= place_.size() || place_[number] == none) return;
    const std::uint32_t place = std::exchange(place_[number], none);
    const Item last = items_.back();
    items_.pop_back();
    if (place < items_.size()) move(last, place);
  }

 private:
  static constexpr std::uint32_t none = 0xffffffff;
  struct Item {
    Key key;
    std::uint32_t number;
    bool operator<(const Item& other) const {
      return key != other.key ? key < other.key : number < other.number;
    }
  };

  void put(const Item& item, std::uint32_t place) {
    items_[place] = item;
    place_[item.number] = place;
  }
  // Puts an item where it belongs, from a place that is free on.
  void move(const Item& item, std::uint32_t place) {
    for (; place > 0 && item < items_[(place - 1) / 2]; place = (place - 1) / 2)
      put(items_[(place - 1) / 2], place);
    const auto size = static_cast<std::uint32_t>(items_.size());
    for (std::uint32_t child = 2 * place + 1; child < size; child = 2 * place + 1) {
      if (child + 1 < size && items_[child + 1] < items_[child]) ++child;
      if (!(items_[child] < item)) break;
      put(items_[child], place);
      place = child;
    }
    put(item, place);
  }

  std::vector<Item> items_;
  std::vector<std::uint32_t> place_;  // by number
};

}  // namespace orrery::core
