#include <fcntl.h>
#include <unistd.h>

#include <initializer_list>

#include "cli/application.hpp"
#include "cli/flags/heap_arenas.hpp"

namespace {

// The first file that is opened would take the place of a standard stream that is closed, and printed text
// would go into a result. Here the place is taken by something that cannot be written to, which is noticed.
void occupy_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) == -1) ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

}  // namespace

int main(int argc, char** argv) {
  occupy_closed_streams();
  orrery::core::fit_arenas_to_limit();
  return orrery::core::run_application(argc, argv);
}
