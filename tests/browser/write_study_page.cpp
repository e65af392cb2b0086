// Writes the page about a synthetic study for tests in a browser. usage: write_study_page RUNS FILE
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <string>

#include "support/synthetic_study.hpp"

int main(int count, char** arguments) {
  if (count != 3) {
    std::cerr << "usage: write_study_page RUNS FILE\n";
    return EXIT_FAILURE;
  }
  try {
    std::ofstream file(arguments[2], std::ios::binary);
    file << orrery::core::study_page(orrery::core::synthetic_study(std::stoul(arguments[1])));
    file.close();
    if (file) return EXIT_SUCCESS;
    std::cerr << "the page cannot be written to " << arguments[2] << '\n';
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
  }
  return EXIT_FAILURE;
}
