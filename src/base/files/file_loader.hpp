// Hands readers what inputs name and does not come with the program: the texts of files, without their
// knowing where these come from, and what plug-ins add.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "base/files/extensions.hpp"
#include "base/files/heard_files.hpp"
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
  FileLoader(InputLog log, std::shared_ptr<const Extensions> extensions) : FileLoader(std::move(log)) {
    extensions_ = std::move(extensions);
  }

  // Takes a function of the path, or of the path and what the caller expects.
  template <typename Read>
  requires(std::is_invocable_r_v<std::string, Read&, const std::string&> ||
           std::is_invocable_r_v<std::string, Read&, const std::string&, ReadAs>) FileLoader(Read read)
      : read_(with_both(std::move(read))) {}

  // Returns the text of a file. Throws InputError when it cannot, as InputLog::read() does.
  std::string operator()(const std::string& path, ReadAs expected = ReadAs::nothing) const {
    if (heard_) heard_->add(path);
    return read_(path, expected);
  }

  // Has the log, if there is one, remember a file that the reader reads as a stream, as InputLog::note()
  // does.
  void note(const std::string& path) const {
    if (log_) log_->note(path);
    if (heard_) heard_->add(path);
  }

  // Returns a loader of the same, of whose files `heard` hears, in place of whoever did before.
  FileLoader heard_by(std::shared_ptr<HeardFiles> heard) const {
    FileLoader loader = *this;
    loader.heard_ = std::move(heard);
    return loader;
  }
  // Tells whoever hears of files that a part of what is read has read, or will read.
  void tell_of(std::shared_ptr<const HeardFiles> files) const {
    if (heard_) heard_->add_all_of(std::move(files));
  }

  const Extensions& extensions() const { return extensions_ ? *extensions_ : no_extensions; }
  // Returns the same for those who keep it; null where there are none.
  const std::shared_ptr<const Extensions>& kept_extensions() const { return extensions_; }

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
  std::shared_ptr<HeardFiles> heard_;             // null: nobody hears
  std::shared_ptr<const Extensions> extensions_;  // null: there are none
};

// Returns a loader for inputs that name nothing but what comes with the program. It throws InputError for any
// file.
inline FileLoader no_files() {
  return [](const std::string& path) -> std::string {
    throw InputError({path}, "no file is read here, name one that comes with Orrery");
  };
}

}  // namespace orrery::core
