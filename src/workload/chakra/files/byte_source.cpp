#include "workload/chakra/files/byte_source.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

#include "base/diagnostics/diagnostics.hpp"

namespace orrery::core::chakra {

std::size_t MemorySource::read_some(char* buffer, std::size_t size) {
  const std::size_t count = std::min(rest_.size(), size);
  if (count > 0) std::memcpy(buffer, rest_.data(), count);
  rest_.remove_prefix(count);
  return count;
}

FileSource::FileSource(const std::string& path, Told told)
    : path_(path), told_(std::move(told)), file_(std::fopen(path.c_str(), "rb")) {
  if (!file_)
    throw InputError({path}, std::string("cannot open file: ") + std::strerror(errno) + ", check the path");
  // Readers ask for blocks; copying these once more would cost as much as reading them.
  std::setvbuf(file_.get(), nullptr, _IONBF, 0);
}

std::size_t FileSource::read_some(char* buffer, std::size_t size) {
  const std::size_t count = std::fread(buffer, 1, size, file_.get());
  if (count == 0 && std::ferror(file_.get()) != 0)
    throw InputError({path_}, std::string("cannot read file: ") + std::strerror(errno) + ", check the path");
  if (told_) told_(bytes_read() + count);
  return count;
}

std::string beginning_of_file(const std::string& path, std::size_t most) {
  FileSource source(path);
  std::string bytes(most, '\0');
  std::size_t filled = 0;
  while (filled < most) {
    const std::size_t count = source.read(bytes.data() + filled, most - filled);
    if (count == 0) break;
    filled += count;
  }
  bytes.resize(filled);
  return bytes;
}

GzipSource::GzipSource(ByteSource& compressed, std::string_view first, std::string file)
    : compressed_(compressed), file_(std::move(file)), input_(first.begin(), first.end()) {
  constexpr int gzip_only = 16;
  if (inflateInit2(&zlib_, gzip_only + MAX_WBITS) != Z_OK) throw std::bad_alloc();
  zlib_.next_in = reinterpret_cast<Bytef*>(input_.data());
  zlib_.avail_in = static_cast<uInt>(input_.size());
}

GzipSource::~GzipSource() {
  inflateEnd(&zlib_);
}

std::size_t GzipSource::read_some(char* buffer, std::size_t size) {
  constexpr std::size_t input_size = 1 << 16;
  const auto room = static_cast<uInt>(std::min<std::size_t>(size, std::numeric_limits<uInt>::max()));
  zlib_.next_out = reinterpret_cast<Bytef*>(buffer);
  zlib_.avail_out = room;
  while (zlib_.avail_out == room) {
    if (!error_.empty()) throw InputError({file_}, error_);
    if (zlib_.avail_in == 0 && !may_hold_more_) {
      input_.resize(input_size);
      const std::size_t count = compressed_.read(input_.data(), input_.size());
      if (count == 0) {
        if (between_files_) return 0;
        throw InputError({file_}, "the compressed data are cut off; copy the file again, or repack it");
      }
      zlib_.next_in = reinterpret_cast<Bytef*>(input_.data());
      zlib_.avail_in = static_cast<uInt>(count);
    }
    if (between_files_) inflateReset(&zlib_);
    const int result = inflate(&zlib_, Z_NO_FLUSH);
    between_files_ = result == Z_STREAM_END;
    may_hold_more_ = result == Z_OK && zlib_.avail_out == 0;
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)  // the last: it held no more
      error_ = std::string("the compressed data are damaged (") +
               (zlib_.msg != nullptr ? zlib_.msg : "zlib gives no reason") +
               "); copy the file again, or repack it";
  }
  return room - zlib_.avail_out;
}

}  // namespace orrery::core::chakra
