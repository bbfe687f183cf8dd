// dlbench-launch: prepares the process in which a runner will live, then becomes the runner. Started only by
// dlbench.
//
//   dlbench-launch --parent PID [--cpus 0,2,…] [--address-space BYTES] [--directory PATH] -- COMMAND
//   [ARGUMENT…]
//
// Descriptors: 0, 1, 2 as given; 3 and 4 go to the runner; on 5 a sentence is written when something fails,
// and its closing by exec says that the command runs. Uses libc only: it runs inside the runner's
// environment.
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr int status_fd = 5;
constexpr int failed = 127;

[[noreturn]] void fail(const char* call, const char* subject, int error_number) {
  char text[1024];
  const int length =
      std::snprintf(text, sizeof text, "%s %s: %s", call, subject, std::strerror(error_number));
  if (length > 0) {
    const auto bytes =
        static_cast<std::size_t>(length) < sizeof text ? static_cast<std::size_t>(length) : sizeof text - 1;
    // Nobody is left to tell when this fails too.
    [[maybe_unused]] const ssize_t ignored = ::write(status_fd, text, bytes);
  }
  ::_exit(failed);
}

std::uint64_t parse_number(const char* text, const char* option, char** end) {
  errno = 0;
  const unsigned long long value = std::strtoull(text, end, 10);
  if (*end == text || errno != 0 || text[0] < '0' || text[0] > '9') {
    fail(option, text, EINVAL);
  }
  return value;
}

std::uint64_t parse_whole(const char* text, const char* option) {
  char* end = nullptr;
  const std::uint64_t value = parse_number(text, option, &end);
  if (*end != '\0') {
    fail(option, text, EINVAL);
  }
  return value;
}

// The kernel would silently drop CPUs that this process may not use, so the result is read back.
void bind_to_cpus(const char* list) {
  constexpr std::uint64_t max_cpus = 8192;
  const std::size_t bytes = CPU_ALLOC_SIZE(max_cpus);
  cpu_set_t* wanted = CPU_ALLOC(max_cpus);
  cpu_set_t* given = CPU_ALLOC(max_cpus);
  if (wanted == nullptr || given == nullptr) {
    fail("CPU_ALLOC", list, ENOMEM);
  }
  CPU_ZERO_S(bytes, wanted);
  CPU_ZERO_S(bytes, given);
  for (const char* at = list;;) {
    char* end = nullptr;
    const std::uint64_t cpu = parse_number(at, "--cpus", &end);
    if (cpu >= max_cpus || (*end != ',' && *end != '\0')) {
      fail("--cpus", list, EINVAL);
    }
    CPU_SET_S(cpu, bytes, wanted);
    if (*end == '\0') {
      break;
    }
    at = end + 1;
  }
  if (::sched_setaffinity(0, bytes, wanted) != 0 || ::sched_getaffinity(0, bytes, given) != 0) {
    fail("sched_setaffinity", list, errno);
  }
  if (!CPU_EQUAL_S(bytes, wanted, given)) {
    fail("sched_setaffinity: not all of these CPUs may be used:", list, EINVAL);
  }
  CPU_FREE(wanted);
  CPU_FREE(given);
}

void limit(__rlimit_resource resource, const char* name, rlim_t value) {
  const rlimit both{value, value};
  if (::setrlimit(resource, &both) != 0) {
    fail("setrlimit", name, errno);
  }
}

// Dies with the host. The host may have died before the call: then the parent is another one by now.
void die_with(const char* parent) {
  const std::uint64_t pid = parse_whole(parent, "--parent");
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) {
    fail("prctl", "PR_SET_PDEATHSIG", errno);
  }
  if (static_cast<std::uint64_t>(::getppid()) != pid) {
    fail("the host has gone, parent", parent, ESRCH);
  }
}

struct Options {
  const char* parent = nullptr;
  const char* cpus = nullptr;
  const char* address_space = nullptr;
  const char* directory = nullptr;
  char** command = nullptr;
};

Options parse_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--") == 0) {
      options.command = argv + i + 1;
      break;
    }
    const char** value = std::strcmp(argv[i], "--parent") == 0          ? &options.parent
                         : std::strcmp(argv[i], "--cpus") == 0          ? &options.cpus
                         : std::strcmp(argv[i], "--address-space") == 0 ? &options.address_space
                         : std::strcmp(argv[i], "--directory") == 0     ? &options.directory
                                                                        : nullptr;
    if (value == nullptr || i + 1 == argc) {
      fail("dlbench-launch: option", argv[i], EINVAL);
    }
    *value = argv[++i];
  }
  if (options.parent == nullptr || options.command == nullptr || options.command[0] == nullptr) {
    fail("dlbench-launch:", "--parent and a command are needed", EINVAL);
  }
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parse_options(argc, argv);
  // The status descriptor must not reach the runner; started by hand there is none, which is fine.
  (void)::fcntl(status_fd, F_SETFD, FD_CLOEXEC);
  die_with(options.parent);
  if (::getsid(0) != ::getpid() && ::setsid() < 0) {
    fail("setsid", "", errno);
  }
  if (options.directory != nullptr && ::chdir(options.directory) != 0) {
    fail("chdir", options.directory, errno);
  }
  if (options.cpus != nullptr) {
    bind_to_cpus(options.cpus);
  }
  if (::close_range(status_fd + 1, ~0U, 0) != 0) {
    fail("close_range", "", errno);
  }
  limit(RLIMIT_CORE, "core", 0);
  if (options.address_space != nullptr) {
    limit(RLIMIT_AS, "address space", parse_whole(options.address_space, "--address-space"));
  }
  ::execv(options.command[0], options.command);
  fail("exec", options.command[0], errno);
}
