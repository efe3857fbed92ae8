// The exports of the addon. It keeps no state outside of the objects it makes, so any thread may load it.
#include <napi.h>

#include "can_bus.h"
#include "candump_log_object.h"
#include "interface_object.h"
#include "reassembler_object.h"
#include "serial_port_object.h"

namespace {

Napi::Object initialise(Napi::Env env, Napi::Object exports) {
  exports.Set("CanBus", hub::CanBus::define(env));
  exports.Set("Reassembler", hub::ReassemblerObject::define(env));
  exports.Set("readInterface", Napi::Function::New<hub::read_interface>(env, "readInterface"));
  exports.Set("readCandumpLog", Napi::Function::New<hub::read_candump_log>(env, "readCandumpLog"));
  exports.Set("configureSerialPort", Napi::Function::New<hub::configure_serial_port>(env, "configureSerialPort"));
  exports.Set("releaseSerialPort", Napi::Function::New<hub::release_serial_port>(env, "releaseSerialPort"));
  exports.Set("serialOverruns", Napi::Function::New<hub::serial_overruns>(env, "serialOverruns"));
  return exports;
}

}  // namespace

NODE_API_MODULE(NODE_GYP_MODULE_NAME, initialise)
