#pragma once

#include <napi.h>

namespace hub {

// configureSerialPort(descriptor: number, bitsPerSecond: number): void; throws a system error.
Napi::Value configure_serial_port(const Napi::CallbackInfo& info);

// releaseSerialPort(descriptor: number): void
Napi::Value release_serial_port(const Napi::CallbackInfo& info);

// serialOverruns(descriptor: number): number | undefined
Napi::Value serial_overruns(const Napi::CallbackInfo& info);

}  // namespace hub
