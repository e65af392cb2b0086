#include "support/source_dir.hpp"

namespace orrery::core::test {

std::string source_dir() {
  return ORRERY_SOURCE_DIR;
}

std::string test_plugin(const std::string& name) {
  return std::string(ORRERY_TEST_PLUGINS) + "/" + name + ".so";
}

}  // namespace orrery::core::test
