// A text is refused with an InputError, or becomes an algorithm that every member can carry out.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "collective/algorithms/algorithms.hpp"
#include "collective/algorithms/written/msccl_file.hpp"
#include "collective/algorithms/written/written_source.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace orrery::core;
  try {
    Warnings warnings;
    const WrittenFile file(read_msccl_file({reinterpret_cast<const char*>(data), size}, "input", warnings));
    const WrittenAlgorithm& algorithm = file.algorithm();
    PhaseRequest request{algorithm.kind, algorithm.least, algorithm.size()};
    request.written = &file;
    const Schedule schedule = msccl_algorithm.make(request);
    const auto& programs = std::get<ProgramSchedule>(schedule);
    if (programs.size() != algorithm.size() || programs.sends() == 0) std::abort();
  } catch (const InputError&) {
  }
  return 0;
}
