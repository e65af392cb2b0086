#include "base/input_log.hpp"

#include <algorithm>

#include "base/sha256.hpp"

namespace orrery {

thread_local InputLog* InputLog::active_ = nullptr;

void InputLog::note(const std::string& path, std::string_view content) {
  if (!active_) return;
  std::vector<InputFile>& files = active_->files_;
  if (std::ranges::find(files, path, &InputFile::path) == files.end())
    files.push_back({path, active_->holds_ == Holds::hashes ? sha256(content) : std::string()});
}

std::vector<std::string> InputLog::paths() const {
  std::vector<std::string> paths;
  for (const InputFile& file : files_) paths.push_back(file.path);
  return paths;
}

}  // namespace orrery
