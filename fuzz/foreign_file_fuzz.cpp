// Any text is of a kind of foreign files or of none, and is refused where it is one that is read nowhere.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/files/foreign_files.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace orrery::core;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const ForeignFile* file = foreign_file_of(text);
  try {
    refuse_foreign(text, "input");
    if (file) std::abort();
  } catch (const InputError&) {
    if (!file) std::abort();
  }
  return 0;
}
