#include "workload/astra1/layer_table_reader.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "base/diagnostics/printable.hpp"
#include "base/text/token_reader.hpp"
#include "workload/astra1/layer_table_words.hpp"
#include "workload/astra1/recomputation_check.hpp"

namespace orrery::core {
namespace {

class LayerTableReader {
 public:
  LayerTableReader(std::string_view text, const std::string& file, Warnings& warnings)
      : tokens_(text, file), warnings_(warnings) {
    table_.where = {file};
  }

  LayerTable read() {
    read_header();
    layers_ = read_int("number of layers", 1);
    keep_layers(checkpoints_, table_.checkpoints);
    keep_layers(initiators_, table_.initiators);
    check_recomputation(checkpoints_, initiators_);
    while (static_cast<int>(table_.layers.size()) < layers_) read_layer();
    if (!tokens_.at_end())
      warnings_.add(tokens_.where(tokens_.peek()),
                    "what follows the last layer is ignored: " + backquoted(tokens_.peek().text));
    return std::move(table_);
  }

 private:
  void read_header();
  void read_indices(const char* label, std::vector<LocatedLayer>& indices);
  void keep_layers(std::vector<LocatedLayer>& indices, std::vector<int>& kept);
  void read_layer();
  LayerStep read_step(const char* pass);
  CollectiveWord read_collective();
  void read_layer_policy(Layer& layer);
  void skip_generator_column(const Token& delay);

  // `what` names the token for messages; within a step, the pass is put before it.
  Token next(const char* what);
  int read_int(const char* what, int least = std::numeric_limits<int>::min());
  Time read_time(const char* what);
  Bytes read_size(const char* what);

  std::string in_words(const char* what) const;
  [[noreturn]] void reject(const Token& token, const char* what, const std::string& wanted) const {
    throw InputError(tokens_.where(token),
                     in_words(what) + " has to be " + wanted + ", not " + backquoted(token.text));
  }
  [[noreturn]] void reject_number(const Token& token, const char* what, const std::string& wanted) const {
    throw InputError(tokens_.where(token), in_words(what) + " has to be " + wanted + ", not " +
                                               backquoted(token.text) +
                                               "; check that no word before it is missing or too many");
  }
  // Large tables repeat the same slip on every line.
  void warn_once(const Token& token, const std::string& text) {
    if (warned_.insert(text).second) warnings_.add(tokens_.where(token), text);
  }

  TokenReader tokens_;
  Warnings& warnings_;
  LayerTable table_;
  int layers_ = 0;
  std::vector<LocatedLayer> checkpoints_, initiators_;
  std::string_view layer_name_;
  const char* pass_ = "";
  std::set<std::string> warned_;
};

std::string LayerTableReader::in_words(const char* what) const {
  std::string out;
  if (layers_ > 0)
    out = "layer " + std::to_string(table_.layers.size() + 1) + " of " + std::to_string(layers_);
  if (!layer_name_.empty()) out += " (" + backquoted(layer_name_) + ")";
  return out + (layers_ > 0 ? ": " : "") + "the " + pass_ + what;
}

Token LayerTableReader::next(const char* what) {
  if (tokens_.at_end())
    throw InputError(tokens_.where(tokens_.peek()), in_words(what) + " is missing, the file ends before it");
  return tokens_.next(what);
}

void LayerTableReader::read_header() {
  if (tokens_.at_end())
    throw InputError(table_.where,
                     "the file is empty, it has to start with the training policy and the number of layers");
  const Token word = next("training policy");
  const auto policy = value_of(policy_words, word.text);
  if (!policy) {
    const auto words = words_of(policy_words);
    throw InputError(tokens_.where(word),
                     "unknown training policy " + backquoted(word.text) + ", use " + alternatives(words));
  }
  table_.policy = *policy;
  if (policy == TrainingPolicy::hybrid_transformer ||
      policy == TrainingPolicy::hybrid_transformer_fwd_in_bckwd) {
    next("label before the model-parallel group, such as `model_parallel_NPU_group:`,");
    table_.group_where = tokens_.where(tokens_.peek());
    table_.model_parallel_group = read_int("number of NPUs per model-parallel group", 1);
  }
  if (policy == TrainingPolicy::hybrid_transformer_fwd_in_bckwd) {
    read_indices("label before the checkpoints, such as `checkpoints:`,", checkpoints_);
    read_indices("label before the initiators, such as `checkpoint_initiates:`,", initiators_);
  }
  if (policy == TrainingPolicy::hybrid_dlrm || policy == TrainingPolicy::hybrid_dlrm_enhanced)
    table_.last_bottom_layer = read_int("index of the last bottom layer");
}

void LayerTableReader::read_indices(const char* label, std::vector<LocatedLayer>& indices) {
  next(label);
  for (int left = read_int("number of layers in the list", 0); left > 0; --left) {
    const Token token = tokens_.peek();
    const int index = read_int("layer index");
    indices.push_back({index, tokens_.where(token)});
  }
}

// Indices can be judged only when the number of layers is known, which follows them.
void LayerTableReader::keep_layers(std::vector<LocatedLayer>& indices, std::vector<int>& kept) {
  const auto is_no_layer = [&](const LocatedLayer& layer) {
    return layer.index < 0 || layer.index >= layers_;
  };
  for (const LocatedLayer& layer : indices) {
    if (!is_no_layer(layer)) {
      kept.push_back(layer.index);
    } else if (warned_.insert("no layer").second) {
      warnings_.add(layer.where,
                    "there is no layer " + std::to_string(layer.index) + ", such indices are ignored");
    }
  }
  std::erase_if(indices, is_no_layer);
}

void LayerTableReader::read_layer() {
  layer_name_ = {};
  const Token name = next("name");
  if (name.text.find(',') != std::string_view::npos)
    reject(name, "name", "free of commas, which the CSV reports could not hold");
  if (!is_printable(name.text)) reject(name, "name", "free of control characters");
  layer_name_ = name.text;
  Layer layer;
  layer.name = name.text;
  layer.where = tokens_.where(name);
  read_int("reserved number");
  layer.forward = read_step("forward ");
  layer.input_gradient = read_step("input-gradient ");
  layer.weight_gradient = read_step("weight-gradient ");
  const Token delay = tokens_.peek();
  layer.delay = read_time("delay");
  if (table_.policy == TrainingPolicy::hybrid_customized)
    read_layer_policy(layer);
  else
    skip_generator_column(delay);
  table_.layers.push_back(std::move(layer));
}

LayerStep LayerTableReader::read_step(const char* pass) {
  pass_ = pass;
  LayerStep step;
  step.compute = read_time("compute time");
  const CollectiveWord collective = read_collective();
  step.collective = collective.kind;
  step.all_reduce_all_to_all = collective.all_reduce_all_to_all;
  const Token size = tokens_.peek();
  step.size = read_size("collective's size");
  if (step.collective && step.size == Bytes{})
    warn_once(size, "a collective of 0 bytes is treated as no collective, write `NONE`");
  pass_ = "";
  return step;
}

CollectiveWord LayerTableReader::read_collective() {
  const Token token = next("collective");
  if (const auto collective = value_of(collective_words, token.text)) return *collective;
  if (parse_real(token.text)) reject_number(token, "collective", "a word such as `ALLREDUCE` or `NONE`");
  const auto known = words_of(collective_words);
  warn_once(token, "unknown collective " + backquoted(token.text) + " is treated as `NONE`" +
                       suggestion(token.text, known));
  return {};
}

void LayerTableReader::read_layer_policy(Layer& layer) {
  const Token token = next("layer's policy");
  const auto policy = value_of(policy_words, token.text);
  if (policy && usable_as_layer_policy(*policy)) {
    layer.policy = policy;
    return;
  }
  const auto communicates = [](const LayerStep& step) {
    return step.collective || step.all_reduce_all_to_all;
  };
  if (communicates(layer.forward) || communicates(layer.input_gradient) ||
      communicates(layer.weight_gradient)) {
    std::vector<std::string_view> usable = words_of(policy_words);
    std::erase_if(
        usable, [](std::string_view word) { return !usable_as_layer_policy(*value_of(policy_words, word)); });
    reject(token, "layer's policy", alternatives(usable));
  }
  warn_once(token, "the policy " + backquoted(token.text) +
                       " says nothing about a layer's collectives, which does no harm where all are `NONE`");
}

// The format's own generator ends every line with a policy word, whatever the policy of the table.
void LayerTableReader::skip_generator_column(const Token& delay) {
  const Token token = tokens_.peek();
  if (token.line != delay.line || !value_of(policy_words, token.text)) return;
  TokenReader ahead = tokens_;
  ahead.next("");
  if (!ahead.at_end() && ahead.peek().line == token.line) return;
  tokens_ = ahead;
  warn_once(token, "the policy at the end of a layer is ignored: only HYBRID_CUSTOMIZED has one per layer");
}

int LayerTableReader::read_int(const char* what, int least) {
  const Token token = next(what);
  const auto number = parse_signed(token.text);
  if (!number || *number < least || *number > std::numeric_limits<int>::max())
    reject_number(token, what,
                  least == std::numeric_limits<int>::min()
                      ? "a whole number below 2^31"
                      : "a whole number from " + std::to_string(least) + " to 2147483647");
  return static_cast<int>(*number);
}

Time LayerTableReader::read_time(const char* what) {
  const Token token = next(what);
  const auto ns = parse_unsigned(token.text);
  constexpr auto longest = static_cast<std::uint64_t>(Time::longest_input().whole_ns());
  if (!ns || *ns > longest) reject_number(token, what, "a whole number of nanoseconds, 30 days at most");
  return Time::from_ns(static_cast<std::int64_t>(*ns));
}

Bytes LayerTableReader::read_size(const char* what) {
  const Token token = next(what);
  const auto bytes = parse_unsigned(token.text);
  constexpr std::uint64_t largest = Bytes::largest_input().count();
  if (!bytes || *bytes > largest) reject_number(token, what, "a whole number of bytes, 2^53 at most");
  return Bytes(*bytes);
}

}  // namespace

LayerTable read_layer_table(std::string_view text, const std::string& file, Warnings& warnings) {
  return LayerTableReader(text, file, warnings).read();
}

}  // namespace orrery::core
