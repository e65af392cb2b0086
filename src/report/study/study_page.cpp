#include "report/study/study_page.hpp"

#include <stdexcept>
#include <string_view>

#include "base/build_info.hpp"
#include "base/files/embedded_file.hpp"
#include "report/stored/filled_page.hpp"
#include "report/study/packed_columns.hpp"

namespace orrery::core {

namespace {

void require_column(const TypedTable& runs, std::string_view column, std::string_view role) {
  if (!runs.find(column))
    throw std::logic_error("the table of a study's runs has no column " + std::string(column) +
                           ", which is its " + std::string(role));
}

void check_columns(const StudyPage& study) {
  require_column(study.runs, "run", "name of a run");
  require_column(study.runs, "status", "word that tells whether a run failed");
  for (const std::string& key : study.keys) require_column(study.runs, key, "key");
  for (const StudyObjective& objective : study.objectives)
    require_column(study.runs, objective.column, "objective");
}

// Adds a list, with `append` for each of the items.
template <class Items, class Append>
void append_items(std::string& json, const Items& items, const Append& append) {
  json += '[';
  for (const auto& item : items) {
    if (json.back() != '[') json += ',';
    append(item);
  }
  json += ']';
}

}  // namespace

std::string study_page(const StudyPage& study) {
  check_columns(study);
  std::string json = "{\"version\":", bytes;
  append_json_text(json, build_info().version);
  json += ",\"name\":";
  append_json_text(json, study.name);
  json += ",\"origin\":" + (study.origin.empty() ? "null" : study.origin) +
          ",\"rows\":" + std::to_string(study.runs.rows) + ",\"keys\":";
  append_items(json, study.keys, [&](const std::string& key) { append_json_text(json, key); });
  json += ",\"objectives\":";
  append_items(json, study.objectives, [&](const StudyObjective& objective) {
    json += "{\"column\":";
    append_json_text(json, objective.column);
    json += objective.maximum ? ",\"maximum\":true}" : ",\"maximum\":false}";
  });
  json += ",\"columns\":";
  append_items(json, study.runs.columns, [&](const TypedColumn& column) {
    append_packed_column(json, bytes, column, study.runs.rows);
  });
  json += '}';
  // The numbers stand behind a zero byte, which JSON never holds.
  return filled_page(embedded_study_page(), json + '\0' + bytes, study.name);
}

}  // namespace orrery::core
