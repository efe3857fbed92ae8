// The status of an interface as an object of JavaScript.
#pragma once

#include <napi.h>

namespace hub {

//     readInterface(name) → { index, up, state?, stats?, config? }, or undefined if there is no such interface
//
// The members of `stats` and `config` have the names that are published (`src/core/ports/interface-monitor.ts`). Throws
// a system error when the system does not answer.
Napi::Value read_interface(const Napi::CallbackInfo& info);

}  // namespace hub
