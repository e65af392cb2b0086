#include "orrery/version.hpp"

#include "base/build_info.hpp"

namespace orrery {

std::string_view version() noexcept {
  return core::build_info().version;
}

}  // namespace orrery
