// A text is refused with an InputError, or read: as ASTRA-sim 2's system file, remote-memory file, group file
// and as the process groups of a metadata node. What was read is within its limits.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/diagnostics/diagnostics.hpp"
#include "study/astra2/process_groups.hpp"
#include "study/astra2/system_json.hpp"

namespace {

template <class Read>
void read_or_refuse(const Read& read) {
  try {
    read();
  } catch (const orrery::core::InputError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace orrery::core;
  const std::string text(reinterpret_cast<const char*>(data), size);
  Warnings warnings;
  read_or_refuse([&] {
    SystemConfig streams;
    TraceRules rules;
    read_system_json(text, "input", 2.5, streams, rules, warnings);
    if (streams.endpoint_delay > Time::longest_input() || streams.chunks < 1) std::abort();
  });
  read_or_refuse([&] {
    const RemoteMemory memory = read_memory_json(text, "input", warnings);
    if (memory.kind != RemoteMemory::Kind::none && memory.bytes_per_ns < 1) std::abort();
  });
  read_or_refuse([&] {
    constexpr int npus = 8;
    for (const auto& [id, members] : read_groups_json(text, "input", npus, warnings))
      for (const int member : members)
        if (member < 0 || member >= npus) std::abort();
  });
  read_or_refuse([&] { read_process_groups(text); });
  return 0;
}
