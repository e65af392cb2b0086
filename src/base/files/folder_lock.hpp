// Keeps processes apart that write into one folder, and clears away what killed processes have left there.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace orrery::core {

class FolderLock {
 public:
  enum class WhenTaken { wait, refuse };

  // Makes the folder where it is missing, and removes its temporary files, whose writers no longer run.
  // Throws an InputError that names the folder when it cannot be made, or when another process has locked it
  // and `when_taken` says to refuse that.
  FolderLock(const std::filesystem::path& folder, WhenTaken when_taken);
  // Removes folders made here that are still empty, so that work that failed leaves none.
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  void make_folder();
  [[nodiscard]] bool lock(WhenTaken when_taken);
  void unlock();

  std::filesystem::path folder_;
  std::vector<std::filesystem::path> made_;  // the outermost folder comes first
  int descriptor_ = -1;
};

}  // namespace orrery::core
