// Lists what comes with the program, for `orrery list` and for programs: devices, models, transformers,
// platforms, software stacks, host stacks and backends.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compute/device.hpp"
#include "report/table/row_sink.hpp"
#include "report/table/table.hpp"
#include "workload/transformer/transformer.hpp"

namespace orrery::core {

// One of the tables. A row begins with what users write.
struct CatalogueTable {
  std::string_view name;             // "devices"
  std::string_view list;             // that of `orrery list` which shows it
  std::string (*text)();             // for a terminal
  nlohmann::ordered_json (*json)();  // a list of objects
  TableRows (*rows)();               // as programs see it

  std::string key() const;  // of the list in JSON
};
std::span<const CatalogueTable> catalogue_tables();
// Requires a table of that name, and returns it as programs see it.
NamedRows catalogue_rows(std::string_view name);

struct ListedDevice {
  std::string name;  // what users write
  Device device;
};
// Programs see more columns, in place of members of more than one value that JSON has: peaks by datatype and
// sources.
extern const Table<ListedDevice> device_table;

struct ListedTransformer {
  std::string word;  // what users call it, such as "llama3-8b", or a file
  Transformer model;
};
extern const Table<ListedTransformer> transformer_table;
// Returns an object with the list.
nlohmann::ordered_json transformer_list_to_json(const std::vector<ListedTransformer>& transformers);

}  // namespace orrery::core
