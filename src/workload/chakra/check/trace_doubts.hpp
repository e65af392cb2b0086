// What is doubtful about traces that run all the same.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "workload/chakra/dependencies/device_order.hpp"
#include "workload/chakra/dependencies/trace_index.hpp"
#include "workload/chakra/dependencies/trace_rules.hpp"
#include "workload/chakra/files/node_list.hpp"

namespace orrery::core {
namespace chakra {

struct ComputeTimes {
  std::uint64_t nodes = 0, without_time = 0;  // that compute on the device
};
ComputeTimes compute_times(const NodeList& nodes);

struct TraceDoubts {
  std::vector<TraceIndex::Missing> missing_parents;  // count as done
  DeviceOrder order;
  ChainedStreams chains;
  std::uint64_t rounded_sizes = 0;  // of tensors
  ComputeTimes compute;
};

// These say what is doubtful, for all who find it; they return an empty text if nothing is. `what_to_do` is
// for a trace whose recording tells the order.
std::string missing_parents_text(const std::vector<TraceIndex::Missing>& missing);
std::string lost_order_text(const DeviceOrder& order, std::string_view what_to_do);
// `roofline` says what turns a roofline on.
std::string without_time_text(const ComputeTimes& compute, std::string_view roofline);

}  // namespace chakra

// Warns of the doubts about a set of traces: once of each kind, for the first trace that has it.
class DoubtfulTraces {
 public:
  void add(const std::string& file, const chakra::TraceDoubts& doubts) { traces_.push_back({file, doubts}); }
  void warn(const TraceRules& rules, Warnings& warnings) const;

 private:
  struct Doubtful {
    std::string file;
    chakra::TraceDoubts doubts;
  };
  void warn_by(const std::function<std::string(const chakra::TraceDoubts&)>& text_of,
               Warnings& warnings) const;

  std::vector<Doubtful> traces_;
};

}  // namespace orrery::core
