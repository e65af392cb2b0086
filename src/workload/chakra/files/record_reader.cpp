#include "workload/chakra/files/record_reader.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "base/diagnostics/diagnostics.hpp"
#include "base/files/foreign_files.hpp"
#include "workload/chakra/files/wire_reader.hpp"

namespace orrery::core::chakra {

RecordReader::RecordReader(std::unique_ptr<ByteSource> source, std::uint64_t size, std::string file,
                           std::size_t block)
    : file_(std::move(file)),
      size_(size),
      block_(block),
      source_(std::move(source)),
      present_(source_.get()) {
  have(2);
  const std::string_view first(buffer_.get(), available());
  // No trace begins like that: 31 bytes of metadata would begin with an unknown group.
  if (first.starts_with("\x1f\x8b")) {
    gzip_ = std::make_unique<GzipSource>(*source_, first, file_);
    present_ = gzip_.get();
    at_ = end_ = 0;
    have(1);
  }
  look_for_json();
}

// A trace may begin like JSON, too, with 123 bytes of metadata.
void RecordReader::look_for_json() {
  may_be_json_ =
      available() > 0 && std::string_view("{[ \t\r\n\xEF").find(buffer_[at_]) != std::string_view::npos;
  if (!may_be_json_) return;
  have(telling_beginning);
  const ForeignFile* const foreign =
      foreign_file_of({buffer_.get() + at_, std::min(available(), telling_beginning)});
  if (foreign) json_ = foreign->text();
}

bool RecordReader::next(std::string_view& record) {
  ++number_;
  if (!have(1)) return false;
  const std::uint64_t start = position();
  std::uint64_t length = 0;
  if (!read_length(length))
    fail_at(start, "no length of a record stands here; the file is cut off, damaged or no Chakra trace");
  if (length > std::uint64_t{std::numeric_limits<int>::max()})
    fail_at(start, "the record's length is " + std::to_string(length) +
                       ", beyond 2 GiB; the file is damaged or no Chakra trace");
  offset_ = position();
  if (!have(length))
    fail_at(start, "the record's length is " + std::to_string(length) +
                       " bytes, but the file ends before that; it is cut off, damaged or no Chakra trace");
  record_ = {buffer_.get() + at_, length};
  at_ += length;
  record = record_;
  return true;
}

bool RecordReader::read_length(std::uint64_t& length) {
  // No byte behind the length is requested. If the length is damaged, the record before it is still read or
  // refused, however much of the damaged one came with the same block.
  std::size_t bytes = 1;
  while (have(bytes) && static_cast<signed char>(buffer_[at_ + bytes - 1]) < 0 && bytes < max_varint_bytes)
    ++bytes;
  const char* at = buffer_.get() + at_;
  if (!read_varint(at, buffer_.get() + end_, length)) return false;
  at_ = static_cast<std::size_t>(at - buffer_.get());
  return true;
}

bool RecordReader::read_until(std::size_t count) {
  if (at_ > 0) {
    std::memmove(buffer_.get(), buffer_.get() + at_, available());
    end_ -= at_;
    at_ = 0;
  }
  while (end_ < count) {
    // The buffer grows with the data that is there. `count` may be wrong, because the file only claims it.
    if (end_ == capacity_) {
      const std::size_t more = capacity_ == 0 && size_ > 0
                                   ? std::min<std::uint64_t>(block_, size_ + max_varint_bytes)
                                   : std::max(block_, 2 * capacity_);
      std::unique_ptr<char[]> larger(new char[more]);  // NOLINT(modernize-avoid-c-arrays)
      if (end_ > 0) std::memcpy(larger.get(), buffer_.get(), end_);
      buffer_ = std::move(larger);
      capacity_ = more;
    }
    const std::size_t got = present_->read(buffer_.get() + end_, std::min(block_, capacity_ - end_));
    if (got == 0) return false;
    end_ += got;
  }
  return true;
}

double RecordReader::progress() const {
  if (size_ == 0 || present_->bytes_read() == 0) return 0;
  // For compressed files, this is the part that was read, less the part that is still in the block.
  return static_cast<double>(source_->bytes_read()) / static_cast<double>(size_) *
         (static_cast<double>(position()) / static_cast<double>(present_->bytes_read()));
}

void RecordReader::fail(const char* at, const std::string& what) const {
  fail_at(offset_ + static_cast<std::uint64_t>(at - record_.data()), what);
}

void RecordReader::fail_at(std::uint64_t byte, const std::string& what) const {
  if (!json_.empty() && number_ <= 2) throw InputError({file_}, json_);
  throw InputError(
      {file_},
      "byte " + std::to_string(byte) + (gzip_ ? " of the decompressed data" : "") + " (record " +
          std::to_string(number_) + "): " + what +
          (may_be_json_ && number_ <= 2 ? "; if this is JSON, convert it to Chakra's protobuf first" : ""));
}

}  // namespace orrery::core::chakra
