#include "workload/chakra/record_reader.hpp"

#include <google/protobuf/io/coded_stream.h>

#include <limits>
#include <utility>

#include "base/diagnostics.hpp"

namespace orrery::chakra {
namespace {

constexpr int block_size = 1 << 16;

std::string first_bytes(google::protobuf::io::ZeroCopyInputStream& stream) {
  const void* data = nullptr;
  int size = 0;
  if (!stream.Next(&data, &size)) return "";
  const std::string_view block(static_cast<const char*>(data), static_cast<std::size_t>(size));
  std::string first(block.substr(0, 2));
  stream.BackUp(size);
  return first;
}

}  // namespace

RecordReader::RecordReader(std::unique_ptr<ByteSource> source, std::uint64_t size, std::string file)
    : file_(std::move(file)), size_(size), source_(std::move(source)), raw_(source_.get(), block_size) {
  const std::string first = first_bytes(raw_);
  may_be_json_ = first.starts_with('{');
  // No trace begins like that: 31 bytes of metadata would begin with an unknown group.
  if (first != "\x1f\x8b") return;
  gzip_ = std::make_unique<GzipSource>(raw_);
  decompressed_.emplace(gzip_.get(), block_size);
  stream_ = &*decompressed_;
}

bool RecordReader::next(std::string_view& record) {
  ++number_;
  const std::int64_t start = stream_->ByteCount();
  // A stream per record, as one of these counts no further than 2 GiB.
  google::protobuf::io::CodedInputStream input(stream_);
  const void* block = nullptr;
  int available = 0;
  if (!input.GetDirectBufferPointer(&block, &available)) {
    check_sources();
    return false;
  }
  std::uint64_t length = 0;
  if (!input.ReadVarint64(&length)) {
    check_sources();
    fail_at(start, "no length of a record stands here; the file is cut off, damaged or no Chakra trace");
  }
  if (length > std::uint64_t{std::numeric_limits<int>::max()})
    fail_at(start, "the record's length is " + std::to_string(length) +
                       ", beyond 2 GiB; the file is damaged or no Chakra trace");
  offset_ = start + input.CurrentPosition();
  const int size = static_cast<int>(length);
  input.GetDirectBufferPointerInline(&block, &available);
  if (available >= size) {
    record_ = {static_cast<const char*>(block), length};
    input.Skip(size);
  } else {
    // Grows with what is there, whatever the length says.
    if (!input.ReadString(&copy_, size)) {
      check_sources();
      fail_at(start, "the record's length is " + std::to_string(length) +
                         " bytes, but the file ends before that; it is cut off, damaged or no Chakra trace");
    }
    record_ = copy_;
  }
  record = record_;
  return true;
}

double RecordReader::progress() const {
  return size_ == 0 ? 0 : static_cast<double>(raw_.ByteCount()) / static_cast<double>(size_);
}

void RecordReader::fail(const char* at, const std::string& what) const {
  fail_at(offset_ + (at - record_.data()), what);
}

void RecordReader::fail_at(std::int64_t byte, const std::string& what) const {
  throw InputError(
      {file_},
      "byte " + std::to_string(byte) + (gzip_ ? " of the decompressed data" : "") + " (record " +
          std::to_string(number_) + "): " + what +
          (may_be_json_ && number_ <= 2 ? "; if this is JSON, convert it with Chakra's tools first" : ""));
}

void RecordReader::check_sources() const {
  for (const ByteSource* source : {source_.get(), static_cast<ByteSource*>(gzip_.get())})
    if (source != nullptr && !source->error().empty()) throw InputError({file_}, source->error());
}

}  // namespace orrery::chakra
