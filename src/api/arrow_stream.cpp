#include "api/arrow_stream.hpp"

#include <cerrno>
#include <cstring>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace orrery::core {

namespace {

constexpr std::int64_t nullable = 2;  // ARROW_FLAG_NULLABLE

const char* format_of(ValueType type) {
  switch (type) {
    case ValueType::boolean:
      return "b";
    case ValueType::integer:
      return "l";
    case ValueType::real:
      return "g";
    case ValueType::text:
    case ValueType::none:
      break;
  }
  return "U";  // UTF-8 with offsets of 64 bits
}

void append_number(std::string& bytes, std::int32_t number) {
  char raw[sizeof number];
  std::memcpy(raw, &number, sizeof number);
  bytes.append(raw, sizeof raw);
}

// Returns pairs of keys and values as the C data interface encodes them: each with its length in front.
std::string metadata_of(const TypedColumn& column) {
  const std::pair<std::string, const std::string&> pairs[] = {{"unit", column.unit},
                                                              {"meaning", column.meaning}};
  std::string bytes;
  append_number(bytes, static_cast<std::int32_t>(std::size(pairs)));
  for (const auto& [key, value] : pairs) {
    append_number(bytes, static_cast<std::int32_t>(key.size()));
    bytes += key;
    append_number(bytes, static_cast<std::int32_t>(value.size()));
    bytes += value;
  }
  return bytes;
}

// A schema or an array refers to such parts. They belong to the structure at the top, and a child that is
// moved out of it keeps it alive.
struct SchemaParts {
  std::shared_ptr<const TypedTable> table;
  std::vector<std::string> metadata;
  std::vector<ArrowSchema> children;
  std::vector<ArrowSchema*> pointers;
};

struct ArrayParts {
  std::shared_ptr<const TypedTable> table;
  std::vector<ArrowArray> children;
  std::vector<ArrowArray*> pointers;
  std::vector<std::vector<const void*>> buffers;
  const void* no_buffer = nullptr;  // of the structure, in which no row is missing
};

template <class Arrow>
using PartsOf = std::conditional_t<std::is_same_v<Arrow, ArrowSchema>, SchemaParts, ArrayParts>;

// Children that nobody has moved out are released with the structure.
template <class Arrow>
void release(Arrow* released) {
  for (std::int64_t i = 0; i < released->n_children; ++i)
    if (released->children[i]->release) released->children[i]->release(released->children[i]);
  delete static_cast<std::shared_ptr<PartsOf<Arrow>>*>(released->private_data);
  released->release = nullptr;
}

template <class Arrow>
void own(Arrow& owner, const std::shared_ptr<PartsOf<Arrow>>& parts) {
  owner.private_data = new std::shared_ptr<PartsOf<Arrow>>(parts);
  owner.release = release<Arrow>;
}

void make_schema(const std::shared_ptr<const TypedTable>& table, ArrowSchema& schema) {
  const auto parts = std::make_shared<SchemaParts>();
  parts->table = table;
  for (const TypedColumn& column : table->columns) parts->metadata.push_back(metadata_of(column));
  parts->children.resize(table->columns.size());
  for (std::size_t i = 0; i < table->columns.size(); ++i) {
    const TypedColumn& column = table->columns[i];
    ArrowSchema& child = parts->children[i];
    child = {format_of(column.type),
             column.name.c_str(),
             parts->metadata[i].data(),
             nullable,
             0,
             nullptr,
             nullptr,
             nullptr,
             nullptr};
    own(child, parts);
    parts->pointers.push_back(&child);
  }
  schema = {
      "+s",    "",      nullptr, 0, static_cast<std::int64_t>(parts->children.size()), parts->pointers.data(),
      nullptr, nullptr, nullptr};
  own(schema, parts);
}

std::vector<const void*> buffers_of(const TypedColumn& column) {
  const void* const known = column.missing > 0 ? column.known.data() : nullptr;
  switch (column.type) {
    case ValueType::boolean:
      return {known, column.booleans.data()};
    case ValueType::integer:
      return {known, column.integers.data()};
    case ValueType::real:
      return {known, column.reals.data()};
    case ValueType::text:
    case ValueType::none:
      break;
  }
  return {known, column.text_ends.data(), column.texts.data()};
}

void make_array(const std::shared_ptr<const TypedTable>& table, ArrowArray& array) {
  const auto parts = std::make_shared<ArrayParts>();
  parts->table = table;
  const auto rows = static_cast<std::int64_t>(table->rows);
  for (const TypedColumn& column : table->columns) parts->buffers.push_back(buffers_of(column));
  parts->children.resize(table->columns.size());
  for (std::size_t i = 0; i < table->columns.size(); ++i) {
    ArrowArray& child = parts->children[i];
    child = {rows,    static_cast<std::int64_t>(table->columns[i].missing),
             0,       static_cast<std::int64_t>(parts->buffers[i].size()),
             0,       parts->buffers[i].data(),
             nullptr, nullptr,
             nullptr, nullptr};
    own(child, parts);
    parts->pointers.push_back(&child);
  }
  array = {rows,
           0,
           0,
           1,
           static_cast<std::int64_t>(parts->children.size()),
           &parts->no_buffer,
           parts->pointers.data(),
           nullptr,
           nullptr,
           nullptr};
  own(array, parts);
}

struct StreamParts {
  std::shared_ptr<const TypedTable> table;
  bool taken = false;  // the one batch
};

StreamParts& parts_of(ArrowArrayStream* stream) {
  return *static_cast<StreamParts*>(stream->private_data);
}

// Calls a function that C calls, which may throw nothing.
template <class Function>
int guarded(const Function& function) {
  try {
    function();
  } catch (const std::bad_alloc&) {
    return ENOMEM;
  }
  return 0;
}

}  // namespace

void export_arrow(std::shared_ptr<const TypedTable> table, ArrowArrayStream& stream) {
  stream.get_schema = [](ArrowArrayStream* from, ArrowSchema* out) {
    return guarded([&] { make_schema(parts_of(from).table, *out); });
  };
  stream.get_next = [](ArrowArrayStream* from, ArrowArray* out) {
    StreamParts& parts = parts_of(from);
    if (std::exchange(parts.taken, true)) {
      *out = {};  // an array without release() says that there are no more
      return 0;
    }
    return guarded([&] { make_array(parts.table, *out); });
  };
  stream.get_last_error = [](ArrowArrayStream*) -> const char* { return nullptr; };
  stream.release = [](ArrowArrayStream* released) {
    delete &parts_of(released);
    released->release = nullptr;
  };
  stream.private_data = new StreamParts{std::move(table)};
}

}  // namespace orrery::core
