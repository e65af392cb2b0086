// Searches for the best layouts at all points of a sweep, such as on several networks.
//
// It simulates nothing itself, but says which runs are to be simulated next, as an experiment with a sweep of
// its own. So they run on whatever runs sweeps, and are kept in a store.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/files/file_loader.hpp"
#include "base/progress.hpp"
#include "study/experiment/swept_runs.hpp"
#include "study/search/layout_search.hpp"
#include "study/search/network_search.hpp"
#include "workload/training/training_setup.hpp"

namespace orrery::core {

// It does not use the number of GPUs in the options, as each point has its own.
class SweptSearch {
 public:
  // A layout at a point of the sweep, and what is known of it.
  struct Candidate {
    std::size_t start = 0;  // number of the point
    SearchedLayout* found = nullptr;
  };

  // `document` is what experiment_document() returns, and has a `sweep`. Reads all its runs. Throws
  // InputError where one of these cannot be read or trains no transformer, and where the sweep varies what a
  // search chooses.
  SweptSearch(InputNode document, const std::string& file, const FileLoader& load,
              const SearchOptions& options);
  ~SweptSearch();
  SweptSearch(const SweptSearch&) = delete;
  SweptSearch& operator=(const SweptSearch&) = delete;

  const std::string& name() const { return sweep_->name(); }
  std::size_t starts() const { return starts_.size(); }
  // Returns the name that the sweep's run has at a point.
  std::string name_of(std::size_t start) const;
  const TrainingSetup& base(std::size_t start) const;

  // Estimates layouts at all points. Has to be called first. Throws InputError where no layout fits at any.
  void estimate(const StepListener& progress = {});
  // Returns the document of an experiment whose sweep has the runs that are to be simulated next; none when
  // the best are known, or as many were simulated as may be.
  std::optional<InputNode> next();
  // Says how long the step of one of these takes, by its number, or why its run failed.
  void tell(std::size_t run, Seconds step, const std::string& failure);

  // Returns the document with all runs that were asked for, the best first.
  InputNode document_of_all() const;
  // Returns the candidates that were simulated, failed or estimated, in this order, and the best first.
  std::vector<Candidate> ranked() const;
  // Returns the best candidate of a point, as far as it is known: simulated, or else estimated. None: no
  // layout can be run there.
  std::optional<Candidate> best_at(std::size_t start) const;
  // Returns how many candidates have a verdict.
  std::size_t count(LayoutVerdict verdict) const;
  // Returns the candidates of a point.
  const LayoutSearch& search(std::size_t start) const;

 private:
  struct Start;
  void for_all_starts(const char* what, const StepListener& progress,
                      const std::function<void(Start&)>& task);
  // Estimates all candidates that may have a smaller value.
  void estimate_below(double to_beat, const StepListener& progress);
  double value(const Candidate& candidate) const;
  std::vector<Candidate> candidates() const;
  InputNode document_of(const std::vector<Candidate>& candidates) const;

  InputNode document_;
  std::unique_ptr<SweptRuns> sweep_;
  const SearchOptions options_;
  std::vector<std::unique_ptr<Start>> starts_;
  std::vector<Candidate> asked_for_;  // in the order of the runs
  std::size_t told_ = 0;              // how many of them were there before those of the last next()
};

}  // namespace orrery::core
