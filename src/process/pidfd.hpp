// <sys/pidfd.h> for C++: the header of glibc 2.36 forgets to declare C linkage. Internal to this folder.
#pragma once

#include <fcntl.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): what the system's header includes, outside extern "C"

extern "C" {
#include <sys/pidfd.h>
}
