// Remembers which files were read, so that results can name their inputs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace orrery {

struct InputFile {
  std::string path;  // as the caller gave it
  std::string sha256;
};

// Holds the files that read_text_file() reads in this thread while the log exists. Each file is held once.
class InputLog {
 public:
  enum class Holds { hashes, paths };

  // Hashes take as long as reading. Without them there are only paths.
  explicit InputLog(Holds holds = Holds::hashes) : before_(active_), holds_(holds) { active_ = this; }
  ~InputLog() { active_ = before_; }
  InputLog(const InputLog&) = delete;
  InputLog& operator=(const InputLog&) = delete;

  const std::vector<InputFile>& files() const { return files_; }
  std::vector<std::string> paths() const;

  // Adds a file to the log that was begun last, if there is a log.
  static void note(const std::string& path, std::string_view content);
  // Adds a file of any size, which is read piece by piece for its hash. Throws InputError when it cannot be
  // read.
  static void note_file(const std::string& path);

 private:
  bool holds(const std::string& path) const;

  static thread_local InputLog* active_;

  InputLog* before_;
  Holds holds_;
  std::vector<InputFile> files_;
};

}  // namespace orrery
