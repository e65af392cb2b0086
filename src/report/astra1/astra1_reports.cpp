#include "report/astra1/astra1_reports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "network/analytical/cost_model.hpp"
#include "report/network/link_report.hpp"
#include "report/statistics/statistics.hpp"
#include "report/table/csv_cell.hpp"

namespace orrery::core {

namespace {

constexpr std::size_t forward = 0, input_gradient = 1, weight_gradient = 2;  // in PassTimes

double us_of_ns(double ns) {
  return ns / 1000.0;
}

// Adds one to the whole number that the first `digits` characters are, and returns how many these are then.
std::size_t count_up(std::string& text, std::size_t digits) {
  std::size_t place = digits;
  while (place > 0 && text[place - 1] == '9') text[--place] = '0';
  if (place > 0)
    ++text[place - 1];
  else
    text.insert(text.begin(), '1');
  return place > 0 ? digits : digits + 1;
}

// Returns how many of the next windows have the same share in every dimension as the first of them; 0 at the
// end. Moves `at` on to the entries that hold this first window.
std::int64_t next_equal_windows(const std::vector<std::vector<EqualWindows>>& shares,
                                std::vector<std::size_t>& at) {
  std::int64_t equal = std::numeric_limits<std::int64_t>::max();
  for (std::size_t d = 0; d < shares.size(); ++d) {
    while (at[d] < shares[d].size() && shares[d][at[d]].windows == 0) ++at[d];
    if (at[d] == shares[d].size()) return 0;
    equal = std::min(equal, shares[d][at[d]].windows);
  }
  return equal;
}

class Reports {
 public:
  Reports(const Program& program, const Machine& machine, const Recording& recording,
          const ResultOptions& options)
      : graph_(program.parts[0].graph),
        machine_(machine),
        run_(recording),
        rank_0_(recording.lowest_of(0)),
        collectives_(*recording.phases_of(0)),
        options_(options),
        run_cell_(csv_cell(options.run_name)),
        folder_(options, machine.system.separate_log),
        layers_(layer_times(graph_, rank_0_.operations, machine.slowdown_of(RankId(0)) != 1)),
        service_times_(chunk_service_times(collectives_)) {
    compute_totals();
  }

  void write(Warnings& warnings) const {
    if (machine_.system.separate_log) {
      write_end_to_end();
      write_detailed();
    }
    write_backend();
    write_dimensions();
    write_tutorial_result();
    if (machine_.system.separate_log) write_utilization(warnings);
    folder_.write(options_.total_rows > 1 ? options_.run_name + "_links.csv" : "links.csv",
                  csv_text(links_rows(run_.links, machine_.topology, run_.end())));
  }

 private:
  // The order of these additions decides the last digits.
  void compute_totals() {
    finish_us_ = rank_0_.finish.us();
    double exposed_sum = 0;
    for (const LayerTimes& layer : layers_) {
      for (std::size_t pass : {forward, weight_gradient, input_gradient}) {
        compute_us_ += layer.compute[pass].us();
        exposed_sum += layer.exposed[pass].us();
      }
    }
    exposed_us_ = machine_.system.separate_log ? finish_us_ - compute_us_ : exposed_sum;
    const auto bytes = std::accumulate(collectives_.payload.begin(), collectives_.payload.end(), Bytes());
    payload_mib_ = bytes.mib();
  }

  std::size_t total() const { return static_cast<std::size_t>(options_.total_rows); }
  std::size_t row() const { return static_cast<std::size_t>(options_.row); }
  bool creates() const { return options_.row == 0; }
  std::size_t line_of(std::size_t layer) const { return layer * total() + 1 + row(); }

  static void header(GridFile& grid, std::size_t first, std::initializer_list<std::string_view> titles) {
    for (std::string_view title : titles) grid.insert(0, first++, title);
  }

  // A table with a line per layer. Runs of fewer layers than row 0's leave lines empty; of more, need more
  // lines.
  GridFile open_layer_grid(std::string_view name) const {
    GridFile grid = folder_.open(name, layers_.size() * total() + 20, 50);
    if (line_of(layers_.size() - 1) >= grid.rows()) {
      throw InputError(
          {options_.path + std::string(name)},
          fmt::format("has {} lines, too few for the {} layers of this run, let the run with the most "
                      "layers be --stat-row=0",
                      grid.rows(), layers_.size()));
    }
    if (creates()) return grid;
    for (std::size_t layer = 0; layer < layers_.size(); ++layer) grid.clear(line_of(layer));
    return grid;
  }

  void insert_names(GridFile& grid, std::size_t layer) const {
    if (creates()) grid.insert(layer * total() + 1, 0, csv_cell(graph_.layer_names[layer]));
    grid.insert(line_of(layer), 1, run_cell_);
  }

  void write_end_to_end() const {
    GridFile grid = open_layer_grid("EndToEnd.csv");
    if (creates()) {
      header(grid, 2,
             {"fwd compute", "wg compute", "ig compute", "fwd exposed comm", "wg exposed comm",
              "ig exposed comm", "fwd total comm", "wg total comm", "ig total comm", "workload finished at",
              "total comp", "total exposed comm"});
    }
    for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
      const std::size_t line = line_of(layer);
      const LayerTimes& times = layers_[layer];
      insert_names(grid, layer);
      std::size_t column = 2;
      for (const PassTimes* group : {&times.compute, &times.exposed, &times.communication}) {
        for (std::size_t pass : {forward, weight_gradient, input_gradient}) {
          grid.insert(line, column++, (*group)[pass].us());
        }
      }
      grid.insert(line, column, finish_us_);
    }
    grid.insert(line_of(0), 12, compute_us_);
    grid.insert(line_of(0), 13, exposed_us_);
    folder_.write("EndToEnd.csv", grid.text());
  }

  // Its titles describe layer 0, and the dimensions' times stand on layer 0's line behind the last layer's
  // columns. Where layer 0 has cells there, texts are glued (docs/models/reports.md, Glued cells).
  void write_detailed() const {
    GridFile grid = open_layer_grid("detailed.csv");
    const std::vector<LayerDelays> delays = layer_delays(graph_, collectives_);
    std::size_t column = 2;
    for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
      insert_names(grid, layer);
      const bool titled = layer == 0 && creates();
      const LayerDelays& of = delays[layer];
      column = 2;
      for (std::size_t i = 0; i < of.queueing.size(); ++i, ++column) {
        grid.insert(line_of(layer), column, us_of_ns(of.queueing[i]));
        if (titled) grid.insert(0, column, fmt::format("queuing delay phase {}", i));
      }
      for (std::size_t i = 0; i < of.network.size(); ++i, ++column) {
        grid.insert(line_of(layer), column, us_of_ns(of.network[i]));
        if (titled) grid.insert(0, column, fmt::format("network delay phase {}", i + 1));
      }
    }
    for (std::size_t d = 0; d < service_times_.size(); ++d, ++column) {
      grid.insert(line_of(0), column, us_of_ns(service_times_[d]));
      if (creates()) grid.insert(0, column, fmt::format("avg chunk delay dimension {}", d + 1));
    }
    folder_.write("detailed.csv", grid.text());
  }

  void write_backend() const {
    constexpr std::size_t titled_dimensions = 7;
    const std::size_t dimensions = std::max(collectives_.payload.size(), titled_dimensions);
    GridFile grid = folder_.open("backend_end_to_end.csv", total() + 1, 8 + dimensions);
    if (creates()) {
      header(grid, 0,
             {"RunName", "CommsTime", "ComputeTime", "ExposedCommsTime", "Cost", "TotalPayloadSize",
              "DPCommsTime", "MPCommsTime"});
      for (std::size_t d = 0; d < dimensions; ++d) grid.insert(0, 8 + d, fmt::format("PayloadSize_Dim{}", d));
    }
    const std::size_t line = row() + 1;
    if (!creates()) grid.clear(line);
    const double first_layer_us = layers_[0].exposed[weight_gradient].us();
    grid.insert(line, 0, run_cell_);
    std::size_t column = 1;
    for (double value : {finish_us_, compute_us_, exposed_us_, network_cost(machine_.topology).value_or(0),
                         payload_mib_, first_layer_us, exposed_us_ - first_layer_us}) {
      grid.insert(line, column++, value);
    }
    for (std::size_t d = 0; d < dimensions; ++d) {
      if (d < collectives_.payload.size()) {
        grid.insert(line, column + d, collectives_.payload[d].mib());
      } else {
        grid.insert(line, column + d, "-1");
      }
    }
    folder_.write("backend_end_to_end.csv", grid.text());
  }

  void write_dimensions() const {
    constexpr std::size_t lines_per_run = 10;
    GridFile grid = folder_.open("backend_dim_info.csv", lines_per_run * total() + 1, 3);
    if (creates()) header(grid, 0, {"RunName", "DimensionIndex", "AverageChunkLatency"});
    for (std::size_t d = 0; d < service_times_.size(); ++d) {
      const std::size_t line = lines_per_run * row() + 1 + d;
      if (!creates()) grid.clear(line);
      grid.insert(line, 0, run_cell_);
      grid.insert(line, 1, std::to_string(d));
      grid.insert(line, 2, us_of_ns(service_times_[d]));
    }
    folder_.write("backend_dim_info.csv", grid.text());
  }

  void write_tutorial_result() const {
    GridFile grid = folder_.open("tutorial_result.csv", total() + 1, 5);
    if (creates()) {
      header(grid, 0,
             {"Name", "TotalTime(us)", "ComputeTime(us)", "ExposedCommunicationTime(us)",
              "TotalMessageSize(MB)"});
    }
    const std::size_t line = row() + 1;
    if (!creates()) grid.clear(line);
    grid.insert(line, 0, run_cell_);
    std::size_t column = 1;
    for (double value : {finish_us_, compute_us_, exposed_us_, payload_mib_})
      grid.insert(line, column++, value);
    folder_.write("tutorial_result.csv", grid.text());
  }

  void write_utilization(Warnings& warnings) const {
    const Time window = Time::from_ns(10'000);
    constexpr std::int64_t max_windows = 10'000'000;
    if (rank_0_.finish.ps() / window.ps() > max_windows) {
      warnings.add({options_.run_name + "_dimension_utilization.csv"},
                   fmt::format("left out: {:.0f} s in windows of 10 us are more than {} lines",
                               finish_us_ / 1e6, max_windows));
      return;
    }
    auto shares = utilization(collectives_, rank_0_.finish, window);
    FileWriter file = folder_.begin(options_.run_name + "_dimension_utilization.csv");
    std::string text = " time (us) ,";
    for (std::size_t d = 0; d < shares.size(); ++d)
      fmt::format_to(std::back_inserter(text), "dim{} util,", d + 1);
    file.append(text + '\n');
    // A line begins with its window, in digits that are counted up, as there are a hundred thousand lines.
    std::string line = "0";
    std::size_t digits = line.size();
    std::vector<std::size_t> at(shares.size(), 0);
    for (std::int64_t equal; (equal = next_equal_windows(shares, at)) > 0;) {
      line.resize(digits);
      line += "0.000000,";  // what makes a number of windows microseconds
      for (std::size_t d = 0; d < shares.size(); ++d) {
        append_grid_number(line, shares[d][at[d]].share * 100);
        line += ',';
        shares[d][at[d]].windows -= equal;
      }
      line += '\n';
      for (; equal > 0; --equal) {
        digits = count_up(line, digits);
        file.append(line);
      }
    }
    file.append(std::string(shares.size(), ',') + '\n');
    file.finish();
  }

  const ExecutionGraph& graph_;
  const Machine& machine_;
  const Recording& run_;
  const ClassRecord& rank_0_;
  const PhaseRecords& collectives_;  // rank 0's
  const ResultOptions& options_;
  std::string run_cell_;  // its name
  ResultFolder folder_;
  std::vector<LayerTimes> layers_;
  std::vector<double> service_times_;
  double finish_us_ = 0, compute_us_ = 0, exposed_us_ = 0, payload_mib_ = 0;
};

}  // namespace

void write_astra1_reports(const Program& program, const Machine& machine, const Recording& recording,
                          const ResultOptions& options, Warnings& warnings) {
  Reports(program, machine, recording, options).write(warnings);
}

}  // namespace orrery::core
