// orrery results: shows the runs in a store.
#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/diagnostics/words.hpp"
#include "base/files/output_files.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/flags/flag_values.hpp"
#include "cli/flags/result_outputs.hpp"
#include "report/table/table.hpp"
#include "study/store/stored_study.hpp"

namespace orrery::core {

namespace {

struct ResultsFlags {
  const CLI::App* command;
  std::string file, where, sort, query, output;
  std::vector<std::string> columns;
  std::optional<std::size_t> limit;
  bool json = false, csv = false, earlier = false;
};

constexpr std::size_t shown_on_a_terminal = 20;

// Writes rows of a statement one after the other, so that there may be a million.
class RowWriter {
 public:
  RowWriter(Statement& rows, bool json) : rows_(rows), json_(json) {
    for (int i = 0; i < rows.columns(); ++i) names_.push_back(rows.column_name(i));
  }

  std::string title() const {
    if (json_) return "[";
    std::string line;
    for (const std::string& name : names_) line.append(line.empty() ? "" : ",").append(csv_cell(name));
    return line + "\n";
  }
  std::string row(bool first) const {
    if (json_) return (first ? "\n" : ",\n") + object().dump();
    std::string line;
    for (int i = 0; i < rows_.columns(); ++i) {
      if (i > 0) line += ',';
      if (rows_.is_integer(i))
        append_csv_number(line, rows_.integer(i));
      else if (rows_.is_real(i))
        append_csv_real(line, rows_.real(i), -1);
      else if (!rows_.is_null(i))
        line += csv_cell(std::string(rows_.text(i)));
    }
    return line + "\n";
  }
  std::string end() const { return json_ ? "\n]\n" : ""; }

 private:
  nlohmann::ordered_json object() const {
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    for (int i = 0; i < rows_.columns(); ++i) {
      const std::string& name = names_[static_cast<std::size_t>(i)];
      if (rows_.is_integer(i))
        json[name] = rows_.integer(i);
      else if (rows_.is_real(i))
        json[name] = rows_.real(i);
      else if (!rows_.is_null(i))
        json[name] = std::string(rows_.text(i));
    }
    return json;
  }

  Statement& rows_;
  bool json_;
  std::vector<std::string> names_;
};

// Values of keys have all their digits, as users wrote them.
std::string cell_for_people(const Statement& rows, int column, std::string_view unit, bool is_key) {
  if (rows.is_null(column)) return {};
  if (is_key && rows.is_real(column)) return fmt::format("{}", rows.real(column));
  if (is_key && rows.is_integer(column)) return fmt::format("{}", rows.integer(column));
  if (rows.is_integer(column)) return readable(Cell(rows.integer(column)), unit);
  if (rows.is_real(column)) return readable(Cell(rows.real(column)), unit);
  return std::string(rows.text(column));
}

TextTable text_table(Statement& rows, const StoredStudy& study) {
  TextTable table;
  std::vector<std::string_view> units;
  std::vector<bool> are_keys;
  for (int i = 0; i < rows.columns(); ++i) {
    const std::string name = rows.column_name(i);
    const StoreColumn* const column = study.find(name);
    units.push_back(column ? std::string_view(column->unit) : std::string_view());
    are_keys.push_back(column && column->is_key);
    table.columns.push_back({name, column && column->type == ValueType::text});
  }
  std::vector<bool> have_values(units.size());
  while (rows.step()) {
    std::vector<std::string>& line = table.rows.emplace_back();
    for (int i = 0; i < rows.columns(); ++i)
      line.push_back(cell_for_people(rows, i, units[static_cast<std::size_t>(i)],
                                     are_keys[static_cast<std::size_t>(i)]));
    for (std::size_t i = 0; i < line.size(); ++i) have_values[i] = have_values[i] || !line[i].empty();
  }
  // Columns without contents are left out of tables, but somebody has asked for these.
  for (std::vector<std::string>& line : table.rows)
    for (std::size_t i = 0; i < line.size(); ++i)
      if (!have_values[i]) line[i] = "-";
  return table;
}

// Returns the columns that people see unless they name others: the keys, the objectives, and what most ask
// for. The number leads, as it stands in front of each part of a table that is too wide.
std::vector<StoreColumn> usual_columns(StoredStudy& study) {
  std::vector<std::string> names;
  if (study.failed_runs() > 0) names.emplace_back("status");
  for (const Objective& objective : study.objectives()) names.push_back(objective.column);
  for (const char* name :
       {"step_us", "exposed_share", "model_flop_utilization", "memory_bytes", "network_cost_usd"})
    names.emplace_back(name);
  std::vector<StoreColumn> columns{*study.find("number")};
  for (const StoreColumn& column : study.columns())
    if (column.is_key) columns.push_back(column);
  for (const std::string& name : names) {
    const StoreColumn* const column = study.find(name);
    if (column && study.has_values(*column) &&
        std::ranges::find(columns, name, &StoreColumn::name) == columns.end())
      columns.push_back(*column);
  }
  return columns;
}

std::vector<StoreColumn> chosen_columns(const ResultsFlags& flags, StoredStudy& study, bool for_people) {
  if (flags.columns.empty()) return for_people ? usual_columns(study) : study.columns();
  std::vector<StoreColumn> columns;
  std::vector<std::string_view> known;
  for (const StoreColumn& column : study.columns()) known.push_back(column.name);
  for (const std::string& written : flags.columns) {
    const std::size_t begin = written.find_first_not_of(' ');
    const std::string name =
        begin == std::string::npos ? "" : written.substr(begin, written.find_last_not_of(' ') + 1 - begin);
    const StoreColumn* const column = study.find(name);
    if (!column)
      throw InputError({"--columns"}, "there is no column " + backquoted(name) + suggestion(name, known) +
                                          "; `orrery results --csv` shows all");
    columns.push_back(*column);
  }
  return columns;
}

void print_table(Statement& rows, StoredStudy& study, const RunSelection& selection, bool counted) {
  print(text_table(rows, study).text());
  if (!counted) return;
  RunSelection all = selection;
  all.limit.reset();
  const std::size_t count = study.count(all);
  if (selection.limit && *selection.limit < count)
    print(fmt::format("{} of {} runs; --limit {} shows all, --sort COLUMN others\n", *selection.limit, count,
                      count));
  else
    print(fmt::format("{} runs\n", count));
}

// Writes the rows to --output, or prints them.
void write_rows(Statement& rows, const ResultsFlags& flags) {
  const RowWriter writer(rows, flags.json);
  std::string text = writer.title();
  bool first = true;
  const bool to_file = !flags.output.empty() && flags.output != standard_output;
  constexpr std::size_t worth_a_call = std::size_t{1} << 20;
  while (rows.step()) {
    text += writer.row(first);
    first = false;
    if (to_file || text.size() < worth_a_call) continue;
    flags.json ? print_json(text) : print(text);
    text.clear();
  }
  text += writer.end();
  if (to_file)
    write_output(flags.output, text);
  else
    flags.json ? print_json(text) : print(text);
}

int show(const ResultsFlags& flags) {
  if (flags.file.empty()) throw InputError({}, "name the file of a sweep, such as results/NAME.sqlite");
  if (flags.csv && flags.json)
    throw InputError({"--csv"}, "is another form than --json; leave one of them out");
  StoredStudy study(flags.file);
  const bool for_people = !flags.json && !flags.csv && flags.output.empty();
  RunSelection selection{flags.where, flags.sort, flags.limit, flags.earlier};
  if (for_people && !selection.limit) selection.limit = shown_on_a_terminal;
  if (!flags.query.empty()) {
    for (const char* flag : {"--where", "--sort", "--limit", "--columns", "--earlier"})
      if (flags.command->count(flag) > 0)
        throw InputError({flag}, "is part of the SQL where there is a --query; leave it out");
    Statement rows = study.query(flags.query);
    if (for_people)
      print_table(rows, study, {}, false);
    else
      write_rows(rows, flags);
    return success;
  }
  Statement rows = study.rows(chosen_columns(flags, study, for_people), selection);
  if (for_people)
    print_table(rows, study, selection, true);
  else
    write_rows(rows, flags);
  return success;
}

struct MergeFlags {
  const CLI::App* command;
  std::string into;
  std::vector<std::string> from;
};

int merge(const MergeFlags& flags) {
  if (flags.into.empty() || flags.from.empty())
    throw InputError({"orrery results merge"}, "name the store to make, and then the stores to put into it");
  print(fmt::format("{}: {} runs\n", flags.into, merge_stores(flags.into, flags.from)));
  return success;
}

}  // namespace

Command add_results_command(CLI::App& command) {
  auto flags = std::make_shared<ResultsFlags>();
  flags->command = &command;
  command.add_option("store", flags->file, "File that `orrery sweep` has written");
  command.add_option(
      "--where", flags->where,
      "Only runs for which an expression over the columns is true, such as 'tensor == 8 and step_us "
      "< 5 ms'");
  command.add_option("--sort", flags->sort, "Columns to sort by, such as 'network_cost_usd, step_us desc'");
  command.add_option("--columns", flags->columns, "Columns to show, with commas")->delimiter(',');
  command.add_option("--limit", flags->limit, "So many runs at most (default: 20 on a terminal, else all)")
      ->check(from_to(0, 1'000'000'000));
  command.add_flag("--earlier", flags->earlier,
                   "Show also runs of earlier sweeps that the present one lacks");
  command.add_option("--query", flags->query,
                     "Show what a SELECT of SQL over the tables of the file returns");
  command.add_flag("--csv", flags->csv, "Print as CSV, with all columns");
  command.add_flag("--json", flags->json, "Print as JSON, a list with an object for each run");
  command.add_option("--output", flags->output, "File for the CSV, or the JSON; -: standard output");
  auto merged = std::make_shared<MergeFlags>();
  CLI::App& merging =
      *command.add_subcommand("merge", "Put the runs of several stores of one sweep into one");
  merged->command = &merging;
  merging.add_option("into", merged->into, "Store for all runs, which is made unless it is there");
  merging.add_option("from", merged->from, "Stores of parts of the sweep");
  return [flags, merged](const CommandLine&) { return *merged->command ? merge(*merged) : show(*flags); };
}

}  // namespace orrery::core
