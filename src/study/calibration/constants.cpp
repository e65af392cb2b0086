#include "study/calibration/constants.hpp"

#include <fmt/format.h>

namespace orrery::core {
namespace {

constexpr double longest_us = 1e6;

constexpr Constant of_products[] = {
    {"device.roofline.matrix-efficiency", Constant::Unit::number, 0.01, 1, 0,
     [](const ConstantsOf& machine) { return machine.device->roofline.matrix_efficiency; }},
    {"device.roofline.launch", Constant::Unit::us, 1e-3, longest_us, 1,
     [](const ConstantsOf& machine) { return machine.device->roofline.launch_seconds * 1e6; }},
    {"device.roofline.memory-efficiency", Constant::Unit::number, 0.01, 1, 0,
     [](const ConstantsOf& machine) { return machine.device->roofline.memory_efficiency; }},
};

constexpr Constant of_inside[] = {
    {"inside.efficiency", Constant::Unit::number, 0.01, 1, 0,
     [](const ConstantsOf& machine) { return machine.library->numbers_of_links().inside.efficiency; }},
    {"inside.launch", Constant::Unit::us, 1e-3, longest_us, 1,
     [](const ConstantsOf& machine) {
       const CollectiveLibrary& library = *machine.library;
       return library.numbers_of_links().inside.launch_seconds.value_or(library.constants().launch_seconds) *
              1e6;
     }},
    {"inside.step", Constant::Unit::us, 1e-3, longest_us, 1,
     [](const ConstantsOf& machine) {
       return machine.library->numbers_of_links().inside.step_seconds * 1e6;
     }},
};

constexpr Constant of_between[] = {
    {"between.efficiency", Constant::Unit::number, 0.01, 1, 0,
     [](const ConstantsOf& machine) { return machine.library->numbers_of_links().between.efficiency; }},
    {"between.short-step", Constant::Unit::us, 1e-3, longest_us, 1,
     [](const ConstantsOf& machine) {
       return machine.library->numbers_of_links().between.short_step_seconds * 1e6;
     }},
    {"between.step", Constant::Unit::us, 1e-3, longest_us, 1,
     [](const ConstantsOf& machine) {
       return machine.library->numbers_of_links().between.step_seconds * 1e6;
     }},
};

constexpr Constant of_steps[] = {
    {"stack.kernel-slowdown", Constant::Unit::number, 0.1, 100, 0,
     [](const ConstantsOf& machine) { return machine.stack->kernel_slowdown; }},
    {"stack.elementwise-slowdown", Constant::Unit::number, 0.1, 100, 0,
     [](const ConstantsOf& machine) { return machine.stack->elementwise_slowdown; }, "stack.kernel-slowdown"},
    {"stack.exchange-efficiency", Constant::Unit::number, 0.001, 1, 0,
     [](const ConstantsOf& machine) { return machine.stack->exchange_efficiency; }},
    {"stack.sharding-efficiency", Constant::Unit::number, 0.001, 1, 0,
     [](const ConstantsOf& machine) { return machine.stack->sharding_efficiency; },
     "stack.exchange-efficiency"},
    {"stack.host-time-per-operator", Constant::Unit::us, 1e-3, longest_us, 1,
     [](const ConstantsOf& machine) { return machine.stack->host_time_per_operator.us(); }},
};
constexpr std::size_t kernel_constants_of_stack = 2;

}  // namespace

std::string Constant::text(double value) const {
  return fmt::format("{:.4g}{}", value, unit == Unit::us ? " us" : "");
}

std::span<const Constant> product_constants() {
  return of_products;
}
std::span<const Constant> inside_constants() {
  return of_inside;
}
std::span<const Constant> between_constants() {
  return of_between;
}
std::span<const Constant> kernel_constants() {
  return std::span(of_steps).first(kernel_constants_of_stack);
}
std::span<const Constant> step_constants() {
  return of_steps;
}

std::vector<std::string> settings_of(std::span<const Constant> constants, const ConstantValues& values,
                                     std::string_view prefix) {
  std::vector<std::string> settings;
  for (std::size_t i = 0; i < constants.size(); ++i)
    settings.push_back(fmt::format("{}.{}={:.9g}{}", prefix, constants[i].key, values[i],
                                   constants[i].unit == Constant::Unit::us ? " us" : ""));
  return settings;
}

}  // namespace orrery::core
