#include "support/source_dir.hpp"

namespace orrery::core::test {

std::string source_dir() {
  return ORRERY_SOURCE_DIR;
}

}  // namespace orrery::core::test
