// Says which of the processes that share a store are alive.
#pragma once

#include <fcntl.h>

#include <cstdint>
#include <string>

namespace orrery::core {

// Each process locks a byte of a file beside the store. The system releases the lock when the process ends,
// however it ends, so nothing has to be tidied up. Locks hold among the processes of one machine.
class ProcessSlots {
 public:
  // Opens the file, which it makes unless it is there. Throws InputError.
  explicit ProcessSlots(std::string path);
  ~ProcessSlots();
  ProcessSlots(const ProcessSlots&) = delete;
  ProcessSlots& operator=(const ProcessSlots&) = delete;

  // Returns the number of this process, which no other one that is alive has.
  std::int64_t own() const { return own_; }
  // Returns whether the process of that number is alive.
  bool is_alive(std::int64_t slot) const;

 private:
  // Returns whether these bytes could be locked.
  bool lock(struct flock bytes) const;
  bool is_still_named() const;

  std::string path_;
  int file_ = -1;
  std::int64_t own_ = 0;
};

}  // namespace orrery::core
