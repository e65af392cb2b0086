// A program of somebody else: it knows nothing of Orrery but the installed headers.
#include <orrery/experiment.hpp>
#include <orrery/version.hpp>

#include <iostream>

int main() {
  orrery::Document document;
  document["network"] = orrery::Document::List{
      {{"name", "ring"}, {"topology", "ring"}, {"size", 8}, {"bandwidth", "50 GB/s"}, {"latency", "500 ns"}}};
  document["workload"]["policy"] = "data";
  document["workload"]["layers"] = orrery::Document::List{
      {{"name", "layer"},
       {"weight-gradient", {{"compute", "100 us"}, {"collective", "all-reduce"}, {"size", "64 MiB"}}}}};
  const auto experiment = orrery::Experiment::from(document);
  if (!experiment) {
    for (const orrery::Problem& problem : experiment.problems()) std::cerr << problem << '\n';
    return 2;
  }
  for (const orrery::Run& run : experiment->simulate()) {
    const orrery::Table layers = run.table("layers").value();
    std::cout << "Orrery " << orrery::version() << ": " << run.name() << " takes "
              << run.step().microseconds() << " us, of which " << *layers.text(0, "layer") << " waits "
              << *layers.real(0, "exposed_us") << " us\n";
  }
  return 0;
}
