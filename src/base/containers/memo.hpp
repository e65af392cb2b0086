// Remembers values by what they were made from. Several threads may use it.
#pragma once

#include <memory>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

namespace orrery::core {

template <class Key, class Value, class Hash>
class Memo {
 public:
  // make() has to depend on the key alone, because two threads may make the same value at the same time, and
  // only one of the two is kept. The value that is returned stays where it is.
  template <class Make>
  const Value& get(const Key& key, const Make& make) {
    {
      const std::shared_lock lock(mutex_);
      if (const auto found = known_.find(key); found != known_.end()) return *found->second;
    }
    auto value = std::make_unique<const Value>(make());
    const std::unique_lock lock(mutex_);
    return *known_.try_emplace(key, std::move(value)).first->second;
  }

 private:
  std::shared_mutex mutex_;
  std::unordered_map<Key, std::unique_ptr<const Value>, Hash> known_;
};

}  // namespace orrery::core
