// Searches for the best layouts of a transformer's training.
//
//   const orrery::Findings found = orrery::search_layouts(experiment, {.top = 3}).value();
//   const orrery::Table layouts = found.table("layouts").value();
//   std::cout << layouts.rows() << " layouts\n" << found.text();
//
// A search over a sweep has its runs simulated by whoever asks:
//
//   orrery::Document fabrics = orrery::Document::parse(
//       "{ platform: dgx-h100, workload: { model: gpt3-125m, batch: { global: 8, micro: 1 },"
//       "  parallelism: { data: 8 } }, sweep: { grid: { network: ["
//       "  [{ name: fast, topology: switch, size: 8, bandwidth: 50 GB/s, latency: 1 us }],"
//       "  [{ name: slow, topology: switch, size: 8, bandwidth: 5 GB/s, latency: 1 us }]] } } }",
//       "s").value();
//   orrery::SweepSearch search = orrery::SweepSearch::from(fabrics, {}, {.top = 2}).value();
//   while (const auto runs = search.next().value()) {
//     std::vector<std::optional<double>> steps;
//     for (const orrery::Run& run : orrery::Experiment::from(*runs).value().simulate())
//       steps.push_back(run.step().seconds());
//     search.tell(steps);
//   }
//   std::cout << search.findings().text();
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "orrery/diagnostics.hpp"
#include "orrery/document.hpp"
#include "orrery/experiment.hpp"
#include "orrery/export.hpp"
#include "orrery/findings.hpp"

namespace orrery {

// Says among which layouts is searched, and what is best.
struct SearchOptions {
  std::optional<std::int64_t> gpus = {};  // number of GPUs; none: as many as the experiment's own layout has
  bool fewer_gpus = false;                // also a half of them, a quarter and so on
  std::vector<std::string> keep = {};     // choices that stay as they are, such as "tensor" and "micro"
  std::string objective = "time";         // "time" of a step, or "cost", which is GPUs times time
  std::int64_t top = 10;          // number of the best layouts that are explained, and run on a network
  std::int64_t network_runs = 0;  // layouts that are run on a network at most; 0: twice `top`
  bool exhaustive = false;        // simulate every layout that fits the memory
  StudyOptions how = {};          // threads, stop and progress
};

// Searches as `orrery search` does. The experiment has one run, of a transformer on a platform, whose layout
// is where the search starts. If the run has a network, estimates choose layouts
// (docs/models/layout-search.md), and these and the experiment's own are then run on the network, whose times
// rank them; each layout uses all of the network's NPUs. The table is "layouts", the best first. The problem
// says what is wrong with the experiment or the options, why no layout fits, or why none of these can be run
// on the network.
ORRERY_API Result<Findings> search_layouts(const Experiment& experiment, const SearchOptions& options = {});

// A search for the best layouts at all points of a sweep, such as on several networks. It simulates nothing,
// but says which runs are to be simulated next, as an experiment with a sweep of its own, so that they may
// run anywhere. Copies share it; it is used by one thread at a time. The options' number of GPUs is not used:
// each point has its own.
class ORRERY_API SweepSearch {
 public:
  struct State;
  // Searches come from from() and load().
  explicit SweepSearch(std::shared_ptr<State> state);

  // Read a document, or a file, that has a `sweep`, and estimate layouts at all its points, which takes a
  // moment for each. The problem says what is wrong with the experiment or the options, or why no layout
  // fits.
  static Result<SweepSearch> from(const Document& document, const ReadOptions& read = {},
                                  const SearchOptions& options = {});
  static Result<SweepSearch> load(const std::string& file, const ReadOptions& read = {},
                                  const SearchOptions& options = {});

  // Returns an experiment whose sweep has the runs that are to be simulated next; none when the best are
  // known, or as many were asked for as may be. Files that it names are relative to the folder of the
  // experiment that was read.
  Result<std::optional<Document>> next();
  // Says what came of each of the runs of next(), in their order: how long its step takes in seconds, or none
  // where it failed. Throws std::out_of_range where these are more than next() has asked for.
  void tell(const std::vector<std::optional<double>>& steps);
  // Returns an experiment whose sweep has all runs that were asked for, the best first.
  Document all() const;
  // Returns what was found so far. The table is "layouts", the best first.
  Findings findings() const;

 private:
  std::shared_ptr<State> state_;
};

}  // namespace orrery
