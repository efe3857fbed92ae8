// Errors of the system as JavaScript errors.
#pragma once

#include <napi.h>

#include <cstring>
#include <string>
#include <system_error>

namespace hub {

// An Error as Node's own, with `code`, `errno` and `syscall`; `errno` is the system's positive number.
inline Napi::Error system_error(Napi::Env env, std::error_code error, const char* syscall) {
  const char* name = strerrorname_np(error.value());
  const std::string code = name ? name : "UNKNOWN";
  Napi::Error result = Napi::Error::New(env, code + ": " + error.message() + ", " + syscall);
  result.Set("code", code);
  result.Set("errno", static_cast<double>(error.value()));
  result.Set("syscall", std::string(syscall));
  return result;
}

}  // namespace hub
