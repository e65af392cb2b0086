#include "base/files/input_log.hpp"

#include <algorithm>
#include <mutex>

#include "base/encoding/sha256.hpp"
#include "base/files/file.hpp"

namespace orrery::core {

struct InputLog::Held {
  explicit Held(Holds what) : holds(what) {}

  // Adds a file unless it is held already. `hash` is called for its hash, if there are to be any.
  template <class Hash>
  void add(const std::string& path, const Hash& hash) {
    const std::lock_guard lock(mutex);
    if (std::ranges::find(files, path, &InputFile::path) != files.end()) return;
    InputFile& file = files.emplace_back(InputFile{path, {}});
    if (holds == Holds::hashes) file.sha256 = hash();
  }

  std::mutex mutex;
  const Holds holds;
  std::vector<InputFile> files;
};

InputLog::InputLog(Holds holds) : held_(std::make_shared<Held>(holds)) {}

std::vector<InputFile> InputLog::files() const {
  const std::lock_guard lock(held_->mutex);
  return held_->files;
}

std::vector<std::string> InputLog::paths() const {
  std::vector<std::string> paths;
  for (const InputFile& file : files()) paths.push_back(file.path);
  return paths;
}

std::string InputLog::read(const std::string& path, ReadAs expected) const {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  std::string text = read_file_of_any_kind(path);
  held_->add(path, [&] { return sha256(text); });
  if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
  refuse_foreign(text, path, expected);
  return text;
}

void InputLog::note(const std::string& path) const {
  held_->add(path, [&] {
    Sha256 hash;
    read_in_pieces(path, [&](std::string_view piece) { hash.add(piece); });
    return hash.digits();
  });
}

}  // namespace orrery::core
