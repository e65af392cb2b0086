#include "memory/memory_profile.hpp"

#include <array>

#include "base/diagnostics/words.hpp"
#include "base/files/embedded_file.hpp"

namespace orrery::core {
namespace {

constexpr double largest_number_of_copies = 1000;

template <double ActivationClasses::*member>
constexpr auto copies(std::string_view name, std::string_view meaning) {
  return key::real<member>(name, 0, largest_number_of_copies, "required", meaning);
}

constexpr Key<ActivationClasses> copies_keys[] = {
    copies<&ActivationClasses::input>("input", "copies of what enters the network"),
    copies<&ActivationClasses::products>("products", "copies of the outputs of products, LRN and dropout"),
    copies<&ActivationClasses::pooling>("pooling", "copies of the outputs of pooling"),
    copies<&ActivationClasses::concatenation>("concatenation", "copies of the outputs of concatenations"),
    copies<&ActivationClasses::in_place>(
        "in-place", "copies of the outputs of norms, activation functions and additions"),
};

constexpr std::array<EnumName<bool>, 2> optimizer_place_words{
    {{"first-device", true}, {"every-device", false}}};

constexpr Key<MemoryProfile> profile_keys[] = {
    key::label<&MemoryProfile::name>("name", "required", "name for people to read"),
    key::size<&MemoryProfile::context>("context", "required", "memory that is taken before training begins"),
    key::size<&MemoryProfile::workspace>("workspace", "required",
                                         "memory that training takes besides the classes below"),
    key::word<optimizer_place_words, &MemoryProfile::store_on_first>(
        "optimizer-on", "required",
        "devices that run the optimizer; if the first device does, it has weights, gradients and optimizer "
        "state in addition, and the others have no optimizer state"),
    key::map<copies_keys, &MemoryProfile::copies>("copies", "`copies`", "required",
                                                  "how often the elements of a class are held"),
};

}  // namespace

MemoryProfile read_memory_profile(std::string_view text, const std::string& file) {
  const InputNode root = parse_yaml(text, file);
  MemoryProfile profile;
  read_map(root, "a memory file", profile_keys, profile);
  return profile;
}

std::vector<KeyPath> memory_file_keys() {
  return key_paths("", profile_keys);
}

std::vector<std::string_view> memory_profile_words() {
  return embedded_names("memory");
}

MemoryProfile find_memory_profile(const std::string& word_or_path, const SourceLocation& where,
                                  const FileLoader& load) {
  const FoundFile file =
      find_file({"memory", "memory file", "; a file of one's own ends in .yaml"}, word_or_path, where, load);
  return read_memory_profile(file.text, file.name);
}

}  // namespace orrery::core
