// The nodes of a trace with their names, packed. A node has few of the attributes that it could have, and its
// numbers are small, so it takes some twenty bytes and its name.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <string_view>
#include <vector>

#include "workload/chakra/files/node.hpp"

namespace orrery::core::chakra {

class NodeList {
 public:
  class Iterator;

  NodeList() = default;
  NodeList(std::initializer_list<Node> nodes) {
    for (const Node& node : nodes) push_back(node);
  }

  // Adds a node. The value of an attribute whose bit is not set is not kept.
  void push_back(const Node& node, std::string_view name = {});

  std::size_t size() const { return records_.size(); }
  bool empty() const { return records_.empty(); }
  // Makes room for so many nodes. Room for what they hold is made as they come.
  void reserve(std::size_t nodes) { records_.reserve(nodes); }
  std::size_t capacity() const { return records_.capacity(); }

  Node operator[](std::size_t index) const;
  // The name is valid as long as the list is there and the same.
  std::string_view name(std::size_t index) const;
  // The following functions are quicker than reading the whole node. The last two do not even touch its
  // record.
  std::uint64_t id(std::size_t index) const;
  NodeType type(std::size_t index) const { return static_cast<NodeType>(records_[index].type); }
  bool on_cpu(std::size_t index) const { return records_[index].on_cpu != 0; }

  Iterator begin() const;
  Iterator end() const;
  bool operator==(const NodeList& other) const;

 private:
  // Bytes that are written once. A vector would set them to zero first.
  class Block {
   public:
    explicit Block(std::size_t capacity)
        : bytes_(std::make_unique_for_overwrite<std::uint8_t[]>(capacity)), capacity_(capacity) {}
    Block(const Block& other) : Block(other.capacity_) {
      size_ = other.size_;
      std::copy_n(other.bytes_.get(), size_, bytes_.get());
    }
    Block(Block&&) = default;
    Block& operator=(const Block& other) { return *this = Block(other); }
    Block& operator=(Block&&) = default;

    const std::uint8_t* data() const { return bytes_.get(); }
    std::size_t size() const { return size_; }
    std::size_t capacity() const { return capacity_; }
    std::uint8_t* end() { return bytes_.get() + size_; }
    // Keeps what has been written behind the end, up to a place within the capacity.
    void extend_to(const std::uint8_t* end) { size_ = static_cast<std::size_t>(end - bytes_.get()); }

   private:
    std::unique_ptr<std::uint8_t[]> bytes_;
    std::size_t size_ = 0, capacity_;
  };

  // The kind of a node, and the place of its bytes: the block, and the offset in it.
  struct Place {
    std::uint32_t type : 3, on_cpu : 1;
    std::uint32_t block : 28;
    std::uint32_t offset;
  };

  const std::uint8_t* record(std::size_t index) const {
    return blocks_[records_[index].block].data() + records_[index].offset;
  }
  // Returns a block that has room for so many bytes.
  Block& block_for(std::size_t bytes);

  std::vector<Block> blocks_;  // in blocks, so that large lists need not be copied when they grow
  std::vector<Place> records_;
};

class NodeList::Iterator {
 public:
  using value_type = Node;
  using difference_type = std::ptrdiff_t;

  Iterator() = default;
  Iterator(const NodeList& list, std::size_t index) : list_(&list), index_(index) {}

  Node operator*() const { return (*list_)[index_]; }
  Iterator& operator++() {
    ++index_;
    return *this;
  }
  Iterator operator++(int) {
    Iterator before = *this;
    ++index_;
    return before;
  }
  bool operator==(const Iterator& other) const { return index_ == other.index_; }

 private:
  const NodeList* list_ = nullptr;
  std::size_t index_ = 0;
};

inline NodeList::Iterator NodeList::begin() const {
  return {*this, 0};
}
inline NodeList::Iterator NodeList::end() const {
  return {*this, size()};
}

}  // namespace orrery::core::chakra
