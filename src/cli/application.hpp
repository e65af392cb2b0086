// The command line as a whole. main() only calls it.
#pragma once

namespace orrery::core {

int run_application(int argc, char** argv);

}  // namespace orrery::core
