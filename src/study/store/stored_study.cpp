#include "study/store/stored_study.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include <fmt/format.h>

#include "base/diagnostics/words.hpp"
#include "base/files/file.hpp"
#include "study/store/run_store.hpp"

namespace orrery::core {

namespace {

ValueType type_of_sql(std::string_view type) {
  return type == "REAL" ? ValueType::real : type == "TEXT" ? ValueType::text : ValueType::integer;
}

const std::vector<StoreColumn>& columns_of_stores() {
  static const std::vector<StoreColumn> columns{
      {"number", ValueType::integer, "", "Place of the run among those of the sweep, from 0."},
      {"place", ValueType::text, "", "Only of a run that failed: where the mistake is."},
      {"warnings", ValueType::text, "", "Warnings of the run, each in a line."},
      {"seconds", ValueType::real, "s", "For how long the run was read and simulated."},
      {"host", ValueType::text, "", "Name of the machine that simulated it."},
      {"ended", ValueType::text, "", "When it ended, in UTC."},
      {"version", ValueType::text, "", "Orrery that simulated it, with its commit."},
      {"key", ValueType::text, "", "Digits that say what was simulated, whatever the run is called."},
      {"content", ValueType::text, "", "Hash of that, of the version and of the files that were read."},
      {"inputs", ValueType::integer, "", "Row of the table `inputs` that lists the files that were read."},
      {"page", ValueType::text, "",
       "The run's own page, if it was kept: a path from the folder of the store."}};
  return columns;
}

// Returns the names by which a condition may call a column that holds the values of a key: its own, the key's
// path, and what the path ends in.
std::vector<std::string> names_of_key(const StoreColumn& column) {
  constexpr std::string_view before = "Value of the key ";
  std::vector<std::string> names{column.name};
  std::string path = column.meaning;
  if (!path.starts_with(before)) return names;
  path = path.substr(before.size(), path.size() - before.size() - 1);
  for (std::size_t dot = 0;;) {
    names.push_back(path.substr(dot));
    dot = path.find('.', dot);
    if (dot++ == std::string::npos) return names;
  }
}

void read_objectives(const std::string& json, std::vector<Objective>& objectives) {
  for (const nlohmann::json& objective : nlohmann::json::parse(json, nullptr, false)) {
    if (!objective.is_object()) continue;
    objectives.push_back({objective.value("column", ""), objective.value("goal", "") == "maximum"});
  }
}

Cell cell_of(const Statement& row, int column, ValueType type) {
  if (row.is_null(column)) return {};
  switch (type) {
    case ValueType::integer:
      return row.integer(column);
    case ValueType::real:
      return row.real(column);
    default:
      return std::string(row.text(column));
  }
}

// Returns a text in which each number is one letter, so that errors that differ in numbers alone are alike.
std::string without_numbers(std::string_view text) {
  std::string kind;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto is_digit = [&](std::size_t at) {
      return at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0;
    };
    const bool in_number = kind.ends_with('#') && text[i] == '.' && is_digit(i + 1);
    if (!is_digit(i) && !in_number)
      kind += text[i];
    else if (!kind.ends_with('#'))
      kind += '#';
  }
  return kind;
}

}  // namespace

bool is_database(const std::string& path) {
  constexpr std::string_view magic = "SQLite format 3";
  std::string begin(magic.size(), ' ');
  std::ifstream file(path, std::ios::binary);
  return file.read(begin.data(), static_cast<std::streamsize>(begin.size())) && begin == magic;
}

StoredStudy::StoredStudy(const std::string& path) : database_(path, DatabaseUse::read) {
  if (!is_database(path))
    throw InputError({path}, "is no store of runs, which `orrery sweep` writes; name one");
  Statement version = database_.prepare("PRAGMA user_version");
  version.step();
  Statement application = database_.prepare("PRAGMA application_id");
  application.step();
  if (application.integer(0) != RunStore::application_id)
    throw InputError({path}, "is a database, but no store of runs, which `orrery sweep` writes; name one");
  if (version.integer(0) > RunStore::schema_version)
    throw InputError({path},
                     fmt::format("is a store of schema {}, and this program knows {}; use a newer Orrery",
                                 version.integer(0), RunStore::schema_version));
  std::vector<StoreColumn> results;
  Statement listed = database_.prepare("SELECT name, type, unit, meaning, role FROM columns ORDER BY rowid");
  while (listed.step()) {
    StoreColumn column{std::string(listed.text(0)), type_of_sql(listed.text(1)), std::string(listed.text(2)),
                       std::string(listed.text(3)), listed.text(4) == "key"};
    const bool is_name = column.name == "run" || column.name == "status" || column.name == "reason";
    if (listed.text(4) != "old key")
      (is_name || column.is_key ? columns_ : results).push_back(std::move(column));
  }
  std::stable_partition(columns_.begin(), columns_.end(),
                        [](const StoreColumn& column) { return !column.is_key; });
  std::ranges::move(results, std::back_inserter(columns_));
  std::ranges::copy(columns_of_stores(), std::back_inserter(columns_));
  for (const StoreColumn& column : columns_)
    for (const std::string& name :
         column.is_key ? names_of_key(column) : std::vector<std::string>{column.name})
      if (std::ranges::find(names_, name, &ExpressionName::name) == names_.end())
        names_.push_back({name, quoted_name(column.name), unit_of_title(column.name)});
  read_objectives(fact("objectives"), objectives_);
}

std::string StoredStudy::fact(std::string_view name) const {
  Statement statement = database_.prepare("SELECT value FROM study WHERE fact = ?");
  statement.bind(1, name);
  return statement.step() ? std::string(statement.text(0)) : std::string();
}

const StoreColumn* StoredStudy::find(std::string_view name) const {
  // A key may be called by the last words of its path.
  const auto known = std::ranges::find(names_, name, &ExpressionName::name);
  const auto is_it = [&](const StoreColumn& column) {
    return column.name == name || (known != names_.end() && known->sql == quoted_name(column.name));
  };
  const auto column = std::ranges::find_if(columns_, is_it);
  return column == columns_.end() ? nullptr : &*column;
}

std::string StoredStudy::condition_of(const RunSelection& selection) const {
  std::string condition = selection.of_earlier_sweeps ? "1" : "number IS NOT NULL";
  if (!selection.where.empty())
    condition += " AND (" + sql_of_expression(selection.where, {"--where"}, names_, plain_quantity) + ")";
  return condition;
}

Statement StoredStudy::rows(const std::vector<StoreColumn>& columns, const RunSelection& selection) {
  std::string names;
  for (const StoreColumn& column : columns)
    names.append(names.empty() ? "" : ", ").append(quoted_name(column.name));
  std::string sql = fmt::format("SELECT {} FROM runs WHERE {} ORDER BY ", names, condition_of(selection));
  if (!selection.sort.empty())
    sql += sql_of_expression(selection.sort, {"--sort"}, names_, plain_quantity) + ", ";
  sql += "number IS NULL, number, key";
  if (selection.limit) sql += fmt::format(" LIMIT {}", *selection.limit);
  const std::string flag = selection.sort.empty() ? "--where" : "--sort";
  std::optional<Statement> statement;
  with_expression(selection.sort.empty() ? selection.where : selection.sort, {flag},
                  [&] { statement.emplace(database_.prepare(sql, SourceLocation{flag})); });
  return std::move(*statement);
}

Statement StoredStudy::query(const std::string& sql) {
  database_.permit_reading_only();
  try {
    return database_.prepare(sql, SourceLocation{"--query"});
  } catch (const InputError& error) {
    throw InputError({"--query"},
                     fmt::format("{} is no SELECT over the tables of the file ({}); write one such as "
                                 "`SELECT run, step_us FROM runs`",
                                 backquoted(sql), error.message()));
  }
}

std::size_t StoredStudy::count(const RunSelection& selection) {
  const std::string sql = "SELECT count(*) FROM runs WHERE " + condition_of(selection);
  std::size_t count = 0;
  with_expression(selection.where, {"--where"}, [&] {
    Statement counted = database_.prepare(sql);
    counted.step();
    count = static_cast<std::size_t>(counted.integer(0));
  });
  return count;
}

std::size_t StoredStudy::failed_runs() {
  RunSelection failed;
  failed.where = "status == 'failed'";
  return count(failed);
}

bool StoredStudy::has_values(const StoreColumn& column) {
  Statement any = database_.prepare(fmt::format(
      "SELECT 1 FROM runs WHERE number IS NOT NULL AND {} IS NOT NULL LIMIT 1", quoted_name(column.name)));
  return any.step();
}

TypedTable StoredStudy::table(const std::vector<StoreColumn>& columns, const RunSelection& selection) {
  TypedTable table;
  table.name = "runs";
  for (const StoreColumn& column : columns)
    table.columns.push_back(typed_column(column.name, column.unit, column.meaning, column.type));
  Statement row = rows(columns, selection);
  while (row.step()) {
    for (std::size_t i = 0; i < columns.size(); ++i)
      table.columns[i].add(cell_of(row, static_cast<int>(i), columns[i].type));
    ++table.rows;
  }
  return table;
}

std::vector<StoredStudy::Reason> StoredStudy::reasons(std::size_t most) {
  constexpr std::size_t most_kinds = 10'000;
  std::map<std::string, Reason> kinds;
  Statement failed = database_.prepare(
      "SELECT reason, count(*) FROM runs WHERE status = 'failed' AND number IS NOT NULL GROUP BY reason "
      "ORDER BY min(number)");
  while (failed.step()) {
    const std::string text(failed.text(0));
    if (kinds.size() >= most_kinds) break;
    Reason& reason = kinds.try_emplace(without_numbers(text), Reason{text, 0}).first->second;
    reason.runs += static_cast<std::size_t>(failed.integer(1));
  }
  std::vector<Reason> reasons;
  for (auto& [kind, reason] : kinds) reasons.push_back(std::move(reason));
  std::ranges::stable_sort(reasons, std::ranges::greater{}, &Reason::runs);
  if (reasons.size() > most) reasons.resize(most);
  return reasons;
}

}  // namespace orrery::core
