#include "cli/application.hpp"

int main(int argc, char** argv) {
  return orrery::run_application(argc, argv);
}
