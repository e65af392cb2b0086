// Reads the files that a user names and remembers them, so that results can name their inputs.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/foreign_files.hpp"

namespace orrery::core {

struct InputFile {
  std::string path;  // as the caller gave it
  std::string sha256;
};

// Holds each file that is read through it once, in the order of reading. Copies share what they hold, and
// several threads may read at a time, so that whoever reads later keeps a copy.
class InputLog {
 public:
  enum class Holds { hashes, paths };

  // Hashes take as long as reading. Without them there are only paths.
  explicit InputLog(Holds holds = Holds::hashes);

  std::vector<InputFile> files() const;
  std::vector<std::string> paths() const;

  // Returns the text of a file. Throws an InputError that names `path` when the file cannot be read or holds
  // more than 1 GiB, and where it is a file of another program that the caller does not expect. A byte order
  // mark of UTF-8 at the beginning is left out.
  std::string read(const std::string& path, ReadAs expected = ReadAs::nothing) const;
  // Adds a file of any size, which the caller reads as a stream. It is read piece by piece for its hash.
  // Throws InputError when it cannot be read.
  void note(const std::string& path) const;

 private:
  struct Held;

  std::shared_ptr<Held> held_;
};

}  // namespace orrery::core
