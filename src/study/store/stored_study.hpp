// Reads a store of runs for those who show it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/database/database.hpp"
#include "base/database/expression.hpp"
#include "report/table/typed_table.hpp"
#include "study/space/yaml_sweep.hpp"
#include "study/store/run_columns.hpp"

namespace orrery::core {

// Which runs of a store are shown, and in which order.
struct RunSelection {
  std::string where;  // an expression over the columns; empty: all runs
  std::string sort;   // expressions with commas between them, each maybe with `desc`; empty: number
  std::optional<std::size_t> limit;  // runs at most
  bool of_earlier_sweeps = false;    // also runs that the sweep of the store does not have any more
};

class StoredStudy {
 public:
  // Throws InputError where the file is no store that this program can read.
  explicit StoredStudy(const std::string& path);

  const std::string& path() const { return database_.path(); }
  std::string fact(std::string_view name) const;
  const std::vector<Objective>& objectives() const { return objectives_; }
  // Returns the columns of runs: first what says which run it is, then the keys, then the results.
  const std::vector<StoreColumn>& columns() const { return columns_; }
  const StoreColumn* find(std::string_view column) const;

  // Returns a statement whose rows are the runs, with these columns. Throws InputError where the selection is
  // no expression; its places are the flags.
  Statement rows(const std::vector<StoreColumn>& columns, const RunSelection& selection);
  // Returns a statement of SQL that a user wrote. Throws InputError where it would change something.
  Statement query(const std::string& sql);
  std::size_t count(const RunSelection& selection);
  std::size_t failed_runs();
  // Returns whether any run of the sweep has a value there.
  bool has_values(const StoreColumn& column);
  // Returns the runs as a table. `columns` are some of columns().
  TypedTable table(const std::vector<StoreColumn>& columns, const RunSelection& selection);

  struct Reason {
    std::string text;  // of the first run that failed so
    std::size_t runs = 0;
  };
  // Returns why runs failed, the most frequent reason first. Reasons that differ in numbers alone are one.
  std::vector<Reason> reasons(std::size_t most);

 private:
  std::string condition_of(const RunSelection& selection) const;

  mutable Database database_;
  std::vector<StoreColumn> columns_;
  std::vector<ExpressionName> names_;
  std::vector<Objective> objectives_;
};

// Returns whether a file is a SQLite database, as a store is.
bool is_database(const std::string& path);

// Returns whether a process has made this store, but was killed before it could say of which sweep it is.
bool is_hardly_begun(const std::string& path);

// Puts the runs of several stores of one sweep into one, which is made unless it is there. Of a run that
// several have, the one that ended last counts. Stores that are hardly begun are left out. Returns how many
// runs the store holds then. Throws InputError where stores are not of the same sweep.
std::size_t merge_stores(const std::string& into, const std::vector<std::string>& from);

}  // namespace orrery::core
