#include "study/machine/yaml_algorithms.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <optional>

#include "base/files/foreign_words.hpp"
#include "collective/algorithms/written/foreign_algorithm.hpp"
#include "collective/algorithms/written/msccl_file.hpp"
#include "collective/plan/collective_words.hpp"

namespace orrery::core {
namespace {

constexpr int max_window = 1 << 27;

using Written = std::vector<std::shared_ptr<const WrittenSource>>;

enum class AlgorithmSpan { dimension, rest, machine };
constexpr std::array<EnumName<AlgorithmSpan>, 3> span_words{{{"dimension", AlgorithmSpan::dimension},
                                                             {"rest", AlgorithmSpan::rest},
                                                             {"machine", AlgorithmSpan::machine}}};

struct ChoiceDraft : AlgorithmChoice {
  explicit ChoiceDraft(const Extensions& of_plugins) : extensions(of_plugins) {}

  const Extensions& extensions;
  AlgorithmSpan span = AlgorithmSpan::dimension;
  std::optional<InputNode> file;  // its path
  std::shared_ptr<const ForeignAlgorithm> foreign;
};

// Reads the algorithm of a word. Plug-ins may add some.
void read_algorithm_word(const InputNode& node, ChoiceDraft& choice) {
  const auto kind = find_kind<ForeignAlgorithmEntry>(algorithm_words, node.text, choice.extensions);
  if (!kind)
    reject_word(node, "algorithm", all_words<ForeignAlgorithmEntry>(algorithm_words, choice.extensions));
  choice.algorithm = *kind;
  const auto entry = choice.extensions.find<ForeignAlgorithmEntry>(node.text);
  if (entry && (*entry)->kind() == choice.algorithm) choice.foreign = *entry;
}

// Reads, for example, "ring", "direct:4" or "msccl:ring.xml".
void read_algorithm(const InputNode& node, ChoiceDraft& choice) {
  const std::string& text = scalar_of(node, "algorithm");
  const std::size_t colon = text.find(':');
  InputNode part = node;
  part.text = text.substr(0, colon);
  read_algorithm_word(part, choice);
  if (colon == std::string::npos) return;
  part.text = text.substr(colon + 1);
  if (choice.algorithm->from_file && !choice.foreign)
    choice.file = part;
  else
    choice.window = int_of(part, "window", 1, max_window);
}

void read_file_key(const InputNode& node, const KeyFacts& key, ChoiceDraft& choice) {
  scalar_of(node, key.name);
  choice.file = node;
}

// The algorithms that leave members with the same data as a written one.
constexpr std::array<EnumName<Algorithm>, 3> otherwise_words{{
    {"ring", &ring_algorithm},
    {"direct", &direct_algorithm},
    {"halving-doubling", &halving_doubling_algorithm},
}};

constexpr auto algorithm_key = key::custom<read_algorithm>("algorithm", "word", "required",
                                                           "the algorithm, when it is written as a map");
constexpr auto span_key =
    key::word<span_words, &ChoiceDraft::span>("span", "dimension",
                                              "`rest`: this dimension and all beyond it as one, such as all "
                                              "boxes; `machine`: all NPUs of the group as one "
                                              "dimension, whatever the topology");
constexpr auto rate_key = key::bytes_per_second<&ChoiceDraft::switch_bytes_per_s>(
                              "switch-rate", "that of its links",
                              "sharp and nvls only: bytes of the sum that a switch makes in a "
                              "second")
                              .hardware();
constexpr Key<ChoiceDraft> choice_keys[] = {
    algorithm_key.trying("ring|halving-doubling"),
    key::integer<&ChoiceDraft::window>("window", 1, max_window, "all",
                                       "direct only: number of peers that an NPU sends to at a time")
        .better(Better::either)
        .software(),
    span_key,
    rate_key,
    key::custom<read_file_key>("file", "path", "required under `msccl`",
                               "msccl only: a [file](#written-algorithms) with the algorithm")
        .trying("allreduce-of-5.xml|allgather-of-5.xml|reducescatter-of-5.xml|alltoall-of-5.xml"),
    key::word<otherwise_words, &ChoiceDraft::otherwise>(
        "otherwise", "none",
        "msccl and plug-ins only: algorithm for groups, sizes and phases that these are not made for"),
};
constexpr Key<ChoiceDraft> rooted_choice_keys[] = {algorithm_key.trying("ring|tree"), span_key, rate_key};

void read_written(const InputNode& node, CollectiveKind kind, ChoiceDraft& choice,
                  const SystemReading& reading, Written& written) {
  if (!choice.algorithm->from_file) {
    if (choice.file || choice.otherwise)
      throw InputError(node.where, fmt::format("`file` and `otherwise` belong to {}, not to {}; remove them",
                                               msccl_algorithm.name, choice.algorithm->name));
    return;
  }
  if (!choice.file && !choice.foreign)
    throw InputError(node.where, "the file of the algorithm is missing; write for example `msccl:ring.xml`");
  if (reading.dialect.phase_barrier == PhaseBarrier::machine)
    throw InputError(node.where, "ASTRA-sim 1.0 has no written algorithms: leave `dialect` out");
  if (choice.foreign) {
    if (choice.file)
      throw InputError(choice.file->where,
                       "the algorithm is one of a plug-in and has no file; remove `file`");
    written.push_back(choice.foreign);
    choice.written = choice.foreign.get();
    return;
  }
  const std::string path = (reading.files.folder / choice.file->text).string();
  std::string text;
  try {
    text = reading.files.load(path, ReadAs::algorithm);
  } catch (const InputError& error) {
    throw InputError(choice.file->where, fmt::format("no file that can be read: {}", error.what()));
  }
  const auto of_file =
      std::make_shared<const WrittenFile>(read_msccl_file(text, path, reading.files.warnings));
  const WrittenAlgorithm& algorithm = of_file->algorithm();
  if (algorithm.kind != kind)
    throw InputError(
        algorithm.where(algorithm.spot),
        fmt::format("the algorithm is one for {}, but {}:{} names it for {}; choose another file",
                    name_of(algorithm.kind), node.where.file, node.where.line, name_of(kind)));
  written.push_back(of_file);
  choice.written = of_file.get();
}

bool adds_up(CollectiveKind kind) {
  return kind == CollectiveKind::all_reduce || kind == CollectiveKind::reduce_scatter ||
         kind == CollectiveKind::reduce;
}

void check_in_network(const InputNode& node, CollectiveKind kind, const ChoiceDraft& choice,
                      const SystemReading& reading) {
  const InputNode* const rate = node.kind == InputNode::Kind::map ? node.find("switch-rate") : nullptr;
  if (rate && !(choice.algorithm->in_network && adds_up(kind)))
    throw InputError(rate->where, fmt::format("no switch adds up under {} of {}; remove `switch-rate`",
                                              choice.algorithm->name, name_of(kind)));
  if (!choice.algorithm->in_network) return;
  if (reading.dialect.phase_barrier == PhaseBarrier::machine)
    throw InputError(node.where, "ASTRA-sim 1.0 has no reduction in switches: leave `dialect` out");
}

AlgorithmChoice read_choice(const InputNode& node, CollectiveKind kind, const SystemReading& reading,
                            Written& written) {
  constexpr std::string_view what = "an algorithm written as a map";
  ChoiceDraft choice(reading.files.load.extensions());
  if (node.kind != InputNode::Kind::map)
    read_algorithm(node, choice);
  else if (is_symmetric(kind))
    read_map(node, what, choice_keys, choice);
  else
    read_map(node, what, rooted_choice_keys, choice);
  choice.whole_machine = choice.span == AlgorithmSpan::machine;
  choice.joins_rest = choice.span == AlgorithmSpan::rest;
  if (!choice.algorithm->runs(kind))
    throw InputError(node.where, fmt::format("{} does not run {}; use {}", choice.algorithm->name,
                                             name_of(kind), alternatives(words_of_algorithms_for(kind))));
  if (choice.window > 0 && !(choice.algorithm->has_window && is_symmetric(kind)))
    throw InputError(node.where,
                     fmt::format("{} of {} has no window; remove it", choice.algorithm->name, name_of(kind)));
  check_in_network(node, kind, choice, reading);
  read_written(node, kind, choice, reading, written);
  return choice;
}

std::vector<AlgorithmChoice> read_algorithm_list(const InputNode& node, CollectiveKind kind,
                                                 const SystemReading& reading, Written& written) {
  const std::size_t dimensions = reading.topology.dimensions.size();
  const std::string_view collective = name_of(kind);
  std::vector<AlgorithmChoice> choices;
  for (const InputNode& item : list_of(node, collective)) {
    choices.push_back(read_choice(item, kind, reading, written));
    if (choices.back().whole_machine && node.items.size() > 1)
      throw InputError(item.where,
                       "an algorithm that spans the machine has to be the only one of its collective");
    if (choices.back().joins_rest && choices.size() < node.items.size())
      throw InputError(item.where, "an algorithm that spans the rest has to be the last one");
  }
  const bool spans_all =
      choices.front().whole_machine || (choices.back().joins_rest && choices.size() <= dimensions);
  if (choices.size() != dimensions && !spans_all)
    throw InputError(
        node.where,
        fmt::format("`{}` names {} algorithm{}, the network has {} dimension{}; name one per dimension, "
                    "or a single one without brackets for all",
                    collective, choices.size(), choices.size() == 1 ? "" : "s", dimensions,
                    dimensions == 1 ? "" : "s"));
  return choices;
}

}  // namespace

std::vector<AlgorithmChoice> read_yaml_algorithms(const InputNode& node, CollectiveKind kind,
                                                  const SystemReading& reading, Written& written) {
  const std::size_t dimensions = reading.topology.dimensions.size();
  if (node.kind == InputNode::Kind::list) return read_algorithm_list(node, kind, reading, written);
  const AlgorithmChoice choice = read_choice(node, kind, reading, written);
  return std::vector<AlgorithmChoice>(choice.whole_machine || choice.joins_rest ? 1 : dimensions, choice);
}

std::vector<AlgorithmChoice> default_algorithms(CollectiveKind kind, const Topology& topology) {
  const auto algorithm_for = [&](const Dimension& dimension) -> Algorithm {
    if (!is_symmetric(kind)) return &tree_algorithm;
    if (dimension.block == Block::ring) return &ring_algorithm;
    if (dimension.block == Block::fully_connected || kind == CollectiveKind::all_to_all)
      return &direct_algorithm;
    return std::has_single_bit(static_cast<unsigned>(dimension.size)) ? &halving_doubling_algorithm
                                                                      : &ring_algorithm;
  };
  std::vector<AlgorithmChoice> choices;
  for (const Dimension& dimension : topology.dimensions) choices.push_back({algorithm_for(dimension)});
  return choices;
}

std::vector<KeyPath> algorithm_keys() {
  return keys_of_list<choice_keys>();
}

std::vector<KeyPath> rooted_algorithm_keys() {
  return keys_of_list<rooted_choice_keys>();
}

}  // namespace orrery::core
