// Files that do not come with Orrery and are written of each run. The whole of one is
// examples/plugins/slowest_layers.cpp.
//
//   class Slowest : public orrery::Exporter {
//     std::vector<orrery::ExportedFile> files(const orrery::ExportedRun& run) const override { ... }
//   };
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "orrery/table.hpp"
#include "orrery/time.hpp"

namespace orrery {

// One value of a table in the unit of its column; none where it is missing.
using ExportedValue = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

// A table with all its values.
struct ExportedTable {
  std::string name;                                // that of its file without ".csv"
  std::vector<ColumnInfo> columns;                 // what each column means
  std::vector<std::vector<ExportedValue>> values;  // by column, then by row

  std::size_t rows() const { return values.empty() ? 0 : values.front().size(); }
};

// A run that has ended well.
class ExportedRun {
 public:
  virtual ~ExportedRun() = default;
  virtual std::string name() const = 0;                 // of the run
  virtual Time time() const = 0;                        // until the last rank's program has ended
  virtual std::string json() const = 0;                 // all of summary.json that is about this run
  virtual std::vector<std::string> tables() const = 0;  // their names
  // Requires one of these names.
  virtual ExportedTable table(std::string_view name) const = 0;
};

// A file of a run.
struct ExportedFile {
  std::string name;     // a plain name, such as "slowest.txt"
  std::string content;  // its bytes
};

// Writes files of runs into the folder `exports` of each run that has reports. Several threads may use one.
class Exporter {
 public:
  virtual ~Exporter() = default;
  // Returns the files, which are written with these contents or not at all.
  virtual std::vector<ExportedFile> files(const ExportedRun& run) const = 0;
};

}  // namespace orrery
