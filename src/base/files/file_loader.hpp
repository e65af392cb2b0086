// Hands readers the texts of the files that inputs name, without their knowing where these come from.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "base/files/input_log.hpp"

namespace orrery::core {

// A reader that follows names in its input gets one, and has no other way to a file: so the log of inputs
// misses none. Copies load from the same place.
class FileLoader {
 public:
  // Loads files through a log, which remembers them.
  FileLoader(InputLog log)  // NOLINT: readers take a log as it is
      : read_([log](const std::string& path, ReadAs expected) { return log.read(path, expected); }),
        log_(std::move(log)) {}

  // Takes a function of the path, or of the path and what the caller expects.
  template <typename Read>
  requires(std::is_invocable_r_v<std::string, Read&, const std::string&> ||
           std::is_invocable_r_v<std::string, Read&, const std::string&, ReadAs>) FileLoader(Read read)
      : read_(with_both(std::move(read))) {}

  // Returns the text of a file. Throws InputError when it cannot, as InputLog::read() does.
  std::string operator()(const std::string& path, ReadAs expected = ReadAs::nothing) const {
    return read_(path, expected);
  }

  // Has the log, if there is one, remember a file that the reader reads as a stream, as InputLog::note()
  // does.
  void note(const std::string& path) const {
    if (log_) log_->note(path);
  }

 private:
  using Both = std::function<std::string(const std::string& path, ReadAs expected)>;

  template <typename Read>
  static Both with_both(Read read) {
    if constexpr (std::is_invocable_v<Read&, const std::string&, ReadAs>)
      return read;
    else
      return [read = std::move(read)](const std::string& path, ReadAs) { return read(path); };
  }

  Both read_;
  std::optional<InputLog> log_;
};

// Returns a loader for inputs that name nothing but what comes with the program. It throws InputError for any
// file.
inline FileLoader no_files() {
  return [](const std::string& path) -> std::string {
    throw InputError({path}, "no file is read here, name one that comes with Orrery");
  };
}

}  // namespace orrery::core
