// Says where the time on the critical path of a run goes, and why. docs/outputs/critical-path.md lists the
// columns.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "report/critical_path/path_exchanges.hpp"
#include "report/critical_path/path_operators.hpp"
#include "report/critical_path/path_report.hpp"
#include "report/table/row_sink.hpp"
#include "study/run/run.hpp"

namespace orrery::core {

class RunExplanation {
 public:
  // Keeps references. The run has to be one that records every class of its ranks (RunSpec::every_class).
  RunExplanation(const RunSpec& spec, const RunResult& result);

  const std::vector<PathStep>& path() const { return path_; }
  PathRow row(const PathStep& step) const { return {context_, step}; }
  // Returns the shares of the path by everything in which its steps differ, by links and by what computations
  // are lost to.
  std::vector<PathShare> shares() const;
  const std::vector<PathExchange>& exchanges() const { return exchanges_; }
  const std::vector<PathOperator>& operators() const { return operators_.rows; }

  // Returns the tables of `orrery explain`, which refer to this object.
  std::vector<NamedRows> tables() const;
  // `unicode` draws with block characters, else with ASCII.
  std::string text(bool unicode) const;
  nlohmann::ordered_json json() const;

 private:
  const RunResult& result_;
  std::unique_ptr<ComputedWork> work_;  // null: the run computes no operators that are known
  PathContext context_;
  std::vector<PathStep> path_;
  std::vector<PathExchange> exchanges_;
  PathOperators operators_;
  std::vector<PathShare> shares_, link_shares_, computing_shares_;
};

}  // namespace orrery::core
