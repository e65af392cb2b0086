// The times of sends between two ranks by a collective library, for a machine without a network of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "base/units/seconds.hpp"
#include "collective/library/collective_library.hpp"
#include "network/known_sends.hpp"

namespace orrery::core {

// Nodes hold consecutive ranks.
class LibrarySends final : public SendTimes {
 public:
  explicit LibrarySends(std::shared_ptr<const CollectiveLibrary> library) : library_(std::move(library)) {}

  Time of(int source, int destination, Bytes bytes) const override {
    return Seconds(library_->send_seconds(bytes.as_double(), are_in_one_node(source, destination))).rounded();
  }
  std::uint64_t kind_of(int source, int destination) const override {
    return are_in_one_node(source, destination) ? 1 : 0;
  }

 private:
  bool are_in_one_node(int source, int destination) const {
    const int gpus = library_->links().gpus_per_node;
    return source / gpus == destination / gpus;
  }

  std::shared_ptr<const CollectiveLibrary> library_;
};

}  // namespace orrery::core
