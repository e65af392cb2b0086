// Whatever the text, reading what a sweep varies ends with its points or an InputError. The key is read as
// that of an experiment, with its conditions and samples.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/input/input_node.hpp"
#include "study/space/sweep_points.hpp"
#include "study/space/swept_document.hpp"
#include "study/space/yaml_sweep.hpp"

namespace {

// A short text can describe a hundred million combinations, which are not gone through here.
bool is_small(const orrery::core::SweepSpace& space) {
  constexpr std::size_t most = 10'000;
  if (space.sample) return space.sample->runs <= 100;
  std::size_t combinations = 1;
  for (const orrery::core::SweepAxis& axis : space.axes) {
    if (axis.size() > most) return false;
    combinations *= std::max<std::size_t>(axis.size(), 1);
    if (combinations > most) return false;
  }
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace orrery::core;
  try {
    const InputNode node = parse_yaml({reinterpret_cast<const char*>(data), size}, "fuzz.yaml");
    const SweepSpace space = read_yaml_sweep(node);
    if (!is_small(space)) return 0;
    const SweepPoints points(space);
    for (std::size_t i = 0; i < std::min<std::size_t>(points.size(), 20); ++i)
      (void)name_of_point(space, points.at(i));
  } catch (const InputError&) {
  }
  return 0;
}
