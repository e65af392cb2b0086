#include "study/store/process_slots.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <random>
#include <utility>

#include "base/diagnostics/diagnostics.hpp"

namespace orrery::core {

namespace {

// Locks of open files belong to them, and not to the process, so that two stores of one process differ.
#ifdef F_OFD_SETLK
constexpr int set_lock = F_OFD_SETLK, get_lock = F_OFD_GETLK;
#else
constexpr int set_lock = F_SETLK, get_lock = F_GETLK;
#endif

struct flock byte_at(std::int64_t slot) {
  struct flock byte {};
  byte.l_type = F_WRLCK;
  byte.l_whence = SEEK_SET;
  byte.l_start = slot;
  byte.l_len = 1;
  return byte;
}

}  // namespace

ProcessSlots::ProcessSlots(std::string path) : path_(std::move(path)) {
  // The number is never used again by chance, so that what an earlier process has left is not taken for ours.
  std::random_device random;
  do {
    if (file_ >= 0) ::close(file_);
    file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file_ < 0) throw InputError({path_}, std::string(std::strerror(errno)) + "; may you write there?");
    own_ = 1 + static_cast<std::int64_t>(random() & 0x7fffffffu);
  } while (!lock(byte_at(own_)) || !is_still_named());
}

// The last one removes the file. Whoever has opened it meanwhile sees that it has no name any more.
ProcessSlots::~ProcessSlots() {
  struct flock all = byte_at(0);
  all.l_len = 0;
  try {
    if (lock(all)) ::unlink(path_.c_str());
  } catch (const InputError&) {  // then it stays
  }
  ::close(file_);
}

bool ProcessSlots::is_still_named() const {
  struct stat opened {
  }, named{};
  return ::fstat(file_, &opened) == 0 && ::stat(path_.c_str(), &named) == 0 &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

bool ProcessSlots::lock(struct flock bytes) const {
  if (::fcntl(file_, set_lock, &bytes) == 0) return true;
  if (errno == EAGAIN || errno == EACCES) return false;
  throw InputError({path_}, std::string("cannot be locked: ") + std::strerror(errno) +
                                "; name a store on a disk of this machine");
}

bool ProcessSlots::is_alive(std::int64_t slot) const {
  if (slot == own_) return true;
  struct flock byte = byte_at(slot);
  return ::fcntl(file_, get_lock, &byte) == 0 && byte.l_type != F_UNLCK;
}

}  // namespace orrery::core
