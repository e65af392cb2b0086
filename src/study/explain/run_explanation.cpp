#include "study/explain/run_explanation.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/stored/result_files.hpp"

namespace orrery::core {

namespace {

PathContext context_of(const RunSpec& spec, const RunResult& result) {
  const Summary summary = spec.workload->summary(spec, result);
  return {spec.name,
          result.program,
          result.machine.topology,
          summary.training ? whole_passes : layer_passes,
          summary.total,
          result.machine.compute_slowdown};
}

}  // namespace

RunExplanation::RunExplanation(const RunSpec& spec, const RunResult& result)
    : result_(result),
      work_(spec.workload->computed_work(spec, result)),
      context_(context_of(spec, result)),
      path_(critical_path(result.program, result.recording)) {
  if (work_) path_ = divided_passes(path_, *work_);
  shares_ = path_shares(context_, path_);
  exchanges_ = path_exchanges(context_, path_, result.machine, result.recording);
  link_shares_ = link_shares(context_, exchanges_);
  if (!work_) return;
  operators_ = path_operators(context_, path_, *work_);
  computing_shares_ = computing_shares(context_, path_, operators_);
}

std::vector<PathShare> RunExplanation::shares() const {
  std::vector<PathShare> all = shares_;
  all.insert(all.end(), link_shares_.begin(), link_shares_.end());
  all.insert(all.end(), computing_shares_.begin(), computing_shares_.end());
  return all;
}

std::vector<NamedRows> RunExplanation::tables() const {
  std::vector<PathRow> steps;
  for (const PathStep& step : path_) steps.push_back(row(step));
  return {{critical_path_file.name, {critical_path_table, std::move(steps)}},
          {blame_file.name, {path_share_table, shares()}},
          {path_operators_file.name, {path_operator_table, operators()}},
          {path_exchanges_file.name, {path_exchange_table, exchanges()}}};
}

std::string RunExplanation::text(bool unicode) const {
  // The table of exchanges says more of communication.
  std::vector<PathShare> listed = shares_;
  std::erase_if(listed, [](const PathShare& share) { return share.by == "communication"; });
  std::string text = path_text(context_, path_, listed, unicode) + path_exchanges_text(exchanges_);
  if (work_) text += shares_text(computing_shares_, unicode) + path_operators_text(operators_);
  return text;
}

nlohmann::ordered_json RunExplanation::json() const {
  using Json = nlohmann::ordered_json;
  Json json{{"run", context_.run}, {"critical_path_us", result_.recording.end().us()}};
  json["exchanges"] = json_of<Json>(path_exchange_table, exchanges_);
  if (work_) json["operators"] = json_of<Json>(path_operator_table, operators_.rows);
  json["shares"] = json_of<Json>(path_share_table, shares());
  return json;
}

}  // namespace orrery::core
