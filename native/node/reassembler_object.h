// `Reassembler` as a class of JavaScript, for recordings and gateways: frames are pushed in and packets drained on one
// thread.
//
//     new Reassembler({ fastPacketTable, ringBytes })
//     push(frames, count)  expire(nowUs)  interrupt()  drain(into)  counters()  accounting()
//     setFastPacketTable(fastPacketTable)
#pragma once

#include <napi.h>

#include <optional>

#include "../reassembler.h"
#include "external_memory.h"

namespace hub {

class ReassemblerObject : public Napi::ObjectWrap<ReassemblerObject> {
 public:
  static Napi::Function define(Napi::Env env);

  explicit ReassemblerObject(const Napi::CallbackInfo& info);

 private:
  Napi::Value push(const Napi::CallbackInfo& info);
  Napi::Value expire(const Napi::CallbackInfo& info);
  Napi::Value interrupt(const Napi::CallbackInfo& info);
  Napi::Value drain(const Napi::CallbackInfo& info);
  Napi::Value counters(const Napi::CallbackInfo& info);
  Napi::Value accounting(const Napi::CallbackInfo& info);
  Napi::Value set_fast_packet_table(const Napi::CallbackInfo& info);

  // Empty only while the constructor checks its options.
  std::optional<Reassembler> reassembler_;
  std::optional<ExternalMemory> memory_;
};

}  // namespace hub
