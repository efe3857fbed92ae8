// Errors of the system as values of the C++ library.
#pragma once

#include <cerrno>
#include <system_error>

namespace hub {

// A number of errno.h.
inline std::error_code system_code(int number) {
  return {number, std::system_category()};
}

// Why the last system call failed.
inline std::error_code last_error() {
  return system_code(errno);
}

}  // namespace hub
