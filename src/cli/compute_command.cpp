#include "cli/compute_command.hpp"

#include <vector>

#include "cli/compute_roofline.hpp"

namespace orrery {

Command add_compute_command(CLI::App& command) {
  struct Device {
    const CLI::App* app;
    Command run;
  };
  auto devices = std::make_shared<std::vector<Device>>();
  const auto add = [&](const char* name, const char* description, Command (*add_to)(CLI::App&)) {
    CLI::App* app = command.add_subcommand(name, description);
    devices->push_back({app, add_to(*app)});
  };
  add("systolic", "On a systolic array, as SCALE-Sim has it", add_compute_systolic);
  add("roofline", "On a device with caches and many processors, such as a GPU", add_compute_roofline);
  command.require_subcommand(1);
  return [devices]() -> int {
    for (const Device& device : *devices)
      if (device.app->parsed()) return device.run();
    return bad_input;
  };
}

}  // namespace orrery
