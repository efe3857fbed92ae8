// Recordings in text, read by the addon.
#pragma once

#include <napi.h>

namespace hub {

// readCandumpLog(text: Uint8Array, records: Uint8Array): { bytes: number, frames: number }
Napi::Value read_candump_log(const Napi::CallbackInfo& info);

}  // namespace hub
