// The constants of machines and software that users can fit to measurements of their own.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collective/library/collective_library.hpp"
#include "compute/device.hpp"
#include "workload/training/training_setup.hpp"

namespace orrery::core {

// The parts of a machine that have constants. A part is null where nothing is known of it.
struct ConstantsOf {
  const Device* device = nullptr;
  const CollectiveLibrary* library = nullptr;
  const SoftwareStack* stack = nullptr;
};

struct Constant {
  enum class Unit : std::uint8_t { number, us };

  std::string_view key;  // below a platform, such as "stack.kernel-slowdown"
  Unit unit;
  double least, most;
  // Where the fit begins if the machine's own value is 0, which no factor would change.
  double begin;
  double (*of)(const ConstantsOf& machine);
  // The constant with which it moves, in proportion, where it is not fitted itself; empty: it stays.
  std::string_view follows = {};

  // Returns the value as it is written in a file.
  std::string text(double value) const;
};

// Those of a device that products of matrices tell, those of links inside nodes and between them that
// collectives tell, and those of a software stack that kernels or whole steps tell. The first of each are
// the last to be given up.
std::span<const Constant> product_constants();
std::span<const Constant> inside_constants();
std::span<const Constant> between_constants();
std::span<const Constant> kernel_constants();
std::span<const Constant> step_constants();

// Values of constants in the order of a list of them.
using ConstantValues = std::vector<double>;

// Returns "prefix.key=value" for each, as `--set` takes it.
std::vector<std::string> settings_of(std::span<const Constant> constants, const ConstantValues& values,
                                     std::string_view prefix);

}  // namespace orrery::core
