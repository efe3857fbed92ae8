#include "serial_port_object.h"

#include <climits>
#include <cmath>
#include <cstdint>

#include "../serial_port.h"
#include "system_error.h"

namespace hub {

namespace {

// An argument that is a whole number from 0 to `most`; `sentence` is the message of the error.
uint32_t whole_argument(Napi::Value value, double most, const char* sentence) {
  if (!value.IsNumber()) throw Napi::TypeError::New(value.Env(), sentence);
  const double number = value.As<Napi::Number>().DoubleValue();
  if (!(number >= 0 && number <= most && number == std::trunc(number))) {
    throw Napi::RangeError::New(value.Env(), sentence);
  }
  return static_cast<uint32_t>(number);
}

int descriptor_argument(const Napi::CallbackInfo& info) {
  return static_cast<int>(whole_argument(info[0], INT_MAX, "descriptor must be a whole number, 0 or more"));
}

}  // namespace

Napi::Value configure_serial_port(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const int descriptor = descriptor_argument(info);
  const uint32_t rate = whole_argument(info[1], UINT32_MAX, "bitsPerSecond must be a whole number");
  const std::error_code error = configure_serial_port(descriptor, rate);
  if (error) throw system_error(env, error, "termios");
  return env.Undefined();
}

Napi::Value release_serial_port(const Napi::CallbackInfo& info) {
  release_serial_port(descriptor_argument(info));
  return info.Env().Undefined();
}

Napi::Value serial_overruns(const Napi::CallbackInfo& info) {
  const auto count = serial_overruns(descriptor_argument(info));
  return count ? Napi::Number::New(info.Env(), *count) : info.Env().Undefined();
}

}  // namespace hub
