#include <stdexcept>

#include <orrery/registry.hpp>

extern "C" void orrery_plugin(orrery::Registry&) {
  throw std::runtime_error("no license");
}
