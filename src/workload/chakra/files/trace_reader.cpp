#include "workload/chakra/files/trace_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <utility>

#include "base/diagnostics/diagnostics.hpp"
#include "base/diagnostics/words.hpp"
#include "base/files/foreign_files.hpp"
#include "workload/chakra/files/attribute.hpp"
#include "workload/chakra/files/attribute_names.hpp"
#include "workload/chakra/files/node_fields.hpp"
#include "workload/chakra/files/record_reader.hpp"
#include "workload/chakra/files/text_table.hpp"
#include "workload/chakra/files/wire_reader.hpp"

namespace orrery::core::chakra {
namespace {

constexpr std::uint64_t largest_count = std::numeric_limits<std::uint32_t>::max();

class Reader {
 public:
  Reader(RecordReader& records, TraceParts parts) : records_(records), parts_(parts) {}

  Trace read();
  // Reads no further than the metadata.
  std::vector<std::string> read_program();

 private:
  void read_metadata(std::string_view record);
  void read_node(std::string_view record);
  void read_field(WireReader& reader);
  void read_parents(WireReader& reader, std::vector<std::uint64_t>& parents);
  void read_process_groups(std::string_view io_info);
  void read_attribute(std::string_view message);
  void read_number(AttributeName name, const AttributeValue& attribute);
  void read_dimensions(const AttributeValue& attribute);
  void add_node();
  void add_tensors(std::uint32_t node);
  std::vector<Tensor> read_tensors(const AttributeValue& attribute);
  std::uint64_t read_size(const AttributeValue& attribute, std::string_view tensor, std::string_view size);

  // Makes room for `more` elements, and for as many as the rest of the file will presumably need. Doubling
  // would take more memory.
  template <class List>
  void make_room(List& list, std::size_t more);
  void check_limits(std::string_view record) const;

  RecordReader& records_;
  const TraceParts parts_;
  Trace trace_;
  TextTable texts_;

  // The present node. Texts come last, in a fixed order, so that their numbers do not depend on the order of
  // the fields. Names of nodes are not among them: mostly each has its own, so finding equal ones costs more
  // than keeping them all.
  Node node_;
  std::uint32_t seen_ = 0;  // attributes, as bits
  std::string_view name_, pg_name_, values_;
  std::string comm_group_;
  AttributeValue inputs_, outputs_;
  std::vector<std::uint64_t> data_, control_;
};

constexpr std::uint32_t bit_of(AttributeName name) {
  return 1u << static_cast<unsigned>(name);
}

Trace Reader::read() {
  std::string_view record;
  try {
    if (!records_.next(record))
      throw WireError{nullptr, "the file is empty; it has to begin with Chakra's metadata"};
    read_metadata(record);
    while (records_.next(record)) {
      read_node(record);
      check_limits(record);
    }
  } catch (const WireError& error) {
    records_.fail(error.at, error.what);
  }
  trace_.first_parent.push_back(trace_.parents.size());
  trace_.texts = std::move(texts_).take();
  return std::move(trace_);
}

std::vector<std::string> Reader::read_program() {
  std::string_view record;
  try {
    if (records_.next(record)) read_metadata(record);
  } catch (const WireError& error) {
    records_.fail(error.at, error.what);
  }
  return std::move(trace_.program);
}

void Reader::read_metadata(std::string_view record) {
  for (WireReader reader(record); reader.next();) {
    // There, a node is in the first record, and its first field is a number.
    if (reader.field() == fields::version && reader.wire() != Wire::bytes)
      throw WireError{
          reader.start(),
          "the file does not begin with metadata, it is no Chakra trace or follows the schema of before "
          "2024; write it again with a newer version of Chakra"};
    if (reader.field() != fields::metadata_attribute || reader.wire() != Wire::bytes) {
      reader.skip();
      continue;
    }
    const AttributeValue attribute = AttributeValue::read(reader.bytes());
    if (attribute_called(attribute.name()) != AttributeName::orrery_program) continue;
    const auto words = attribute.texts();
    trace_.program.assign(words.begin(), words.end());
  }
}

void Reader::read_node(std::string_view record) {
  // Such a node could be read, but zeros at the end of a file are what is left of a failed copy.
  if (record.empty()) throw WireError{record.data(), "the record is empty; the file is damaged"};
  node_ = {};
  seen_ = 0;
  name_ = pg_name_ = values_ = {};
  comm_group_.clear();
  data_.clear();
  control_.clear();
  for (WireReader reader(record); reader.next();) read_field(reader);
  add_node();
}

void Reader::read_field(WireReader& reader) {
  const std::uint32_t field = reader.field();
  if (field == fields::data_parents || field == fields::control_parents)
    return read_parents(reader, field == fields::data_parents ? data_ : control_);
  if (reader.wire() == Wire::bytes) {
    switch (field) {
      case fields::attribute:
        return read_attribute(reader.bytes());
      case fields::name:
        name_ = reader.bytes();
        return;
      case fields::inputs:
        return read_process_groups(reader.bytes());
      default:
        break;
    }
  } else if (reader.wire() == Wire::varint) {
    switch (field) {
      case fields::id:
        node_.id = reader.varint();
        return;
      case fields::type: {
        const std::uint64_t type = reader.varint();
        if (type > static_cast<std::uint64_t>(NodeType::collective))
          throw WireError{reader.start(), "unknown type of node " +
                                              std::to_string(static_cast<std::int64_t>(type)) +
                                              ", known are 0 to 7; the file is damaged or of a newer schema"};
        node_.type = static_cast<NodeType>(type);
        return;
      }
      case fields::start:
        node_.start_us = reader.varint();
        node_.has =
            static_cast<std::uint16_t>(node_.start_us > 0 ? node_.has | has_start : node_.has & ~has_start);
        return;
      case fields::duration:
        node_.duration_us = reader.varint();
        return;
      default:
        break;
    }
  }
  reader.skip();
}

void Reader::read_parents(WireReader& reader, std::vector<std::uint64_t>& parents) {
  if (reader.wire() == Wire::varint) {
    parents.push_back(reader.varint());
  } else if (reader.wire() == Wire::bytes) {
    for (WireReader packed(reader.bytes()); !packed.at_end();) parents.push_back(packed.varint());
  } else {
    reader.skip();
  }
}

void Reader::read_process_groups(std::string_view io_info) {
  for (WireReader reader(io_info); reader.next();) {
    if (reader.field() == fields::values && reader.wire() == Wire::bytes)
      values_ = reader.bytes();
    else
      reader.skip();
  }
}

void Reader::read_attribute(std::string_view message) {
  const AttributeValue attribute = AttributeValue::read(message);
  const AttributeName name = attribute_called(attribute.name());
  if (name == AttributeName::other || (seen_ & bit_of(name)) != 0) return;
  seen_ |= bit_of(name);
  switch (name) {
    case AttributeName::pg_name:
      if (!attribute.has_value()) break;  // protobuf has no other text for none; it stands for all ranks
      pg_name_ = attribute.text();
      node_.has |= has_pg_name;
      break;
    case AttributeName::comm_group:
      if (attribute.is_integer())
        comm_group_ = std::to_string(static_cast<std::int64_t>(attribute.integer()));
      break;
    case AttributeName::stream:
      if (attribute.is_integer()) read_number(name, attribute);
      break;
    case AttributeName::involved_dim:
      read_dimensions(attribute);
      break;
    case AttributeName::inputs:
      inputs_ = attribute;
      if (parts_.tensors) node_.has |= has_tensors;
      break;
    case AttributeName::outputs:
      outputs_ = attribute;
      if (parts_.tensors) node_.has |= has_tensors;
      break;
    case AttributeName::orrery_operation: {
      const auto words = attribute.texts();
      trace_.operations.push_back(
          {static_cast<std::uint32_t>(trace_.nodes.size()), {words.begin(), words.end()}});
      break;
    }
    default:
      read_number(name, attribute);
  }
}

void Reader::read_number(AttributeName name, const AttributeValue& attribute) {
  const std::uint64_t value = attribute.integer();
  const auto keep = [&](auto& member, Attribute bit) {
    member = static_cast<std::remove_reference_t<decltype(member)>>(value);
    node_.has |= bit;
  };
  if (name == AttributeName::is_cpu_op) {
    node_.on_cpu = value != 0;
    return;
  }
  if (name == AttributeName::orrery_duration_ps) return keep(node_.duration_ps, has_duration_ps);
  if (name == AttributeName::comm_type && value > static_cast<std::uint64_t>(CommType::barrier))
    throw WireError{attribute.start(), "unknown comm_type " +
                                           std::to_string(static_cast<std::int64_t>(value)) +
                                           ", known are 0 to 9; the file is damaged or of a newer schema"};
  for_numbers(node_, [&](AttributeName one, Attribute bit, std::uint32_t /*kind*/, auto& member) {
    if (one == name) keep(member, bit);
  });
}

void Reader::read_dimensions(const AttributeValue& attribute) {
  const std::vector<bool> involved = attribute.booleans();
  constexpr std::size_t most = std::numeric_limits<decltype(node_.involved_dims)>::digits;
  if (involved.size() > most)
    throw WireError{attribute.start(), "involved_dim has " + std::to_string(involved.size()) +
                                           " entries, at most " + std::to_string(most) + " are possible"};
  for (std::size_t dimension = 0; dimension < involved.size(); ++dimension)
    if (involved[dimension]) node_.involved_dims |= static_cast<std::uint16_t>(1u << dimension);
  node_.involved_count = static_cast<std::uint8_t>(involved.size());
  node_.has |= has_involved_dims;
}

void Reader::add_node() {
  const auto index = static_cast<std::uint32_t>(trace_.nodes.size());
  // Before there was pg_name, STAGE wrote the number of the group.
  if ((node_.has & has_pg_name) == 0 && !comm_group_.empty()) {
    pg_name_ = comm_group_;
    node_.has |= has_pg_name;
  }
  node_.pg_name = texts_.number_of(pg_name_);
  if ((node_.has & has_tensors) != 0) add_tensors(index);
  if (node_.type == NodeType::metadata && !values_.empty())
    trace_.metadata.push_back({index, std::string(values_)});

  make_room(trace_.first_parent, 1);
  trace_.first_parent.push_back(trace_.parents.size());
  make_room(trace_.data_parents, 1);
  trace_.data_parents.push_back(static_cast<std::uint32_t>(data_.size()));
  make_room(trace_.parents, data_.size() + control_.size());
  // Most nodes have one or none, for which insert() does too much.
  for (const auto* parents : {&data_, &control_})
    for (const std::uint64_t parent : *parents) trace_.parents.push_back(parent);
  make_room(trace_.nodes, 1);
  trace_.nodes.push_back(node_, name_);
}

void Reader::add_tensors(std::uint32_t node) {
  Trace::NodeTensors tensors{node, {}, {}};
  if ((seen_ & bit_of(AttributeName::inputs)) != 0) tensors.inputs = read_tensors(inputs_);
  if ((seen_ & bit_of(AttributeName::outputs)) != 0) tensors.outputs = read_tensors(outputs_);
  trace_.tensors.push_back(std::move(tensors));
}

std::vector<Tensor> Reader::read_tensors(const AttributeValue& attribute) {
  const std::vector<std::string_view> words = attribute.texts();
  if (words.size() % 2 != 0)
    throw WireError{attribute.start(), "the attribute " + backquoted(attribute.name()) +
                                           " has to list names and sizes in turn, but has " +
                                           std::to_string(words.size()) + " entries"};
  std::vector<Tensor> tensors;
  tensors.reserve(words.size() / 2);
  for (std::size_t i = 0; i < words.size(); i += 2) {
    const std::uint64_t bytes = read_size(attribute, words[i], words[i + 1]);
    tensors.push_back({texts_.number_of(words[i]), bytes});
  }
  return tensors;
}

// Sizes that come from a division in Python have a decimal point, mostly with a zero behind it.
std::uint64_t Reader::read_size(const AttributeValue& attribute, std::string_view tensor,
                                std::string_view size) {
  constexpr double largest = 0x1p63;
  const char* const end = size.data() + size.size();
  std::uint64_t bytes = 0;
  const auto whole = std::from_chars(size.data(), end, bytes);
  if (whole.ec == std::errc() && whole.ptr == end) return bytes;
  double real = 0;
  const auto parsed = std::from_chars(size.data(), end, real);
  if (parsed.ec != std::errc() || parsed.ptr != end || !(real >= 0 && real <= largest))
    throw WireError{attribute.start(), "the size of tensor " + backquoted(tensor) +
                                           " has to be a number of bytes, not " + backquoted(size)};
  const double up = std::ceil(real);
  if (up != real) ++trace_.rounded_sizes;
  return static_cast<std::uint64_t>(up);
}

template <class List>
void Reader::make_room(List& list, std::size_t more) {
  const std::size_t needed = list.size() + more;
  if (needed <= list.capacity()) return;
  // The rest of the file may differ from its beginning, with shorter records, or it may be damaged. So the
  // guess is limited.
  constexpr double most = 16, least = 1.25, reserve = 1.02;
  const double progress = records_.progress();
  const double factor = progress > 0 ? std::clamp(reserve / progress, least, most) : 2;
  list.reserve(std::max<std::size_t>(static_cast<std::size_t>(static_cast<double>(needed) * factor), 1024));
}

void Reader::check_limits(std::string_view record) const {
  if (trace_.nodes.size() >= largest_count || trace_.parents.size() >= largest_count ||
      texts_.size() >= largest_count)
    throw WireError{record.data(),
                    "the trace has more than 4294967295 nodes, dependencies or names; split it into several"};
}

}  // namespace

Trace read_trace(RecordReader& records, TraceParts parts) {
  return Reader(records, parts).read();
}

Trace read_trace(std::string_view bytes, const std::string& file, TraceParts parts) {
  RecordReader records(std::make_unique<MemorySource>(bytes), bytes.size(), file);
  return read_trace(records, parts);
}

std::vector<std::string> program_words_of_file(const std::string& path) {
  std::error_code unknown;
  const std::uintmax_t size = std::filesystem::file_size(path, unknown);
  RecordReader records(std::make_unique<FileSource>(path), unknown ? 0 : size, path);
  return Reader(records, {}).read_program();
}

Trace read_trace_file(const std::string& path, TraceParts parts, const StepListener& told) {
  constexpr std::uint64_t megabyte = 1'000'000;
  refuse_foreign_file(path);
  std::error_code unknown;
  const std::uintmax_t size = std::filesystem::file_size(path, unknown);
  FileSource::Told tell;
  if (told && !unknown && size >= megabyte)
    tell = [&](std::uint64_t bytes) { told(bytes / megabyte, size / megabyte, "MB read"); };
  RecordReader records(std::make_unique<FileSource>(path, tell), unknown ? 0 : size, path);
  return read_trace(records, parts);
}

}  // namespace orrery::core::chakra
