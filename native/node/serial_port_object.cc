#include "serial_port_object.h"

#include "../serial_port.h"
#include "system_error.h"

namespace hub {

Napi::Value configure_serial_port(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  if (!info[0].IsNumber() || !info[1].IsNumber())
    throw Napi::TypeError::New(env, "a descriptor and a rate in bits a second are expected");
  const std::error_code error =
      configure_serial_port(info[0].As<Napi::Number>(), info[1].As<Napi::Number>().Uint32Value());
  if (error) throw system_error(env, error, "termios");
  return env.Undefined();
}

Napi::Value serial_overruns(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  if (!info[0].IsNumber()) throw Napi::TypeError::New(env, "a descriptor is expected");
  const auto count = serial_overruns(info[0].As<Napi::Number>().Int32Value());
  return count ? Napi::Number::New(env, *count) : env.Undefined();
}

}  // namespace hub
