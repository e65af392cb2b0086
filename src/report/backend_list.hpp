// Lists which operations PyTorch's backends have, for `orrery list` and for programs.
#pragma once

#include <string>
#include <vector>

#include "collective/library/backend.hpp"
#include "report/table/table.hpp"

namespace orrery::core {

// Whether a backend has an operation on buffers in one kind of memory.
struct ListedOperation {
  std::string backend, name, source;
  LibraryOperation operation;
  Buffers buffers = Buffers::cpu;
  bool is_there = false;
  std::string needs;  // what else has to be there; empty: nothing
};
extern const Table<ListedOperation> backend_operation_table;

std::vector<ListedOperation> listed_operations();
// Returns the operations in lines, and in two columns for each backend whether it has them.
std::string backend_list_text();

}  // namespace orrery::core
