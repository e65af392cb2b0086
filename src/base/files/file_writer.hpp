// A file that appears under its name only when it is complete.
#pragma once

#include <string>
#include <string_view>

namespace orrery::core {

// Returns whether the name belongs to a device that takes characters, such as `/dev/null`.
bool is_device(const std::string& path);

// Returns whether there is a file of this name. Throws InputError if the name belongs to something else that
// cannot be written to either, such as a folder or a pipe.
bool has_replaceable_file(const std::string& path);

// Writes a file such that readers see the old content or the new one, never a part. Where the file system
// allows it, the content has no name at all until it is complete, so that not even a killed process leaves
// anything behind. Elsewhere it has a name that is_temporary_name() recognizes. A device takes the content
// as it comes. All functions throw an InputError that names `path` when the file cannot be written;
// nothing is left behind then.
class FileWriter {
 public:
  explicit FileWriter(std::string path);
  // Without finish(), an older file of this name stays as it was.
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  void append(std::string_view text);
  void finish();

 private:
  void open_named();
  void write(std::string_view text);
  // Gives the content a name if it has none yet.
  bool link_to(const std::string& name);
  void drop();
  [[noreturn]] void fail(int error);

  std::string path_;
  std::string temporary_;  // the content's name while it is incomplete, if it has one
  int descriptor_ = -1;
  bool writes_at_once_ = false;  // to a device
  std::string buffer_;
};

// Returns whether a file of this name (without its folder) is the unfinished work of a FileWriter.
bool is_temporary_name(std::string_view name);

}  // namespace orrery::core
