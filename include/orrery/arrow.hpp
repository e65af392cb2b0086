// The structures of Apache Arrow's C data and C stream interfaces, by which tables are handed to other
// libraries (https://arrow.apache.org/docs/format/CDataInterface.html,
// https://arrow.apache.org/docs/format/CStreamInterface.html).
//
// They are laid out as these documents define them, because they are an agreement between programs that share
// no code, and are left out where another header has defined them already.
//
//   ArrowArrayStream stream;
//   run.table("layers").value().export_arrow(&stream);
//   ArrowSchema schema;
//   if (stream.get_schema(&stream, &schema) == 0) {
//     std::cout << schema.n_children << " columns\n";
//     schema.release(&schema);
//   }
//   stream.release(&stream);
#pragma once

#include <cstdint>

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

// Describes the type of an array. What it points to lives until release() is called.
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

// The values of an array. What it points to lives until release() is called.
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

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

// Arrays of one type, one after another. Its functions return 0, or a number of errno.
struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema* out);
  int (*get_next)(ArrowArrayStream*, ArrowArray* out);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};

#endif
