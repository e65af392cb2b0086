// A value that many hold and few change.
#pragma once

#include <memory>
#include <utility>

namespace orrery {

// Behaves as a value, but copies share one object until one of them is edited. So a hundred thousand runs on
// the same network cost one network. Copies may be read by several threads at once; while one is edited, no
// other thread may copy it.
template <typename T>
class Shared {
 public:
  Shared() : value_(std::make_shared<T>()) {}
  // Implicit, so that a plain value can be assigned.
  Shared(T value) : value_(std::make_shared<T>(std::move(value))) {}

  const T& operator*() const { return *value_; }
  const T* operator->() const { return value_.get(); }

  // Changes to the object that is returned are seen by this holder only.
  T& edit() {
    if (value_.use_count() > 1) value_ = std::make_shared<T>(*value_);
    return *value_;
  }

 private:
  std::shared_ptr<T> value_;
};

}  // namespace orrery
