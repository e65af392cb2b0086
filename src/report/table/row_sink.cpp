#include "report/table/row_sink.hpp"

namespace orrery::core {

TypedTable typed_table(const NamedRows& named) {
  TypedTable table;
  table.name = named.file.substr(0, named.file.rfind('.'));
  RowSink sink(table);
  named.rows.write(sink);
  return table;
}

std::string csv_text(const TableRows& rows) {
  std::string text;
  RowSink sink(text);
  rows.write(sink);
  return text;
}

}  // namespace orrery::core
