// orrery compute: prints how long operators take on a device, or collectives in a library.
#include <vector>

#include "cli/commands.hpp"

namespace orrery::core {

Command add_compute_command(CLI::App& command) {
  struct Part {
    const CLI::App* app;
    Command run;
  };
  auto parts = std::make_shared<std::vector<Part>>();
  const auto add = [&](const char* name, const char* description, Command (*add_to)(CLI::App&)) {
    CLI::App* app = command.add_subcommand(name, description);
    parts->push_back({app, add_to(*app)});
  };
  add("systolic", "Say how long products and convolutions take on a systolic array, as SCALE-Sim has it",
      add_compute_systolic);
  add("roofline", "Say how long products take on a device with caches and many processors, such as a GPU",
      add_compute_roofline);
  add("kernels", "Say how long attention and operators without products take on a device",
      add_compute_kernels);
  add("collective", "Say how long a collective takes in a library such as NCCL, on GPUs in nodes",
      add_compute_collective);
  command.require_subcommand(1);
  return [parts](const CommandLine& written) -> int {
    for (const Part& part : *parts)
      if (part.app->parsed()) return part.run(written);
    return bad_input;
  };
}

}  // namespace orrery::core
