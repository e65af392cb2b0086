#include "base/files/folder_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "base/diagnostics/diagnostics.hpp"
#include "base/files/file_writer.hpp"

namespace orrery::core {

namespace {

namespace fs = std::filesystem;

void remove_temporary_files(const fs::path& folder) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code kept;
    if (is_temporary_name(entry->path().filename().string())) fs::remove(entry->path(), kept);
  }
}

}  // namespace

FolderLock::FolderLock(const fs::path& folder, WhenTaken when_taken) : folder_(folder) {
  // Between making and locking the folder, another process that had made it before may have removed it again.
  do make_folder();
  while (!lock(when_taken));
  if (made_.empty()) remove_temporary_files(folder_);
}

FolderLock::~FolderLock() {
  std::error_code not_empty;
  for (auto folder = made_.rbegin(); folder != made_.rend() && fs::remove(*folder, not_empty); ++folder) {
  }
  unlock();
}

void FolderLock::make_folder() {
  std::vector<fs::path> missing;
  std::error_code error;
  for (fs::path folder = folder_; !folder.empty() && !fs::exists(folder, error);
       folder = folder.parent_path())
    missing.push_back(folder);
  std::reverse(missing.begin(), missing.end());
  for (const fs::path& folder : missing)
    if (fs::create_directory(folder, error)) made_.push_back(folder);
  fs::create_directories(folder_, error);
  if (error) throw InputError({folder_.string()}, error.message() + ", choose another --output");
}

// Locks the folder, and returns whether it still has its name then. A folder that may not be read cannot be
// locked.
bool FolderLock::lock(WhenTaken when_taken) {
  unlock();
  descriptor_ = ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor_ < 0) return errno != ENOENT;
  int failed;
  do failed = ::flock(descriptor_, when_taken == WhenTaken::wait ? LOCK_EX : LOCK_EX | LOCK_NB);
  while (failed && errno == EINTR);
  if (failed && errno == EWOULDBLOCK) {
    unlock();
    throw InputError({folder_.string()},
                     "another process is writing its results here, wait for its end or choose another folder "
                     "with --output");
  }
  struct stat locked {
  }, named{};
  return ::fstat(descriptor_, &locked) == 0 && ::stat(folder_.c_str(), &named) == 0 &&
         locked.st_ino == named.st_ino && locked.st_dev == named.st_dev;
}

void FolderLock::unlock() {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

}  // namespace orrery::core
