#include "support/source_dir.hpp"

namespace orrery::test {

std::string source_dir() {
  return ORRERY_SOURCE_DIR;
}

}  // namespace orrery::test
