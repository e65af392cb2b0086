// Hands tables to other libraries by Apache Arrow's C stream interface
// (https://arrow.apache.org/docs/format/CStreamInterface.html). The three structures are laid out as that
// document and the C data interface define them, because they are an agreement between programs that share no
// code.
#pragma once

#include <cstdint>
#include <memory>

#include "report/table/typed_table.hpp"

struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};

struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema* out);
  int (*get_next)(ArrowArrayStream*, ArrowArray* out);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};

namespace orrery::core {

// Makes a stream of one batch, a structure with a child for each column. What is read from it shares the
// table's values, and keeps them alive until it is released.
void export_arrow(std::shared_ptr<const TypedTable> table, ArrowArrayStream& stream);

}  // namespace orrery::core
