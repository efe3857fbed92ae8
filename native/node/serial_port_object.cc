#include "serial_port_object.h"

#include "../serial_port.h"
#include "system_error.h"

namespace hub {

namespace {

int descriptor_argument(const Napi::CallbackInfo& info) {
  if (!info[0].IsNumber()) throw Napi::TypeError::New(info.Env(), "a descriptor is expected");
  return info[0].As<Napi::Number>().Int32Value();
}

}  // namespace

Napi::Value configure_serial_port(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  if (!info[0].IsNumber() || !info[1].IsNumber())
    throw Napi::TypeError::New(env, "a descriptor and a rate in bits a second are expected");
  const std::error_code error =
      configure_serial_port(info[0].As<Napi::Number>(), info[1].As<Napi::Number>().Uint32Value());
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
