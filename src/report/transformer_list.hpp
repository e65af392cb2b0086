// The transformers that come with the program, for `orrery list models`.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "workload/transformer/transformer.hpp"

namespace orrery {

struct ListedTransformer {
  std::string word;  // what users call it: "llama3-8b"
  Transformer model;
};

// Returns the transformers in alphabetical order of their words.
std::vector<ListedTransformer> listed_transformers();

std::string transformer_list_text(const std::vector<ListedTransformer>& transformers);
nlohmann::json transformer_list_to_json(const std::vector<ListedTransformer>& transformers);

}  // namespace orrery
