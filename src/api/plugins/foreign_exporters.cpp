// Exporters of plug-ins, to which tables come as plain values.
#include "study/run/foreign_exporters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "api/plugins/extensions.hpp"
#include "api/typed_values.hpp"
#include "report/summary/run_tables.hpp"
#include "report/table/typed_table.hpp"

namespace orrery::core {
namespace {

ExportedValue value_at(const TypedColumn& column, std::size_t row) {
  if (column.missing > 0 && !column.known[row]) return std::monostate();
  switch (column.type) {
    case ValueType::boolean:
      return column.booleans[row];
    case ValueType::integer:
      return column.integers[row];
    case ValueType::real:
      return column.reals[row];
    case ValueType::text:
    case ValueType::none:
      break;
  }
  return std::string(column.text(row));
}

class OutputOfRun : public ExportedRun {
 public:
  explicit OutputOfRun(const RunOutput& run) : run_(run), tables_(tables_of(run)) {
    tables_.push_back({"layers.csv", {layer_table, layer_rows(run.summary)}});
  }

  std::string name() const override { return run_.spec.name; }
  orrery::Time time() const override { return orrery::Time::picoseconds(run_.summary.total.ps()); }
  std::string json() const override { return json_text(run_.summary); }

  std::vector<std::string> tables() const override {
    std::vector<std::string> names;
    for (const NamedRows& table : tables_) names.push_back(name_of(table));
    return names;
  }

  ExportedTable table(std::string_view name) const override {
    const auto found = std::ranges::find(tables_, name, name_of);
    if (found == tables_.end()) throw std::out_of_range(fmt::format("the run has no table {}", name));
    const TypedTable typed = typed_table(*found);
    ExportedTable made;
    made.name = typed.name;
    for (const TypedColumn& column : typed.columns) {
      made.columns.push_back(column_info(column));
      std::vector<ExportedValue>& values = made.values.emplace_back();
      for (std::size_t row = 0; row < typed.rows; ++row) values.push_back(value_at(column, row));
    }
    return made;
  }

 private:
  static std::string name_of(const NamedRows& table) { return table.file.substr(0, table.file.rfind('.')); }

  const RunOutput& run_;
  std::vector<NamedRows> tables_;
};

}  // namespace

void add_foreign_exporters(const Registry& registry, Extensions& extensions) {
  for (const auto& [name, exporter] : registry.exporters())
    extensions.add(name, ForeignExporter{[name = name, exporter = exporter](const RunOutput& run) {
                     const SourceLocation where{fmt::format("run {}", run.spec.name)};
                     return call_plugin("the exporter `" + name + "`", where, [&] {
                       std::vector<std::pair<std::string, std::string>> files;
                       for (ExportedFile& file : exporter->files(OutputOfRun(run)))
                         files.emplace_back(std::move(file.name), std::move(file.content));
                       return files;
                     });
                   }});
}

}  // namespace orrery::core
