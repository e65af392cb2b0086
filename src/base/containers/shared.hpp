// A value that many hold and few change.
#pragma once

#include <memory>
#include <utility>

namespace orrery::core {

// Behaves as a value, but copies share one object until one of them is edited. So a hundred thousand runs on
// the same network keep only one network in memory. Several threads may read copies at once; while one copy
// is edited, no other thread may copy that one.
template <typename T>
class Shared {
 public:
  Shared() : value_(std::make_shared<T>()) {}
  // This constructor is implicit, so that a plain value can be assigned.
  Shared(T value) : value_(std::make_shared<T>(std::move(value))) {}

  const T& operator*() const { return *value_; }
  const T* operator->() const { return value_.get(); }

  // Only this holder sees changes to the object that is returned.
  T& edit() {
    if (value_.use_count() > 1) value_ = std::make_shared<T>(*value_);
    return *value_;
  }

 private:
  std::shared_ptr<T> value_;
};

}  // namespace orrery::core
