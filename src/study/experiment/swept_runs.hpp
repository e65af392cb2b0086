// The runs of an experiment that has a `sweep`. There may be millions, so each is read when it is needed.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "study/experiment/experiment.hpp"
#include "study/space/sweep_points.hpp"
#include "study/space/swept_document.hpp"

namespace orrery::core {

class SweptRuns {
 public:
  // `document` is what experiment_document() returns, and has a `sweep`. Throws InputError where this is
  // wrong; a run that is wrong shows when it is read.
  SweptRuns(const InputNode& document, std::string file, const StepListener& progress = {});
  SweptRuns(const SweptRuns&) = delete;
  SweptRuns& operator=(const SweptRuns&) = delete;

  std::size_t size() const { return points_.size(); }
  const SweepSpace& space() const { return space_; }
  const std::string& name() const { return name_; }  // of the experiment
  const SourceLocation& where() const { return where_; }
  const std::vector<Objective>& objectives() const { return objectives_; }
  // Returns a text that two such experiments have in common if they have the same runs in the same order.
  const std::string& content() const { return content_; }
  // Returns what the runs have in common, without the sweep.
  const InputNode& common() const { return common_; }
  // Returns the key `reports` of the experiment, if it has one.
  const std::optional<InputNode>& reports() const { return reports_; }

  // The following functions may be called by several threads at a time. Runs share what they have in common.
  SweepPoint point(std::size_t run) const { return points_.at(run); }
  std::string name_of(const SweepPoint& point) const { return name_of_point(space_, point); }
  // Return the document of one run, and what it describes. Throw InputError.
  InputNode document_of(const SweepPoint& point) const;
  RunSpec read(const SweepPoint& point, Warnings& warnings, const FileLoader& load, KeyUse& use) const;

  // Reads some of the runs, among which each value of each key is, so that a mistake in what the runs have in
  // common is found before they are simulated. Throws the InputError of the first one where none of them can
  // be read, and where a key changes nothing in any of them. Warns of keys that change nothing because of
  // others.
  void check(Warnings& warnings, const FileLoader& load) const;

 private:
  std::vector<std::size_t> sample() const;

  std::string file_;
  SweepSpace space_;
  SweepPoints points_;
  InputNode common_;
  std::string content_, name_;
  SourceLocation where_;
  std::optional<InputNode> reports_;
  std::vector<Objective> objectives_;
  std::vector<std::string> varied_parts_;
  mutable AskedKeys keys_;
  mutable PieceCache pieces_;
};

// Returns the document of one run of a sweep, and any other document as it is. Throws InputError where the
// sweep has no such run.
InputNode document_of_run(InputNode document, const std::string& file, const std::string& run);
// Returns the run of this name. Throws InputError where there is none.
RunSpec read_run_of_sweep(const SweptRuns& runs, const std::string& run, Warnings& warnings,
                          const FileLoader& load);
// Returns the experiment of all these runs. Throws InputError where they are too many for a list.
Experiment read_all_runs(const SweptRuns& runs, Warnings& warnings, const FileLoader& load);

}  // namespace orrery::core
