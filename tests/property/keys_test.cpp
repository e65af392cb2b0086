// No key of an experiment is ignored: whatever key is set to another value, results change or an error says
// that the key means nothing here.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "base/files/file.hpp"
#include "cli/commands.hpp"
#include "study/experiment/overrides.hpp"
#include "study/experiment/run_keys.hpp"
#include "study/workloads/transformer/yaml_transformer.hpp"
#include "support/cases.hpp"
#include "support/key_experiments.hpp"
#include "workload/training/platform.hpp"

namespace orrery::core::test::keys_test {
namespace {

namespace fs = std::filesystem;

using Files = std::map<std::string, std::string>;

// Values of a key's type that lie in its range.
std::vector<std::string> samples_of(const KeyFacts& key) {
  if (!key.sample.empty()) {
    std::vector<std::string> samples;
    std::istringstream words{std::string(key.sample)};
    for (std::string word; std::getline(words, word, '|');) samples.push_back(word);
    return samples;
  }
  const auto numbers = [&](std::initializer_list<double> values) {
    std::vector<std::string> texts;
    for (const double value : values)
      if (value >= key.least && value <= key.largest) texts.push_back(fmt::format("{}", value));
    return texts;
  };
  switch (key.type) {
    case KeyType::integer:
      return numbers({key.least, key.least + 1, 2, 4, 8});
    case KeyType::real:
    case KeyType::share:
      return numbers({0.5, 2, 0.9, 3, 1000});
    case KeyType::boolean:
      return {"true", "false"};
    case KeyType::time:
      return {"3 us", "3 ms"};
    case KeyType::size:
      return {"3 MiB", "5 KiB", "100 MiB"};
    case KeyType::bandwidth:
      return {"7 GB/s", "1 MB/s"};
    case KeyType::rate:
      return {"9 TFLOP/s"};
    case KeyType::word: {
      const std::vector<std::string_view> words = key.words();
      return {words.begin(), words.end()};
    }
    default:
      return {};
  }
}

// Returns what an experiment writes, except what its summary says about the command, which names the key that
// is set. For a run that cannot end it is the run's message. There is nothing where the experiment or one of
// its runs is refused.
std::optional<Files> results_of(const std::vector<std::string>& overrides, std::string* warnings = nullptr) {
  std::vector<std::string> arguments{"experiment.yaml"};
  for (const std::string& text : overrides) arguments.insert(arguments.end(), {"--set", text});
  fs::remove_all("results");
  const Outcome outcome = run_orrery(arguments);
  if (warnings) *warnings = outcome.error;
  if (outcome.exit_code == stalled) return Files{{"error", outcome.error}};
  if (outcome.exit_code != 0) return std::nullopt;
  Files files;
  for (const std::string& file : files_below("results")) {
    const std::string text = read_file_of_any_kind("results/" + file);
    files[file] = file.ends_with("summary.json") ? without_origin(text) : text;
  }
  return files;
}

const InputNode* node_at(const InputNode* node, const std::string& path) {
  std::istringstream parts(path);
  for (std::string part; node && std::getline(parts, part, '.');) {
    if (node->kind != InputNode::Kind::list)
      node = node->find(part);
    else
      node = part.find_first_not_of("0123456789") == part.npos && std::stoul(part) < node->items.size()
                 ? &node->items[std::stoul(part)]
                 : nullptr;
  }
  return node;
}

// The places of a key in a document: in every element of its lists, or one that the document lacks.
std::vector<std::string> places_of(const InputNode& document, const std::string& path) {
  const std::size_t list = path.find("[]");
  if (list == path.npos) return {path};
  const std::string before = path.substr(0, list), behind = path.substr(list + 2);
  const InputNode* const node = node_at(&document, before);
  if (node && node->kind == InputNode::Kind::map) return places_of(document, before + behind);
  const std::size_t elements = node && node->kind == InputNode::Kind::list ? node->items.size() : 1;
  std::vector<std::string> places;
  for (std::size_t i = 0; i < elements; ++i)
    for (const std::string& place : places_of(document, fmt::format("{}.{}{}", before, i, behind)))
      places.push_back(place);
  return places;
}

// The outcome of setting a key to several values. A warning says of some that they change nothing.
struct Effect {
  bool changes = false, ignored = false, refused = false, said = false;
};

// Returns whether a warning says that a key, or a map in which it is, changes nothing.
bool says_nothing_changes(const std::string& warnings, const std::string& path) {
  std::istringstream parts(path);
  for (std::string part; std::getline(parts, part, '.');)
    if (warnings.find(fmt::format("`{}` changes nothing", part)) != std::string::npos) return true;
  return false;
}

// Returns the first file that differs, with its text.
std::string first_difference(const Files& files, const Files& base) {
  for (const auto& [name, text] : files)
    if (const auto found = base.find(name); found == base.end() || found->second != text)
      return name + "\n" + text;
  return "which files there are";
}

class Keys : public testing::Test {
 protected:
  void SetUp() override { fs::current_path(scratch_.path()); }
  void TearDown() override { fs::current_path(before_); }

  static Effect effect_of(const KeyPath& key, const InputNode& document, const Files& base) {
    Effect effect;
    for (const std::string& place : places_of(document, key.path)) {
      const InputNode* const there = node_at(&document, place);
      for (const std::string& value : samples_of(*key.facts)) {
        if (there && value == there->text) continue;
        std::string warnings;
        const auto files = results_of({place + "=" + value}, &warnings);
        const bool said = says_nothing_changes(warnings, key.path);
        (!files           ? effect.refused
         : *files != base ? effect.changes
         : said           ? effect.said
                          : effect.ignored) = true;
        EXPECT_FALSE(said && effect.changes)
            << place << "=" << value << " changes " << first_difference(*files, base) << ": " << warnings;
        if (effect.changes) return effect;
      }
    }
    return effect;
  }

  // Adds what the keys do in one experiment to what they do in others.
  static void walk(const KeyExperiment& experiment, std::map<std::string, Effect>& effects,
                   const std::vector<KeyPath>& keys = experiment_file_keys()) {
    for (const auto& [name, text] : experiment.files) write_file_atomically(name, text);
    if (!experiment.before.empty()) {
      ASSERT_EQ(call_orrery(experiment.before).exit_code, 0);
    }
    const auto base = results_of({});
    ASSERT_TRUE(base) << run_orrery({"experiment.yaml"}).error;
    const InputNode document = parse_yaml(experiment.files.at("experiment.yaml"), "experiment.yaml");
    for (const KeyPath& key : keys) {
      Effect& effect = effects[key.path];
      if (effect.changes) continue;
      const Effect here = effect_of(key, document, *base);
      effect.changes |= here.changes;
      effect.refused |= here.refused;
      effect.ignored |= here.ignored;
      effect.said |= here.said;
    }
  }

 private:
  TemporaryFolder scratch_;
  fs::path before_ = fs::current_path();
};

class KeysSlow : public Keys, public testing::WithParamInterface<KeyExperiments> {};

// Some values are refused and others change nothing where a key is looked at and only its default fits.
TEST_P(KeysSlow, are_not_ignored) {
  std::map<std::string, Effect> effects;
  for (const KeyExperiment& experiment : GetParam().experiments) walk(experiment, effects);
  for (const std::string& kind : GetParam().without_collectives)
    std::erase_if(effects,
                  [&](const auto& effect) { return effect.first.starts_with("system.collectives." + kind); });
  for (const auto& [key, effect] : effects)
    EXPECT_TRUE(effect.changes || effect.refused || !effect.ignored) << key;
}

INSTANTIATE_TEST_SUITE_P(Kinds, KeysSlow, testing::ValuesIn(key_experiments()),
                         [](const testing::TestParamInfo<KeyExperiments>& kind) {
                           std::string name = kind.param.kind;
                           std::ranges::replace(name, ' ', '_');
                           return name;
                         });

class SmallTrainingsSlow : public Keys, public testing::WithParamInterface<KeyExperiment> {};

// Whatever a training has no use for, because it has one rank, one stage or one node, is told to whoever
// writes it.
TEST_P(SmallTrainingsSlow, say_which_keys_change_nothing) {
  std::vector<KeyPath> keys;
  for (const KeyPath& key : yaml_transformer_keys()) keys.push_back({"workload" + key.path, key.facts});
  for (const KeyPath& key : platform_file_keys()) keys.push_back({"platform" + key.path, key.facts});
  std::map<std::string, Effect> effects;
  walk(GetParam(), effects, keys);
  for (const auto& [key, effect] : effects)
    EXPECT_TRUE(effect.changes || effect.refused || effect.said || !effect.ignored)
        << key << " of " << GetParam().name;
}

INSTANTIATE_TEST_SUITE_P(Kinds, SmallTrainingsSlow, testing::ValuesIn(small_trainings()),
                         [](const testing::TestParamInfo<KeyExperiment>& one) {
                           std::string name = one.param.name;
                           std::ranges::replace(name, ' ', '_');
                           return name;
                         });

// A key that is refused everywhere would not have been tried.
TEST_F(Keys, can_all_change_somethingSlow) {
  std::map<std::string, Effect> effects;
  for (const KeyExperiments& of_kind : key_experiments())
    for (const KeyExperiment& experiment : of_kind.experiments) walk(experiment, effects);
  for (const KeyPath& key : experiment_file_keys()) {
    // These say which runs there are, and not what one does; sweep_space_test.cpp sees what they change.
    if (key.path.starts_with("sweep") || key.path.starts_with("objectives")) continue;
    // Switches add up in three kinds of collectives, and in the others a rate of theirs is refused.
    if (key.path.ends_with("switch-rate") && !effects[key.path].ignored) continue;
    const bool changes = effects[key.path].changes || samples_of(*key.facts).empty();
    EXPECT_TRUE(changes) << key.path << " was never seen to change anything";
  }
}

}  // namespace
}  // namespace orrery::core::test::keys_test
