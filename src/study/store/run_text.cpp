#include "study/store/run_text.hpp"

#include <nlohmann/json.hpp>
#include <utility>

namespace orrery::core {

namespace {

using RunJson = nlohmann::json;

struct JsonOfValue {
  RunJson operator()(std::monostate) const { return nullptr; }
  RunJson operator()(const auto& value) const { return value; }
};

PlainValue value_of_json(const RunJson& json) {
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_number()) return json.get<double>();
  if (json.is_string()) return json.get<std::string>();
  return {};
}

RunJson json_of_run(const EndedPoint& run) {
  RunJson results = RunJson::array();
  for (const PlainValue& value : run.results) results.push_back(std::visit(JsonOfValue{}, value));
  return {{"number", run.placed.number},
          {"key", run.placed.key},
          {"results", std::move(results)},
          {"place", run.place},
          {"warnings", run.warnings},
          {"inputs", run.inputs},
          {"page", run.page},
          {"seconds", run.seconds},
          {"failed", run.failed},
          {"host", run.host},
          {"ended", run.ended},
          {"version", run.version}};
}

EndedPoint run_of_json(const RunJson& json, const std::function<PlacedPoint(std::size_t)>& placed) {
  EndedPoint run;
  run.placed = placed(json.at("number").get<std::size_t>());
  if (json.at("key") != run.placed.key)
    throw InputError({"results of a part"}, "are of another sweep, or of another version of its experiment");
  for (const RunJson& value : json.at("results")) run.results.push_back(value_of_json(value));
  json.at("place").get_to(run.place);
  json.at("warnings").get_to(run.warnings);
  json.at("inputs").get_to(run.inputs);
  json.at("page").get_to(run.page);
  json.at("seconds").get_to(run.seconds);
  json.at("failed").get_to(run.failed);
  json.at("host").get_to(run.host);
  json.at("ended").get_to(run.ended);
  json.at("version").get_to(run.version);
  return run;
}

}  // namespace

std::string text_of_runs(const std::vector<EndedPoint>& runs) {
  RunJson list = RunJson::array();
  for (const EndedPoint& run : runs) list.push_back(json_of_run(run));
  return list.dump(-1, ' ', false, RunJson::error_handler_t::replace);
}

std::vector<EndedPoint> runs_of_text(std::string_view text,
                                     const std::function<PlacedPoint(std::size_t)>& placed) {
  try {
    std::vector<EndedPoint> runs;
    for (const RunJson& json : RunJson::parse(text)) runs.push_back(run_of_json(json, placed));
    if (!runs.empty() && runs.front().results.size() != result_columns().size())
      throw InputError({"results of a part"},
                       "are of another version of Orrery; use one version on all machines");
    return runs;
  } catch (const RunJson::exception& error) {
    throw InputError({"results of a part"},
                     std::string("are no results that a sweep has sent: ") + error.what());
  }
}

}  // namespace orrery::core
