// Errors of the system as JavaScript errors.
#pragma once

#include <napi.h>

#include <string>
#include <system_error>

namespace hub {

// An Error with `errno`, the system's positive number, and `syscall`; Node has the name of the number
// (`src/adapters/node/can/can-bus.ts`).
inline Napi::Error system_error(Napi::Env env, std::error_code error, const char* syscall) {
  Napi::Error result = Napi::Error::New(env, error.message() + ", " + syscall);
  result.Set("errno", static_cast<double>(error.value()));
  result.Set("syscall", std::string(syscall));
  return result;
}

}  // namespace hub
