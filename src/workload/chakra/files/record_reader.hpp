// Cuts a trace file into its records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "workload/chakra/files/byte_source.hpp"

namespace orrery::core::chakra {

// A record is its length as a varint, followed by as many bytes. Files that are compressed with gzip are
// decompressed on the way. The reader holds the rest of a block and the present record, and nothing else.
// Errors are InputErrors that name `file` and a byte.
class RecordReader {
 public:
  // The number of bytes that are read at once from larger files. With this many there are few calls, and what
  // was read is still in the cache.
  static constexpr std::size_t usual_block = 1 << 18;

  // `size` is the size of `source`, or 0 when that is not known. At most `block` bytes are read at once.
  RecordReader(std::unique_ptr<ByteSource> source, std::uint64_t size, std::string file,
               std::size_t block = usual_block);

  // Reads the next record, which is valid until the next call. Returns false at the end.
  [[nodiscard]] bool next(std::string_view& record);

  double progress() const;  // share of `source` before the next record, about; 0 when not known
  [[noreturn]] void fail(const char* at, const std::string& what) const;  // `at` is in the present record

 private:
  std::size_t available() const { return end_ - at_; }
  // Reads on until there are `count` bytes. Returns false when the source ends before.
  bool have(std::size_t count) { return available() >= count || read_until(count); }
  [[nodiscard]] bool read_until(std::size_t count);
  [[nodiscard]] bool read_length(std::uint64_t& length);
  std::uint64_t position() const { return present_->bytes_read() - available(); }
  void look_for_json();
  [[noreturn]] void fail_at(std::uint64_t byte, const std::string& what) const;

  std::string file_;
  std::uint64_t size_;
  std::size_t block_;
  std::unique_ptr<ByteSource> source_;
  std::unique_ptr<GzipSource> gzip_;
  ByteSource* present_;  // the one of these that the records come from

  // Bytes that were read but not handed out yet are buffer_[at_ .. end_).
  std::unique_ptr<char[]>
      buffer_;  // NOLINT(modernize-avoid-c-arrays): a vector would clear what is read over
  std::size_t capacity_ = 0, at_ = 0, end_ = 0;

  bool may_be_json_ = false;  // it begins like JSON
  std::string json_;          // what JSON it is, and what to do; empty: it is none that is known
  std::int64_t number_ = 0;
  std::uint64_t offset_ = 0;  // offset at which the present record's content begins
  std::string_view record_;
};

}  // namespace orrery::core::chakra
