#include "support/synthetic_study.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace orrery::core {

namespace {

// The values are not in their order, as sweeps need not be.
constexpr std::array<std::string_view, 5> bandwidths = {"100 GB/s", "25 GB/s", "400 GB/s", "50 GB/s",
                                                        "200 GB/s"};
constexpr std::array<double, 5> bandwidth_numbers = {100, 25, 400, 50, 200};
constexpr std::array<std::string_view, 4> topologies = {"torus", "ring", "fat-tree", "dragonfly"};
constexpr std::array<std::string_view, 2> collectives = {"ring", "direct"};
constexpr std::array<int, 4> tensors = {1, 2, 4, 8};
constexpr std::array<int, 5> pipelines = {1, 2, 4, 8, 16};

// A number in [0, 1) that depends on `seed` alone (splitmix64, https://prng.di.unimi.it/splitmix64.c).
double share_of(std::uint64_t seed) {
  std::uint64_t z = seed * 0x9e3779b97f4a7c15 + 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return static_cast<double>((z ^ z >> 31) >> 11) * 0x1p-53;
}

// What a run has of the keys.
struct Point {
  std::size_t number, bandwidth, topology, collective;
  int tensor, pipeline;
  std::int64_t chunk;
  double latency_us;
};

Point point_of(std::size_t run) {
  std::size_t rest = run;
  const auto next = [&](std::size_t size) {
    const std::size_t digit = rest % size;
    rest /= size;
    return digit;
  };
  Point point{};
  point.number = run;
  point.bandwidth = next(bandwidths.size());
  point.tensor = tensors[next(tensors.size())];
  point.topology = next(topologies.size());
  point.pipeline = pipelines[next(pipelines.size())];
  point.collective = next(collectives.size());
  point.chunk = std::int64_t{1} << (16 + 2 * next(4));
  point.latency_us = std::round(50 + 450 * share_of(run)) / 100;
  return point;
}

// Times are whole picoseconds, as those of simulations are.
Real picoseconds(double us) {
  return {std::round(us * 1e6) / 1e6};
}

struct Result {
  double compute, bubble, exposed, idle, step, memory;
};

Result result_of(const Point& point) {
  Result result{};
  const double topology_factor = 1 + 0.4 * static_cast<double>(point.topology);
  result.compute = 80000.0 / point.tensor * (1 + 0.1 * share_of(point.number * 3 + 1));
  result.bubble = result.compute * (point.pipeline - 1) / 64;
  result.exposed = 2.5e6 * topology_factor * std::sqrt(point.tensor) / bandwidth_numbers[point.bandwidth] +
                   900 * point.latency_us * (point.collective == 0 ? 2 : 1) +
                   3e8 / static_cast<double>(point.chunk);
  result.idle = 25;
  result.step = result.compute + result.bubble + result.exposed + result.idle;
  if (point.number % 50 < 5) result.step = std::round(result.step / 1000) * 1000;  // some are equal
  result.memory = std::round(160e9 / point.tensor / std::sqrt(point.pipeline));
  return result;
}

// Returns why the run failed; empty if it did not.
std::string reason_of(const Point& point, const Result& result) {
  if (result.memory > 80e9 && point.number % 3 == 0)
    return fmt::format("out of memory: stage {} needs {:.1f} GiB of 80 GB", point.number % 7,
                       result.memory / 0x1p30);
  if (point.number % 997 == 5) return "experiment.yaml:12: no layout fits a ring of 24 NPUs";
  return {};
}

std::string name_of(const Point& point) {
  if (point.number == 7) return "<img src=x onerror=alert(1)>";
  return fmt::format("bandwidth={},tensor={},topology={},pipeline={},{}", bandwidths[point.bandwidth],
                     point.tensor, topologies[point.topology], point.pipeline, point.number);
}

void add_columns(TypedTable& runs, ValueType type, std::string_view unit,
                 std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names)
    runs.columns.push_back(typed_column(name, unit, fmt::format("Meaning of {}.", name), type));
}

TypedTable table_of_columns() {
  TypedTable runs;
  runs.name = "runs";
  add_columns(runs, ValueType::text, "", {"run", "status", "reason", "work"});
  add_columns(runs, ValueType::integer, "", {"npus", "iterations"});
  add_columns(runs, ValueType::real, "us",
              {"total_us", "compute_us", "host_us", "remote_memory_us", "update_us", "bubble_us",
               "exposed_us", "idle_us", "rank_0_total_us", "step_us"});
  add_columns(runs, ValueType::real, "share",
              {"exposed_share", "model_flop_utilization", "hardware_flop_utilization", "link_utilization"});
  add_columns(runs, ValueType::real, "ratio", {"speedup"});
  add_columns(runs, ValueType::real, "", {"tokens_per_second"});
  add_columns(runs, ValueType::real, "bytes", {"memory_bytes"});
  add_columns(runs, ValueType::real, "USD", {"network_cost_usd"});
  add_columns(runs, ValueType::text, "", {"busiest_link"});
  add_columns(runs, ValueType::real, "s", {"seconds"});
  add_columns(runs, ValueType::text, "", {"page"});
  add_columns(runs, ValueType::text, "", {"network.bandwidth"});
  add_columns(runs, ValueType::integer, "", {"tensor"});
  add_columns(runs, ValueType::text, "", {"network.topology"});
  add_columns(runs, ValueType::integer, "", {"pipeline"});
  add_columns(runs, ValueType::text, "", {"system.collective"});
  add_columns(runs, ValueType::integer, "bytes", {"chunk_bytes"});
  add_columns(runs, ValueType::real, "us", {"latency_us"});
  add_columns(runs, ValueType::text, "", {"platform"});
  return runs;
}

// What a failed run has in all columns but its name, its status, its reason and the keys is nothing.
std::vector<Cell> results_of(const Point& point, const Result& result) {
  const double total = 10 * result.step, cost = 4e4 + 900 * bandwidth_numbers[point.bandwidth] +
                                                9e3 * static_cast<double>(3 - point.topology);
  const double tokens = 4096e6 / result.step, use = result.compute / result.step * 0.6;
  const bool is_priced = point.topology != 3;
  return {point.tensor * point.pipeline,
          10,
          picoseconds(total),
          picoseconds(10 * result.compute),
          picoseconds(result.compute / 9),
          picoseconds(result.exposed / 17),
          picoseconds(result.compute / 13),
          picoseconds(10 * result.bubble),
          picoseconds(10 * result.exposed),
          picoseconds(10 * result.idle),
          picoseconds(total - 3),
          picoseconds(result.step),
          result.exposed / result.step,
          use,
          use * 1.25,
          result.exposed / result.step * 0.9,
          2e5 / result.step,
          tokens,
          Real{result.memory},
          is_priced ? Cell(std::round(cost)) : Cell(),
          fmt::format("npu{} to nvswitch0 of {}", point.number % 8, topologies[point.topology]),
          0.001 * (1 + share_of(point.number + 17)),
          point.number % 10 == 0 ? Cell(fmt::format("runs/{}.html", point.number)) : Cell()};
}

}  // namespace

StudyPage synthetic_study(std::size_t runs) {
  StudyPage study;
  study.name = fmt::format("synthetic study of {} runs", runs);
  study.origin = R"({"command": ["sweep", "synthetic.yaml"], "version": "0", "seeds": ["1"]})";
  study.runs = table_of_columns();
  study.keys = {"network.bandwidth", "tensor",      "network.topology", "pipeline",
                "system.collective", "chunk_bytes", "latency_us",       "platform"};
  study.objectives = {{"step_us", false}, {"network_cost_usd", false}};
  const std::size_t results = study.runs.columns.size() - study.keys.size() - 4;
  for (std::size_t run = 0; run < runs; ++run) {
    const Point point = point_of(run);
    const Result result = result_of(point);
    const std::string reason = reason_of(point, result);
    std::vector<Cell> cells = {name_of(point), reason.empty() ? "ok" : "failed", reason, "gpt-3"};
    std::vector<Cell> numbers = reason.empty() ? results_of(point, result) : std::vector<Cell>(results);
    cells.insert(cells.end(), numbers.begin(), numbers.end());
    for (const Cell& key :
         {Cell(bandwidths[point.bandwidth]), Cell(point.tensor), Cell(topologies[point.topology]),
          Cell(point.pipeline), Cell(collectives[point.collective]), Cell(point.chunk),
          Cell(point.latency_us), Cell("h100")})
      cells.push_back(key);
    for (std::size_t column = 0; column < cells.size(); ++column)
      study.runs.columns[column].add(cells[column]);
  }
  study.runs.rows = runs;
  return study;
}

}  // namespace orrery::core
