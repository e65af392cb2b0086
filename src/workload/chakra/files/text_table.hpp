// Keeps texts, each of them once, and gives them numbers.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::core::chakra {

// Text 0 is the empty one. This is an open hash table, because a trace may have as many names as nodes.
class TextTable {
 public:
  std::uint32_t number_of(std::string_view text) {
    if (text.empty()) return 0;
    if (texts_.size() * 2 > slots_.size()) grow();
    const auto hash = static_cast<std::uint32_t>(std::hash<std::string_view>()(text));
    Slot* slot = &slots_[hash & mask_];
    while (slot->number != 0 && !(slot->hash == hash && texts_[slot->number] == text)) slot = next(slot);
    if (slot->number == 0) {
      *slot = {hash, static_cast<std::uint32_t>(texts_.size())};
      texts_.emplace_back(text);
    }
    return slot->number;
  }
  std::size_t size() const { return texts_.size(); }
  std::vector<std::string> take() && { return std::move(texts_); }

 private:
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t number = 0;  // 0: free
  };

  Slot* next(Slot* slot) { return slot + 1 == slots_.data() + slots_.size() ? slots_.data() : slot + 1; }
  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    mask_ = slots_.size() - 1;
    for (const Slot& entry : old) {
      if (entry.number == 0) continue;
      Slot* slot = &slots_[entry.hash & mask_];
      while (slot->number != 0) slot = next(slot);
      *slot = entry;
    }
  }

  std::vector<std::string> texts_ = {""};
  std::vector<Slot> slots_ = std::vector<Slot>(64);  // at most half of the slots are taken
  std::size_t mask_ = 63;
};

}  // namespace orrery::core::chakra
