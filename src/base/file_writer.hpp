// A file that appears under its name only when it is complete.
#pragma once

#include <string>
#include <string_view>

namespace orrery {

// Returns whether there is a file of this name. Throws InputError if something that is no file, such as a
// folder or a device, has the name.
bool has_replaceable_file(const std::string& path);

// Readers see the old content or the new one, never a part. Where the file system can, the content has no
// name at all until then, so that not even a killed process leaves anything; else it has one that
// is_temporary_name() knows. All functions throw InputError naming `path` when it cannot be written; nothing
// is left behind then.
class FileWriter {
 public:
  explicit FileWriter(std::string path);
  // Without finish() the file stays as it was.
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  void append(std::string_view text);
  void finish();

 private:
  void open_named();
  void write(std::string_view text);
  // Gives content that has none a name.
  bool link_to(const std::string& name);
  void drop();
  [[noreturn]] void fail(int error);

  std::string path_;
  std::string temporary_;  // the content's name, if it has one
  int descriptor_ = -1;
  std::string buffer_;
};

// Returns whether a file of this name (without its folder) is the unfinished work of a FileWriter.
bool is_temporary_name(std::string_view name);

}  // namespace orrery
