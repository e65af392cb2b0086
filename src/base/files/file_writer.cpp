#include "base/files/file_writer.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/diagnostics/diagnostics.hpp"
#include "base/files/file.hpp"

namespace orrery::core {

namespace {

constexpr std::string_view temporary_start = ".orrery-", temporary_end = ".tmp";
constexpr int attempts_to_name = 10;
constexpr mode_t for_all = 0666;  // less the user's mask

// Returns a name in the folder of `path` that is new with every call. It does not contain the name of the
// file, because users may give files the longest name that the system allows.
std::string temporary_name(const std::string& path) {
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  const std::string folder = folder_of(path);
  return folder + (folder.ends_with('/') ? "" : "/") + std::string(temporary_start) + std::to_string(now) +
         std::string(temporary_end);
}

}  // namespace

bool is_device(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  return std::filesystem::is_character_file(status);
}

bool has_replaceable_file(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  const bool is_file = std::filesystem::is_regular_file(status);
  if (std::filesystem::exists(status) && !is_file && !is_device(path))
    throw InputError({path}, "cannot write file: something that is no file has this name, choose another");
  return is_file;
}

bool is_temporary_name(std::string_view name) {
  if (!name.starts_with(temporary_start) || !name.ends_with(temporary_end)) return false;
  name.remove_prefix(temporary_start.size());
  const std::size_t digits = std::min(name.find_first_not_of("0123456789"), name.size());
  return digits > 0 && name.substr(digits) == temporary_end;
}

FileWriter::FileWriter(std::string path) : path_(std::move(path)) {
  has_replaceable_file(path_);
  if (is_device(path_)) {
    writes_at_once_ = true;
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail(errno);
    return;
  }
  descriptor_ = ::open(folder_of(path_).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, for_all);
  if (descriptor_ < 0) open_named();
}

FileWriter::~FileWriter() {
  drop();
}

// Creates the file exclusively, so that nobody else can be writing the same temporary file.
void FileWriter::open_named() {
  for (int attempt = 0; attempt < attempts_to_name; ++attempt) {
    std::string name = temporary_name(path_);
    descriptor_ = ::open(name.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, for_all);
    if (descriptor_ >= 0) {
      temporary_ = std::move(name);
      return;
    }
    if (errno != EEXIST) break;
  }
  fail(errno);
}

void FileWriter::append(std::string_view text) {
  constexpr std::size_t worth_a_call = std::size_t{1} << 16;
  if (buffer_.empty() && text.size() >= worth_a_call) return write(text);
  buffer_ += text;
  if (buffer_.size() < worth_a_call) return;
  write(buffer_);
  buffer_.clear();
}

void FileWriter::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor_, text.data(), text.size());
    if (written < 0 && errno != EINTR) fail(errno);
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
}

bool FileWriter::link_to(const std::string& name) {
  const std::string content = "/proc/self/fd/" + std::to_string(descriptor_);
  return ::linkat(AT_FDCWD, content.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

void FileWriter::finish() {
  write(buffer_);
  buffer_.clear();
  // A new file needs no other name before it gets its own. Replacing a file takes a second name for an
  // instant.
  bool in_place = writes_at_once_ || (temporary_.empty() && link_to(path_));
  for (int attempt = 0; !in_place && temporary_.empty() && attempt < attempts_to_name; ++attempt) {
    std::string name = temporary_name(path_);
    if (link_to(name))
      temporary_ = std::move(name);
    else if (errno != EEXIST)
      break;
  }
  if (!in_place && temporary_.empty()) fail(errno);
  // Closing can be the first to notice a full disk.
  const bool closed = ::close(std::exchange(descriptor_, -1)) == 0;
  if (!closed) fail(errno);
  if (!in_place && std::rename(temporary_.c_str(), path_.c_str()) != 0) fail(errno);
  temporary_.clear();
}

void FileWriter::drop() {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  if (!temporary_.empty()) ::unlink(std::exchange(temporary_, {}).c_str());
}

void FileWriter::fail(int error) {
  drop();
  throw InputError({path_}, std::string("cannot write file: ") + std::strerror(error) +
                                ", check that the folder exists and may be written to");
}

}  // namespace orrery::core
