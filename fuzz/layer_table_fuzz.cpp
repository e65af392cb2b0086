// A text is refused with an InputError, or read and then written and read again without a change.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "workload/astra1/layer_table_reader.hpp"
#include "workload/astra1/layer_table_writer.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace orrery::core;
  Warnings warnings;
  LayerTable table;
  try {
    table = read_layer_table({reinterpret_cast<const char*>(data), size}, "input", warnings);
  } catch (const InputError&) {
    return 0;
  }
  const std::string written = write_layer_table(table);
  if (write_layer_table(read_layer_table(written, "written", warnings)) != written) std::abort();
  return 0;
}
