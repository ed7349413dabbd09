// Handles of processes. glibc 2.36 (Debian 12) declares these functions without C linkage.
#pragma once

extern "C" {
#include <sys/pidfd.h>
}
