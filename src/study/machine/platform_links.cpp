#include "study/machine/platform_links.hpp"

#include "workload/training/platform.hpp"

namespace orrery::core {

LibraryMachine links_of_platform(const InputNode& platform, const FileLoader& load) {
  const Platform read = read_platform(platform, {}, load);
  return {read.library->constants(), read.library->links()};
}

}  // namespace orrery::core
