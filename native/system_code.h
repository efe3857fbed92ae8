// Errors of the system as values of the C++ library.
#pragma once

#include <cerrno>
#include <system_error>

namespace hub {

// A number of errno.h.
inline std::error_code system_code(int number) {
  return {number, std::system_category()};
}

// The error of the last system call.
inline std::error_code last_error() {
  return system_code(errno);
}

}  // namespace hub
