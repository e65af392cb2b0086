#include "orrery/version.hpp"

#include "report/summary/origin.hpp"

namespace orrery {

std::string_view version() noexcept {
  return core::orrery_version;
}

}  // namespace orrery
