#include "compute/kernels/kernel_table.hpp"

#include <array>

namespace orrery::core {
namespace {

constexpr std::int64_t largest_extent = std::int64_t{1} << 40;
constexpr double most_operations = 1e24;

// A row before it is known which columns it needs. Columns of the other kind of operators stay empty.
struct KernelDraft {
  std::string_view kind;
  bool backward = false;
  std::optional<bool> causal;
  std::optional<std::uint64_t> queries, keys, heads, kv_heads, width, value_width;
  std::optional<std::uint64_t> read, written;
  std::optional<double> flops;
  std::optional<Datatype> type;
  std::optional<double> seconds;
  SourceLocation where;
};

constexpr std::string_view attention_word = "attention";

std::vector<std::string_view> kernel_words() {
  std::vector<std::string_view> words{attention_word};
  for (const auto& [word, kind] : pointwise_words) words.push_back(word);
  return words;
}

std::string_view kernel_word(const InputNode& node, const KeyFacts& key) {
  for (const std::string_view word : kernel_words())
    if (scalar_of(node, key.name) == word) return word;
  reject_value(node, key.name, alternatives(kernel_words()));
}

template <std::optional<std::uint64_t> KernelDraft::*member>
constexpr auto extent(std::string_view name, std::string_view fallback, std::string_view meaning) {
  return key::integer<member>(name, 1, largest_extent, fallback, meaning);
}

constexpr std::string_view of_attention = "of attention, required";
constexpr std::string_view of_passes = "of others, required";

constexpr Key<KernelDraft> kernel_keys[] = {
    key::declared<kernel_word, KeyType::word, &KernelDraft::kind>("kind", "required", "kind of operator")
        .out_of(kernel_words),
    key::boolean<&KernelDraft::backward>("backward", "false", "whether it is of the backward pass"),
    extent<&KernelDraft::queries>("queries", of_attention, "queries of a sample"),
    extent<&KernelDraft::keys>("keys", of_attention, "keys of a sample"),
    extent<&KernelDraft::heads>("heads", of_attention, "heads of queries, of all samples"),
    extent<&KernelDraft::kv_heads>("kv_heads", "as `heads`", "heads of keys and values, of all samples"),
    extent<&KernelDraft::width>("width", of_attention, "width of a head"),
    extent<&KernelDraft::value_width>("value_width", "as `width`", "width of a head's values"),
    key::boolean<&KernelDraft::causal>("causal", "false",
                                       "whether half of the scores are masked and left out"),
    extent<&KernelDraft::read>("read", of_passes, "elements of the operands"),
    extent<&KernelDraft::written>("written", of_passes, "elements of the results"),
    key::real<&KernelDraft::flops>("flops", 0, most_operations, "0", "operations"),
    key::word<datatype_words, &KernelDraft::type>("datatype", "that of `--dtype`",
                                                  "number format of the elements"),
    key::declared<key_readers::measured_seconds, KeyType::other, &KernelDraft::seconds>(
        "time_us", "", "measured time, with which the output compares")
        .of("above 0"),
    key::ignored("source", "a remark"),
};

std::uint64_t needed(const KernelDraft& row, const std::optional<std::uint64_t>& value,
                     std::string_view column) {
  if (!value)
    throw InputError(row.where, "an operator of the kind " + backquoted(row.kind) + " needs " +
                                    backquoted(column) + ", add that column");
  return *value;
}

template <class Value>
void refuse(const KernelDraft& row, const std::optional<Value>& value, std::string_view column) {
  if (value)
    throw InputError(row.where, backquoted(column) + " means nothing for the kind " + backquoted(row.kind) +
                                    ", leave it empty there");
}

Attention attention_of(const KernelDraft& row) {
  refuse(row, row.read, "read");
  refuse(row, row.written, "written");
  refuse(row, row.flops, "flops");
  Attention attention;
  attention.queries = needed(row, row.queries, "queries");
  attention.keys = needed(row, row.keys, "keys");
  attention.heads = needed(row, row.heads, "heads");
  attention.kv_heads = row.kv_heads.value_or(attention.heads);
  attention.width = needed(row, row.width, "width");
  attention.value_width = row.value_width.value_or(attention.width);
  attention.causal = row.causal.value_or(false);
  attention.backward = row.backward;
  return attention;
}

Elementwise passes_of(const KernelDraft& row) {
  refuse(row, row.queries, "queries");
  refuse(row, row.keys, "keys");
  refuse(row, row.heads, "heads");
  refuse(row, row.kv_heads, "kv_heads");
  refuse(row, row.width, "width");
  refuse(row, row.value_width, "value_width");
  refuse(row, row.causal, "causal");
  Elementwise work{row.flops.value_or(0), needed(row, row.read, "read"), needed(row, row.written, "written")};
  for (const auto& [word, kind] : pointwise_words)
    if (word == row.kind) work.kind = kind;
  work.backward = row.backward;
  return work;
}

}  // namespace

std::vector<KernelShape> read_kernel_table(std::string_view text, const std::string& file) {
  std::vector<KernelShape> rows;
  for (const KernelDraft& draft : read_csv_rows<KernelDraft>(text, file, "kernels", kernel_keys)) {
    KernelShape& row = rows.emplace_back();
    row.op.name = std::string(draft.kind);
    if (draft.kind == attention_word)
      row.op.work = attention_of(draft);
    else
      row.op.work = passes_of(draft);
    row.type = draft.type;
    row.seconds = draft.seconds;
    row.where = draft.where;
  }
  return rows;
}

std::vector<KeyPath> kernel_table_columns() {
  return key_paths("", kernel_keys);
}

}  // namespace orrery::core
