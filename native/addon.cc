// The addon's one export. It keeps nothing outside the objects it makes, so every thread may load it.
#include <napi.h>

#include "can_bus.h"

namespace {

Napi::Object initialise(Napi::Env env, Napi::Object exports) {
  exports.Set("CanBus", hub::CanBus::define(env));
  return exports;
}

}  // namespace

NODE_API_MODULE(NODE_GYP_MODULE_NAME, initialise)
