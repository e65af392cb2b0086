#include "workload/chakra/byte_source.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include "base/diagnostics.hpp"

namespace orrery::chakra {

int MemorySource::Read(void* buffer, int size) {
  const std::size_t count = std::min(rest_.size(), static_cast<std::size_t>(size));
  if (count > 0) std::memcpy(buffer, rest_.data(), count);
  rest_.remove_prefix(count);
  return static_cast<int>(count);
}

FileSource::FileSource(const std::string& path) : file_(std::fopen(path.c_str(), "rb")) {
  if (!file_)
    throw InputError({path}, std::string("cannot open file: ") + std::strerror(errno) + ", check the path");
}

int FileSource::Read(void* buffer, int size) {
  const std::size_t count = std::fread(buffer, 1, static_cast<std::size_t>(size), file_.get());
  if (count == 0 && std::ferror(file_.get()))
    return fail(std::string("cannot read file: ") + std::strerror(errno) + ", check the path");
  return static_cast<int>(count);
}

GzipSource::GzipSource(google::protobuf::io::ZeroCopyInputStream& compressed) : compressed_(compressed) {
  constexpr int gzip_only = 16;
  if (inflateInit2(&zlib_, gzip_only + MAX_WBITS) != Z_OK) throw std::bad_alloc();
}

GzipSource::~GzipSource() {
  inflateEnd(&zlib_);
}

int GzipSource::Read(void* buffer, int size) {
  zlib_.next_out = static_cast<Bytef*>(buffer);
  zlib_.avail_out = static_cast<uInt>(size);
  while (zlib_.avail_out == static_cast<uInt>(size)) {
    if (zlib_.avail_in == 0) {
      const void* input = nullptr;
      int count = 0;
      if (!compressed_.Next(&input, &count))
        return between_files_ ? 0
                              : fail("the compressed data are cut off; copy the file again, or repack it");
      // zlib takes no pointers to constants, but does not write there.
      zlib_.next_in = static_cast<Bytef*>(const_cast<void*>(input));  // NOLINT
      zlib_.avail_in = static_cast<uInt>(count);
      continue;
    }
    if (between_files_) inflateReset(&zlib_);
    const int result = inflate(&zlib_, Z_NO_FLUSH);
    between_files_ = result == Z_STREAM_END;
    if (result != Z_OK && result != Z_STREAM_END)
      return fail(std::string("the compressed data are damaged (") +
                  (zlib_.msg != nullptr ? zlib_.msg : "zlib gives no reason") +
                  "); copy the file again, or repack it");
  }
  return size - static_cast<int>(zlib_.avail_out);
}

}  // namespace orrery::chakra
