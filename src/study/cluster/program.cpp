#include "study/cluster/program.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/diagnostics/diagnostics.hpp"

extern char** environ;

namespace orrery::core {

namespace {

[[noreturn]] void fail_to_run(const std::string& program, int error) {
  throw InputError({program}, std::string("cannot be run: ") + std::strerror(error) + "; try again");
}

// What a program writes comes out of the other end of a pipe.
class ProgramPipe {
 public:
  explicit ProgramPipe(const std::string& program) {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0) fail_to_run(program, errno);
  }
  ~ProgramPipe() {
    close_end(0);
    close_end(1);
  }
  ProgramPipe(const ProgramPipe&) = delete;
  ProgramPipe& operator=(const ProgramPipe&) = delete;

  int out() const { return ends_[0]; }
  int in() const { return ends_[1]; }
  void close_in() { close_end(1); }

  // Reads what is there. Returns false at the end.
  bool read_some(std::string& text) {
    std::array<char, 4096> bytes{};
    const ssize_t count = ::read(out(), bytes.data(), bytes.size());
    if (count < 0) return errno == EINTR || errno == EAGAIN;
    text.append(bytes.data(), static_cast<std::size_t>(count));
    return count > 0;
  }

 private:
  void close_end(std::size_t end) {
    if (ends_[end] >= 0) ::close(ends_[end]);
    ends_[end] = -1;
  }

  std::array<int, 2> ends_{-1, -1};
};

void read_both(ProgramPipe& output, std::string& output_text, ProgramPipe& errors, std::string& errors_text) {
  std::array<pollfd, 2> waited{{{output.out(), POLLIN, 0}, {errors.out(), POLLIN, 0}}};
  while (waited[0].fd >= 0 || waited[1].fd >= 0) {
    if (::poll(waited.data(), waited.size(), -1) < 0 && errno != EINTR) return;
    if (waited[0].revents != 0 && !output.read_some(output_text)) waited[0].fd = -1;
    if (waited[1].revents != 0 && !errors.read_some(errors_text)) waited[1].fd = -1;
    waited[0].revents = waited[1].revents = 0;
  }
}

}  // namespace

std::optional<EndedProgram> run_program(const std::vector<std::string>& words) {
  std::vector<std::string> copies = words;
  std::vector<char*> arguments;
  for (std::string& word : copies) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ProgramPipe output(words.front()), errors(words.front());
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, output.in(), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, errors.in(), STDERR_FILENO);
  pid_t process = 0;
  const int error = ::posix_spawnp(&process, arguments[0], &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT) return std::nullopt;
  if (error != 0) fail_to_run(words.front(), error);
  output.close_in();
  errors.close_in();
  EndedProgram ended;
  read_both(output, ended.output, errors, ended.errors);
  int status = 0;
  while (::waitpid(process, &status, 0) < 0)
    if (errno != EINTR) fail_to_run(words.front(), errno);
  constexpr int by_signal = 128;
  ended.status = WIFEXITED(status) ? WEXITSTATUS(status) : by_signal + WTERMSIG(status);
  return ended;
}

std::string path_of_this_program() {
  std::error_code failure;
  const std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", failure);
  if (failure) throw InputError({"/proc/self/exe"}, "does not say where this program is; mount /proc");
  return path.string();
}

}  // namespace orrery::core
