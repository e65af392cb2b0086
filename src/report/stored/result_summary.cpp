#include "report/stored/result_summary.hpp"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/diagnostics/diagnostics.hpp"
#include "base/diagnostics/printable.hpp"

namespace orrery::core {

namespace {

using OrderedJson = nlohmann::ordered_json;

// A table that is made row by row. Rows may lack columns, which are then empty.
class SummaryRows {
 public:
  explicit SummaryRows(std::string name) : table_{std::move(name), {}, {}} {}

  const std::string& name() const { return table_.name; }
  void begin_row() { ++rows_; }
  void add(const std::string& column, std::string text) {
    auto found = std::ranges::find(cells_, column, &Cells::column);
    if (found == cells_.end()) found = cells_.insert(cells_.end(), {column, {}});
    found->texts.resize(rows_ - 1);
    found->texts.push_back(std::move(text));
  }
  // Adds the single values of a map.
  void add_all(const OrderedJson& map) {
    for (const auto& [key, value] : map.items()) {
      if (value.is_string())
        add(key, printable(value.get_ref<const std::string&>()));
      else if (value.is_primitive() && !value.is_null())
        add(key, value.dump());
    }
  }
  ResultTable finish() {
    for (Cells& cells : cells_) {
      cells.texts.resize(rows_);
      table_.columns.push_back(column_of(cells.column, {cells.texts.begin(), cells.texts.end()}));
    }
    return std::move(table_);
  }

 private:
  struct Cells {
    std::string column;
    std::vector<std::string> texts;
  };
  ResultTable table_;
  std::vector<Cells> cells_;
  std::size_t rows_ = 0;
};

class SummaryReader {
 public:
  void add_run(const std::string& name, const OrderedJson& run) {
    SummaryRows& runs = begin_row("runs", name);
    for (const auto& [key, value] : run.items()) {
      if (value.is_object() && key != "origin") {
        begin_row(key, name).add_all(value);
      } else if (value.is_array()) {
        for (const OrderedJson& element : value)
          if (element.is_object())
            begin_row(key, name).add_all(element);
          else if (element.is_string())
            begin_row(key, name).add("text", printable(element.get_ref<const std::string&>()));
      }
    }
    OrderedJson single = run;
    single.erase("name");
    if (const auto error = run.find("error"); error != run.end() && error->is_string()) {
      begin_row("failures", name).add("error", printable(error->get_ref<const std::string&>()));
      single.erase("error");
    }
    runs.add_all(single);
  }
  std::vector<ResultTable> tables() {
    std::vector<ResultTable> tables;
    for (const auto& rows : tables_) tables.push_back(rows->finish());
    return tables;
  }

 private:
  SummaryRows& begin_row(const std::string& table, const std::string& run) {
    auto found = std::ranges::find(tables_, table, [](const auto& rows) { return rows->name(); });
    if (found == tables_.end()) found = tables_.insert(tables_.end(), std::make_unique<SummaryRows>(table));
    (*found)->begin_row();
    (*found)->add("run", run);
    return **found;
  }

  std::vector<std::unique_ptr<SummaryRows>> tables_;  // behind pointers, so that they stay where they are
};

[[noreturn]] void reject(const std::string& file) {
  throw InputError({file}, "is no summary of results: name a folder that `orrery run` has written");
}

OrderedJson parsed(std::string_view text, const std::string& file) {
  constexpr int deepest = 20;  // ours have five levels
  const auto keep = [&](int depth, OrderedJson::parse_event_t, OrderedJson&) {
    if (depth > deepest) reject(file);
    return true;
  };
  try {
    return OrderedJson::parse(text, keep);
  } catch (const OrderedJson::parse_error& error) {
    const std::string_view before =
        text.substr(0, std::min(text.size(), error.byte > 0 ? error.byte - 1 : 0));
    const auto line = std::ranges::count(before, '\n');
    const std::size_t begin = before.rfind('\n') + 1;  // 0 without one
    throw InputError({file, static_cast<int>(line) + 1, static_cast<int>(before.size() - begin) + 1},
                     "is no JSON from here on, so the file was cut or changed: write the results again");
  } catch (const OrderedJson::out_of_range&) {
    reject(file);  // a number that no double holds
  }
}

std::string text_at(const OrderedJson& map, const char* key) {
  const auto found = map.find(key);
  return found != map.end() && found->is_string() ? printable(found->get_ref<const std::string&>()) : "";
}

}  // namespace

ResultSummary read_result_summary(std::string_view text, const std::string& file) {
  const OrderedJson json = parsed(text, file);
  if (!json.is_object()) reject(file);
  ResultSummary summary;
  SummaryReader reader;
  const auto add = [&](const OrderedJson& run) {
    if (!run.is_object() || text_at(run, "name").empty()) reject(file);
    summary.runs.push_back(text_at(run, "name"));
    reader.add_run(summary.runs.back(), run);
  };
  if (const auto runs = json.find("runs"); runs != json.end()) {
    if (!runs->is_array()) reject(file);
    for (const OrderedJson& run : *runs) add(run);
  } else {
    add(json);
  }
  summary.experiment = text_at(json, "experiment");
  if (const auto origin = json.find("origin"); origin != json.end())
    summary.origin = origin->dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
  summary.tables = reader.tables();
  return summary;
}

}  // namespace orrery::core
