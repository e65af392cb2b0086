// Adds up what ranks spend their time on by layer.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "program/message_pairs.hpp"
#include "report/breakdown/breakdown.hpp"
#include "report/breakdown/rank_sums.hpp"

namespace orrery::core {

class LayerSums {
 public:
  // Keeps references.
  LayerSums(const Program& program, const Recording& recording);

  // Adds a class of ranks, which spends its time like this.
  void add(const ClassRecord& of, std::span<const Span> spans);
  // Returns the layers in the order of the program.
  std::vector<LayerTime> layers() const;

 private:
  using Id = ExecutionGraph::Id;
  struct Sums {
    RankSum compute, communication, exposed;
  };

  // `layers` are those of the part that the graph belongs to.
  Sums* layer_of(const ExecutionGraph& graph, std::vector<std::size_t>& layers, Id id);
  std::size_t layer_named(std::string_view name);
  Time under_way(const ClassRecord& of, Id id) const;
  const std::vector<Interval>& operations_at_place_of(const ClassRecord& of, std::uint32_t peer) const;

  const Program& program_;
  const Recording& recording_;
  // Execution traces have no layers. There the names of operations stand for them.
  const bool operations_are_layers_;
  std::shared_ptr<const MessagePairs> messages_;           // null where nobody sends any from part to part
  std::vector<std::vector<std::size_t>> layers_of_parts_;  // by part, and by its layer or operation: index
  std::vector<std::string_view> names_;                    // texts of the program, or of `made_names_`
  std::deque<std::string> made_names_;
  std::vector<Sums> sums_;  // by name
  std::unordered_map<std::string_view, std::size_t> index_of_;
  std::size_t last_named_ = 0;  // index of the name that was asked for last
  std::uint64_t ranks_ = 0;
};

}  // namespace orrery::core
