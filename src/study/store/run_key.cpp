#include "study/store/run_key.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/encoding/sha256.hpp"
#include "base/files/file.hpp"
#include "base/input/node_content.hpp"

namespace orrery::core {

namespace {

constexpr std::size_t digits_of_keys = 32;

}  // namespace

RunKeys::RunKeys(const SweepSpace& space, const InputNode& common, std::string_view options)
    : common_(sha256(content_of(common).append(options))) {
  for (std::size_t key = 0; key < space.keys.size(); ++key) keys_.emplace_back(space.keys[key].path, key);
  std::ranges::sort(keys_);
}

std::string RunKeys::key_of(const SweepPoint& point) const {
  std::string text = common_;
  for (const auto& [path, key] : keys_)
    text.append(path).append("=").append(point.values[key]->content).append("\n");
  return sha256(text).substr(0, digits_of_keys);
}

std::string StudyInputs::listed(const std::set<std::string>& paths) {
  nlohmann::ordered_json files = nlohmann::ordered_json::object();
  const std::lock_guard lock(mutex_);
  for (const std::string& path : paths) {
    const std::string relative =
        folder_.empty() || !path.starts_with(folder_ + "/") ? path : path.substr(folder_.size() + 1);
    files[relative] = hash_of(path);
  }
  return files.dump();
}

bool StudyInputs::are_unchanged(const std::string& listed) {
  const std::lock_guard lock(mutex_);
  if (const auto known = unchanged_.find(listed); known != unchanged_.end()) return known->second;
  const nlohmann::json files = nlohmann::json::parse(listed, nullptr, false);
  bool same = files.is_object();
  for (auto file = files.begin(); same && file != files.end(); ++file)
    same = file->is_string() && hash_of((std::filesystem::path(folder_) / file.key()).string()) == *file;
  return unchanged_.emplace(listed, same).first->second;
}

const std::string& StudyInputs::hash_of(const std::string& path) {
  const auto known = hashes_.find(path);
  if (known != hashes_.end()) return known->second;
  std::string hash;
  try {
    Sha256 sum;
    read_in_pieces(path, [&](std::string_view piece) { sum.add(piece); });
    hash = sum.digits();
  } catch (const InputError&) {  // a file that is gone has no content that it could have kept
  }
  return hashes_.emplace(path, std::move(hash)).first->second;
}

}  // namespace orrery::core
