// What the columns of tables are, as programs see them.
#pragma once

#include "orrery/table.hpp"
#include "report/table/typed_table.hpp"

namespace orrery::core {

ColumnInfo column_info(const TypedColumn& column);

}  // namespace orrery::core
