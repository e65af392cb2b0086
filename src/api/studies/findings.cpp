#include "orrery/findings.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "api/studies/findings_state.hpp"
#include "base/diagnostics/words.hpp"

namespace orrery {

Findings::Findings(std::shared_ptr<const State> state) : state_(std::move(state)) {}

std::vector<std::string> Findings::tables() const {
  std::vector<std::string> names;
  for (const auto& table : state_->tables) names.push_back(table->name);
  return names;
}

Result<Table> Findings::table(std::string_view name) const {
  const auto found =
      std::ranges::find_if(state_->tables, [&](const auto& table) { return table->name == name; });
  if (found == state_->tables.end()) return core::no_table(name, tables(), "");
  return Table(*found);
}

const std::string& Findings::json() const {
  return state_->json;
}
const std::string& Findings::text() const {
  return state_->text;
}
const std::vector<std::string>& Findings::warnings() const {
  return state_->warnings;
}

namespace core {

Findings findings_of(const std::vector<NamedRows>& tables, const nlohmann::ordered_json& json,
                     std::string text, const Warnings& warnings) {
  auto state = std::make_shared<Findings::State>();
  for (const NamedRows& table : tables)
    state->tables.push_back(std::make_shared<const TypedTable>(typed_table(table)));
  state->json = json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  state->text = std::move(text);
  state->warnings = warnings.lines();
  return Findings(std::move(state));
}

orrery::Table table_of(const NamedRows& rows) {
  return orrery::Table(std::make_shared<const TypedTable>(typed_table(rows)));
}

}  // namespace core
}  // namespace orrery
