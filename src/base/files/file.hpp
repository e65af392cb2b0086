// Reads and writes whole files.
#pragma once

#include <concepts>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/diagnostics/diagnostics.hpp"
#include "base/files/foreign_files.hpp"

namespace orrery {

// Throws an InputError that names `path` when the file cannot be read or holds more than 1 GiB, and where it
// is a file of another program that the caller does not expect. A byte order mark of UTF-8 at the beginning
// is left out.
std::string read_text_file(const std::string& path, ReadAs expected = ReadAs::nothing);

// Hands the bytes of a file of any size and kind to `take`, piece by piece. Throws as above when the file
// cannot be read.
void read_in_pieces(const std::string& path, const std::function<void(std::string_view piece)>& take);

// Returns whether there is a file or folder of this name. One that may not be looked at counts as missing.
bool file_exists(const std::string& path);

// Returns the folder in which files lie whose names begin with `prefix`. The prefix ends in a slash, or its
// last part is the beginning of the files' names.
std::string folder_of(const std::string& prefix);
// Throws InputError at `where` when that folder does not exist.
void require_folder_of(const std::string& prefix, const SourceLocation& where);

// Returns the text of a file that an input names; throws InputError when it cannot, as read_text_file() does.
class FileLoader {
 public:
  // Takes a function of the path, or of the path and what the caller expects.
  template <typename Read>
  requires(!std::same_as<std::remove_cvref_t<Read>, FileLoader>) FileLoader(Read read)
      : read_(with_both(std::move(read))) {}

  std::string operator()(const std::string& path, ReadAs expected = ReadAs::nothing) const {
    return read_(path, expected);
  }

 private:
  using Both = std::function<std::string(const std::string& path, ReadAs expected)>;

  template <typename Read>
  static Both with_both(Read read) {
    if constexpr (std::is_invocable_v<Read, const std::string&, ReadAs>)
      return read;
    else
      return [read = std::move(read)](const std::string& path, ReadAs) { return read(path); };
  }

  Both read_;
};

// Writes beside `path`, then renames, so that readers see the old content or the new one, never a part. A
// file that already holds `content` only gets a new time. Throws an InputError that names `path` when its
// folder is missing or not writable, and then leaves nothing behind.
void write_file_atomically(const std::string& path, std::string_view content);

}  // namespace orrery
