#include "report/summary/origin.hpp"

#include <nlohmann/json.hpp>

#include "base/build_info.hpp"

namespace orrery::core {

nlohmann::json to_json(const Origin& origin) {
  auto inputs = nlohmann::json::array();
  for (const InputFile& input : origin.inputs)
    inputs.push_back({{"file", input.path}, {"sha256", input.sha256}});
  nlohmann::json json{{"version", build_info().version},
                      {"command", origin.command},
                      {"overrides", origin.overrides},
                      {"inputs", inputs},
                      {"seeds", origin.seeds}};
  if (!origin.warnings.empty()) json["warnings"] = origin.warnings;
  return json;
}

}  // namespace orrery::core
