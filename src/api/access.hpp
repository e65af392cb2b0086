// Gives the implementation of the public functions what public classes hold.
#pragma once

namespace orrery::core {

struct Access {
  template <class Public>
  static const typename Public::State& state(const Public& object) {
    return *object.state_;
  }
  template <class Public>
  static const auto& shared(const Public& object) {
    return object.state_;
  }
};

}  // namespace orrery::core
