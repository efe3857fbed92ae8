#include "reassembler_object.h"

#include <cmath>

#include "values.h"

namespace hub {

Napi::Function ReassemblerObject::define(Napi::Env env) {
  return DefineClass(env, "Reassembler",
                     {
                         InstanceMethod<&ReassemblerObject::push>("push"),
                         InstanceMethod<&ReassemblerObject::expire>("expire"),
                         InstanceMethod<&ReassemblerObject::interrupt>("interrupt"),
                         InstanceMethod<&ReassemblerObject::drain>("drain"),
                         InstanceMethod<&ReassemblerObject::counters>("counters"),
                         InstanceMethod<&ReassemblerObject::accounting>("accounting"),
                         InstanceMethod<&ReassemblerObject::set_fast_packet_table>("setFastPacketTable"),
                     });
}

ReassemblerObject::ReassemblerObject(const Napi::CallbackInfo& info) : ObjectWrap(info) {
  const Napi::Object options = options_argument(info);
  const FastPacketTable table = fast_packet_table_argument(info.Env(), options.Get("fastPacketTable"));
  const size_t ring_bytes = ring_bytes_argument(info.Env(), options.Get("ringBytes"));
  reassembler_.emplace(ring_bytes);
  memory_.emplace(info.Env(), sizeof *this + ring_bytes);
  reassembler_->set_fast_packet_table(table);
}

Napi::Value ReassemblerObject::push(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const Napi::Uint8Array frames = bytes_argument(info[0], "frames must be a Uint8Array");
  const double count = info[1].IsNumber() ? info[1].As<Napi::Number>().DoubleValue() : NAN;
  if (!(count >= 0 && count <= static_cast<double>(frames.ByteLength() / sizeof(FrameRecord)))) {
    throw Napi::RangeError::New(env, "count must be a number of whole frame records");
  }
  return number(env, reassembler_->push_while_room(frames.Data(), static_cast<size_t>(count)));
}

Napi::Value ReassemblerObject::expire(const Napi::CallbackInfo& info) {
  if (!info[0].IsNumber()) throw Napi::TypeError::New(info.Env(), "now must be a number of microseconds");
  reassembler_->expire(info[0].As<Napi::Number>().DoubleValue());
  return info.Env().Undefined();
}

Napi::Value ReassemblerObject::interrupt(const Napi::CallbackInfo& info) {
  reassembler_->interrupt();
  return info.Env().Undefined();
}

Napi::Value ReassemblerObject::drain(const Napi::CallbackInfo& info) {
  Napi::Uint8Array into = drain_argument(info);
  return number(info.Env(), reassembler_->drain(into.Data(), into.ByteLength()));
}

Napi::Value ReassemblerObject::counters(const Napi::CallbackInfo& info) {
  return counters_object(info.Env(), reassembler_->counters());
}

Napi::Value ReassemblerObject::accounting(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const FrameAccounting& accounting = reassembler_->counters().accounting;
  auto result = Napi::Object::New(env);
  result.Set("finished", number(env, accounting.finished));
  result.Set("discarded", number(env, accounting.discarded));
  result.Set("repeated", number(env, accounting.repeated));
  result.Set("control", number(env, accounting.control));
  result.Set("open", number(env, accounting.open));
  return result;
}

Napi::Value ReassemblerObject::set_fast_packet_table(const Napi::CallbackInfo& info) {
  reassembler_->set_fast_packet_table(fast_packet_table_argument(info.Env(), info[0]));
  return info.Env().Undefined();
}

}  // namespace hub
