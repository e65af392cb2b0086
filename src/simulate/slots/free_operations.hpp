// Keeps the operations that may be issued, the lowest first.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <queue>
#include <vector>

namespace orrery::core {

// This class is small, because there are several for each of thousands of ranks that act in turn. It needs no
// memory elsewhere as long as there is never more than one operation, which is mostly so.
class FreeOperations {
 public:
  static constexpr std::uint32_t none = 0xffffffff;

  bool empty() const { return first_ == none; }
  // Returns the first operation, or `none` if there is none.
  std::uint32_t first() const { return first_; }

  void push(std::uint32_t operation) {
    if (operation < first_) std::swap(operation, first_);
    if (operation == none) return;
    if (!others_) others_ = std::make_unique<Heap>();
    others_->push(operation);
  }

  void pop() {
    first_ = none;
    if (!others_ || others_->empty()) return;
    first_ = others_->top();
    others_->pop();
  }

 private:
  using Heap = std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>>;

  std::uint32_t first_ = none;
  std::unique_ptr<Heap> others_;  // null: there have never been any
};

}  // namespace orrery::core
