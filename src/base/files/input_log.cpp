#include "base/files/input_log.hpp"

#include <algorithm>

#include "base/encoding/sha256.hpp"
#include "base/files/file.hpp"

namespace orrery {

thread_local InputLog* InputLog::active_ = nullptr;

void InputLog::note(const std::string& path, std::string_view content) {
  if (!active_) return;
  if (active_->holds(path)) return;
  active_->files_.push_back({path, active_->holds_ == Holds::hashes ? sha256(content) : std::string()});
}

void InputLog::note_file(const std::string& path) {
  if (!active_ || active_->holds(path)) return;
  InputFile& file = active_->files_.emplace_back(InputFile{path, {}});
  if (active_->holds_ == Holds::paths) return;
  Sha256 hash;
  read_in_pieces(path, [&](std::string_view piece) { hash.add(piece); });
  file.sha256 = hash.digits();
}

bool InputLog::holds(const std::string& path) const {
  return std::ranges::find(files_, path, &InputFile::path) != files_.end();
}

std::vector<std::string> InputLog::paths() const {
  std::vector<std::string> paths;
  for (const InputFile& file : files_) paths.push_back(file.path);
  return paths;
}

}  // namespace orrery
