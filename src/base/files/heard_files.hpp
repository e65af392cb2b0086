// Remembers which files somebody has read, also those that are read later by what was made of them.
#pragma once

#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace orrery::core {

// Several threads may use it.
class HeardFiles {
 public:
  void add(const std::string& path) {
    const std::lock_guard lock(mutex_);
    files_.insert(path);
  }
  // Adds what others have heard, and hear from now on.
  void add_all_of(std::shared_ptr<const HeardFiles> others) {
    const std::lock_guard lock(mutex_);
    others_.push_back(std::move(others));
  }
  std::set<std::string> files() const {
    const std::lock_guard lock(mutex_);
    std::set<std::string> files = files_;
    for (const std::shared_ptr<const HeardFiles>& others : others_) files.merge(others->files());
    return files;
  }

 private:
  mutable std::mutex mutex_;  // of the members below
  std::set<std::string> files_;
  std::vector<std::shared_ptr<const HeardFiles>> others_;
};

}  // namespace orrery::core
