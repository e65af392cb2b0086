// Keeps processes apart that write into one folder, and clears away what killed ones have left there.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace orrery {

class FolderLock {
 public:
  enum class WhenTaken { wait, refuse };

  // Makes the folder where it is missing, and removes its temporary files: whoever wrote them is gone. Throws
  // InputError naming the folder when it cannot be made, or when another process has locked it and that is
  // refused.
  FolderLock(const std::filesystem::path& folder, WhenTaken when_taken);
  // Folders made here that are still empty go again, so that work that failed leaves none.
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  void make_folder();
  bool lock(WhenTaken when_taken);
  void unlock();

  std::filesystem::path folder_;
  std::vector<std::filesystem::path> made_;  // the outermost first
  int descriptor_ = -1;
};

}  // namespace orrery
