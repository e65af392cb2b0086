#include "workload/chakra/files/trace_writer.hpp"

#include <span>
#include <string_view>

#include "base/encoding/protobuf_writer.hpp"
#include "workload/chakra/files/attribute_names.hpp"
#include "workload/chakra/files/node_fields.hpp"

namespace orrery::core::chakra {
namespace {

using protobuf::put_bytes;
using protobuf::put_number;
using protobuf::put_varint;

// The version of the schema.
constexpr std::string_view schema_version = "0.0.4";

// Proto3 leaves out what is 0 or empty.
void put_number_if_any(std::string& out, std::uint32_t field, std::uint64_t value) {
  if (value != 0) put_number(out, field, value);
}
void put_bytes_if_any(std::string& out, std::uint32_t field, std::string_view bytes) {
  if (!bytes.empty()) put_bytes(out, field, bytes);
}

void put_packed(std::string& out, std::uint32_t field, std::span<const std::uint64_t> values) {
  std::string packed;
  for (const std::uint64_t value : values) put_varint(packed, value);
  put_bytes_if_any(out, field, packed);
}

std::string named(AttributeName name) {
  std::string attribute;
  put_bytes(attribute, fields::attribute_name, text_of(name));
  return attribute;
}

std::string list_of_texts(AttributeName name, std::span<const std::string> texts) {
  std::string list;
  for (const std::string& text : texts) put_bytes(list, fields::entries, text);
  std::string attribute = named(name);
  put_bytes(attribute, fields::string_list, list);
  return attribute;
}

class NodeWriter {
 public:
  NodeWriter(const Trace& trace, std::size_t index, std::string& out)
      : trace_(trace), index_(index), node_(trace.nodes[index]), out_(out) {}

  void write_fields(std::string_view values);
  void write_attributes(const Trace::NodeTensors* tensors, const Trace::NodeOperation* operation);

 private:
  void put_integer(Attribute bit, AttributeName name, std::uint32_t kind, std::uint64_t value);
  void put_dimensions();
  void put_tensors(AttributeName name, std::span<const Tensor> tensors);
  void put_texts(AttributeName name, std::span<const std::string> texts);

  const Trace& trace_;
  std::size_t index_;
  Node node_;
  std::string& out_;
};

void NodeWriter::write_fields(std::string_view values) {
  const std::span<const std::uint64_t> parents = trace_.parents_of(index_);
  const std::size_t data_parents = trace_.data_parents[index_];
  put_number_if_any(out_, fields::id, node_.id);
  put_bytes_if_any(out_, fields::name, trace_.nodes.name(index_));
  put_number_if_any(out_, fields::type, static_cast<std::uint64_t>(node_.type));
  put_packed(out_, fields::control_parents, parents.subspan(data_parents));
  put_packed(out_, fields::data_parents, parents.first(data_parents));
  put_number_if_any(out_, fields::start, node_.start_us);
  put_number_if_any(out_, fields::duration, node_.duration_us);
  if (values.empty()) return;
  std::string io_info;
  put_bytes(io_info, fields::values, values);
  put_bytes(out_, fields::inputs, io_info);
}

void NodeWriter::write_attributes(const Trace::NodeTensors* tensors, const Trace::NodeOperation* operation) {
  std::string on_cpu = named(AttributeName::is_cpu_op);
  put_number(on_cpu, fields::bool_value, node_.on_cpu ? 1 : 0);
  put_bytes(out_, fields::attribute, on_cpu);
  for_numbers(node_, [&](AttributeName name, Attribute bit, std::uint32_t kind, auto value) {
    // Negative numbers take 64 bits even if their type has 32.
    put_integer(bit, name, kind, static_cast<std::uint64_t>(value));
  });
  if ((node_.has & has_pg_name) != 0) {
    std::string group = named(AttributeName::pg_name);
    put_bytes(group, fields::string_value, trace_.texts[node_.pg_name]);
    put_bytes(out_, fields::attribute, group);
  }
  put_dimensions();
  put_integer(has_duration_ps, AttributeName::orrery_duration_ps, fields::uint64_value, node_.duration_ps);
  if (operation != nullptr) put_texts(AttributeName::orrery_operation, operation->words);
  if ((node_.has & has_tensors) == 0) return;
  const std::span<const Tensor> no_tensors;
  put_tensors(AttributeName::inputs, tensors != nullptr ? tensors->inputs : no_tensors);
  put_tensors(AttributeName::outputs, tensors != nullptr ? tensors->outputs : no_tensors);
}

void NodeWriter::put_integer(Attribute bit, AttributeName name, std::uint32_t kind, std::uint64_t value) {
  if ((node_.has & bit) == 0) return;
  std::string attribute = named(name);
  put_number(attribute, kind, value);
  put_bytes(out_, fields::attribute, attribute);
}

void NodeWriter::put_dimensions() {
  if ((node_.has & has_involved_dims) == 0) return;
  std::string packed;
  for (unsigned dimension = 0; dimension < node_.involved_count; ++dimension)
    packed += static_cast<char>(node_.involved_dims >> dimension & 1);
  std::string list;
  put_bytes_if_any(list, fields::entries, packed);
  std::string attribute = named(AttributeName::involved_dim);
  put_bytes(attribute, fields::bool_list, list);
  put_bytes(out_, fields::attribute, attribute);
}

void NodeWriter::put_tensors(AttributeName name, std::span<const Tensor> tensors) {
  std::vector<std::string> texts;
  for (const Tensor& tensor : tensors) {
    texts.push_back(trace_.texts[tensor.name]);
    texts.push_back(std::to_string(tensor.bytes));
  }
  put_texts(name, texts);
}

void NodeWriter::put_texts(AttributeName name, std::span<const std::string> texts) {
  put_bytes(out_, fields::attribute, list_of_texts(name, texts));
}

void put_record(std::string& out, std::string_view record) {
  put_varint(out, record.size());
  out += record;
}

}  // namespace

std::string write_trace(const Trace& trace) {
  std::string out, record;
  put_bytes(record, fields::version, schema_version);
  if (!trace.program.empty())
    put_bytes(record, fields::metadata_attribute,
              list_of_texts(AttributeName::orrery_program, trace.program));
  put_record(out, record);
  auto tensors = trace.tensors.begin();
  auto metadata = trace.metadata.begin();
  auto operation = trace.operations.begin();
  for (std::size_t index = 0; index < trace.nodes.size(); ++index) {
    record.clear();
    const bool has_values = metadata != trace.metadata.end() && metadata->node == index;
    const bool has_entry = tensors != trace.tensors.end() && tensors->node == index;
    NodeWriter writer(trace, index, record);
    writer.write_fields(has_values ? std::string_view(metadata->values) : std::string_view());
    const bool is_operation = operation != trace.operations.end() && operation->node == index;
    writer.write_attributes(has_entry ? &*tensors : nullptr, is_operation ? &*operation : nullptr);
    if (has_values) ++metadata;
    if (has_entry) ++tensors;
    if (is_operation) ++operation;
    put_record(out, record);
  }
  return out;
}

}  // namespace orrery::core::chakra
