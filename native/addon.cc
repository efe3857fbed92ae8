// What the addon exports: a class for the bus and a function for its interface. It keeps nothing outside the objects it
// makes, so every thread may load it.
#include <napi.h>

#include "can_bus.h"
#include "interface_object.h"

namespace {

Napi::Object initialise(Napi::Env env, Napi::Object exports) {
  exports.Set("CanBus", hub::CanBus::define(env));
  exports.Set("readInterface", Napi::Function::New<hub::read_interface>(env, "readInterface"));
  return exports;
}

}  // namespace

NODE_API_MODULE(NODE_GYP_MODULE_NAME, initialise)
