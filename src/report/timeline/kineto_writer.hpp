// Writes what one rank does as the PyTorch profiler (Kineto) writes it, in JSON of Chrome's trace events,
// which Chrome, Perfetto, TensorBoard and Holistic Trace Analysis read.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>

#include "base/files/file_writer.hpp"
#include "report/timeline/timeline.hpp"

namespace orrery::core {

class KinetoWriter {
 public:
  // The process has to be a rank.
  KinetoWriter(const std::string& path, const TimelineProcess& process);

  // A row of the device, which profilers call a stream, or of the host. Rows are numbered from 1, because 0
  // stands for an idle processor in some readers.
  struct Row {
    bool on_device = true;
    std::size_t number = 1;
  };
  void name(const Row& row, const std::string& name);
  // Slices of a row have to come in the order of their starts, and must not overlap.
  void add(const Row& row, const TimelineSlice& slice);
  void add(const TimelineCounter& counter);
  void finish();

 private:
  nlohmann::ordered_json arguments_of(const Row& row, const TimelineSlice& slice);
  void add_arrow(const Row& row, Time start, std::uint64_t arrow);
  void add_steps(const std::vector<Time>& ends);
  void add_launch(Time start);
  void put(const nlohmann::ordered_json& event);

  FileWriter file_;
  std::uint32_t rank_;
  bool has_event_ = false;
  bool has_several_steps_;
  std::uint64_t launched_ = 0;                                     // slices of the device so far
  std::map<std::string, std::uint64_t, std::less<>> collectives_;  // so far, by group
  std::set<std::uint64_t> begun_;                                  // arrows with one end so far
};

// The row of training steps, which the writer fills itself.
inline constexpr KinetoWriter::Row kineto_steps_row{false, 1};

}  // namespace orrery::core
