// Hands tables to other libraries by Apache Arrow's C stream interface.
#pragma once

#include <memory>

#include "orrery/arrow.hpp"
#include "report/table/typed_table.hpp"

namespace orrery::core {

// Makes a stream of one batch, a structure with a child for each column. What is read from it shares the
// table's values, and keeps them alive until it is released.
void export_arrow(std::shared_ptr<const TypedTable> table, ArrowArrayStream& stream);

}  // namespace orrery::core
