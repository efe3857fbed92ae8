#include "can_bus.h"

#include <cerrno>
#include <cmath>
#include <string>
#include <system_error>

#include "../system_code.h"
#include "system_error.h"
#include "values.h"

namespace hub {

namespace {

constexpr double kMaxTapBytes = 1 << 30;

}  // namespace

Napi::Function CanBus::define(Napi::Env env) {
  return DefineClass(env, "CanBus",
                     {
                         InstanceMethod<&CanBus::open>("open"),
                         InstanceMethod<&CanBus::send>("send"),
                         InstanceMethod<&CanBus::drain>("drain"),
                         InstanceMethod<&CanBus::counters>("counters"),
                         InstanceMethod<&CanBus::status>("status"),
                         InstanceMethod<&CanBus::link_changes>("linkChanges"),
                         InstanceMethod<&CanBus::tap>("tap"),
                         InstanceMethod<&CanBus::tap_lost>("tapLost"),
                         InstanceMethod<&CanBus::set_fast_packet_table>("setFastPacketTable"),
                         InstanceMethod<&CanBus::close>("close"),
                     });
}

CanBus::CanBus(const Napi::CallbackInfo& info) : ObjectWrap(info) {
  const Napi::Env env = info.Env();
  const Napi::Object options = options_argument(info);
  const Napi::Value tap_bytes = options.Get("tapBytes");
  size_t native_bytes = sizeof *this;
  if (!tap_bytes.IsUndefined()) {
    const double bytes = tap_bytes.IsNumber() ? tap_bytes.As<Napi::Number>().DoubleValue() : NAN;
    if (!(bytes >= sizeof(FrameRecord) && bytes <= kMaxTapBytes)) {
      throw Napi::RangeError::New(env, "tapBytes must be a number from 32 to 2^30");
    }
    tap_ = std::make_unique<FrameTap>(static_cast<size_t>(bytes));
    native_bytes += static_cast<size_t>(bytes);
  }
  const FastPacketTable table = fast_packet_table_argument(env, options.Get("fastPacketTable"));
  const size_t ring_bytes = ring_bytes_argument(env, options.Get("ringBytes"));
  reassembler_.emplace(ring_bytes);
  reassembler_->set_fast_packet_table(table);
  reader_ = std::make_unique<BusReader>(BusEvents{
      [this](const FrameBurst& burst) {
        if (tap_) tap_->push(burst.frames, burst.count);
        reassembler_->push(burst);
        wake_event_loop();
      },
      [this] { wake_event_loop(); },
      [this] { reassembler_->interrupt(); },
      [this](double now_us) { reassembler_->expire(now_us); },
  });
  memory_.emplace(env, native_bytes + ring_bytes);
}

Napi::Value CanBus::open(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  if (!info[0].IsString()) throw Napi::TypeError::New(env, "the name of the interface must be a string");
  const std::string name = info[0].As<Napi::String>();
  if (!info[1].IsObject()) throw Napi::TypeError::New(env, "options must be an object");
  const auto options = info[1].As<Napi::Object>();
  const Napi::Value wake = options.Get("wake");
  if (!wake.IsFunction()) throw Napi::TypeError::New(env, "wake must be a function");
  // Only `true` counts, not truthy values, so that no mistake permits transmission.
  const Napi::Value transmit = options.Get("transmit");
  if (!transmit.IsUndefined() && !transmit.IsBoolean()) {
    throw Napi::TypeError::New(env, "transmit must be true or false");
  }
  const bool transmits = transmit.IsBoolean() && transmit.As<Napi::Boolean>().Value();
  if (!is_possible_interface_name(name)) throw system_error(env, system_code(EINVAL), "open");
  if (reader_->is_running()) throw system_error(env, system_code(EALREADY), "open");

  sender_ = transmits ? std::make_unique<CanSender>() : nullptr;
  is_awake_ = false;
  wake_ = Wake::New(env, wake.As<Napi::Function>(), "hub-can", 0, 1, this);
  if (const std::error_code error = reader_->start(name, sender_.get())) {
    sender_ = nullptr;
    wake_.Release();
    throw system_error(env, error, "open");
  }
  // Hooks run in reverse order: this one ends the thread before the environment destroys the thread-safe function.
  napi_add_env_cleanup_hook(env, shut_at_exit, this);
  // An open bus is in use even without a reference from JavaScript.
  Ref();
  return env.Undefined();
}

Napi::Value CanBus::close(const Napi::CallbackInfo& info) {
  if (reader_->is_running()) {
    napi_remove_env_cleanup_hook(info.Env(), shut_at_exit, this);
    shut();
    Unref();
  }
  return info.Env().Undefined();
}

void CanBus::shut_at_exit(void* bus) {
  static_cast<CanBus*>(bus)->shut();
}

void CanBus::shut() {
  if (!reader_ || !reader_->is_running()) return;
  reader_->stop();
  sender_ = nullptr;
  wake_.Abort();
}

void CanBus::wake_event_loop() {
  if (!is_awake_.exchange(true)) wake_.NonBlockingCall();
}

void CanBus::call_wake(Napi::Env env, Napi::Function wake, CanBus* bus, void*) {
  // Without an environment the queue is being emptied at its end.
  if (static_cast<napi_env>(env) == nullptr) return;
  bus->is_awake_ = false;
  // `wake.Call` is not used, because an exception has no caller here, and Node would only warn about it. A thread that
  // is being ended refuses the call without an exception.
  if (napi_call_function(env, env.Undefined(), wake, 0, nullptr, nullptr) != napi_pending_exception) return;
  napi_value error = nullptr;
  napi_valuetype type = napi_undefined;
  if (napi_get_and_clear_last_exception(env, &error) == napi_ok && napi_typeof(env, error, &type) == napi_ok &&
      type != napi_undefined) {
    napi_fatal_exception(env, error);
  }
}

Napi::Value CanBus::send(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  if (!sender_) throw Napi::Error::New(env, "the bus was not opened to transmit");
  const double id = info[0].IsNumber() ? info[0].As<Napi::Number>().DoubleValue() : NAN;
  if (!(id >= 0 && id < 1 << 29)) throw Napi::RangeError::New(env, "id must be a number of 29 bits");
  const Napi::Uint8Array data = bytes_argument(info[1], "data must be a Uint8Array");
  if (data.ByteLength() > 8) throw Napi::RangeError::New(env, "data must have at most eight bytes");
  return Napi::Boolean::New(env, !sender_->send(static_cast<uint32_t>(id), data.Data(), data.ByteLength()));
}

Napi::Value CanBus::drain(const Napi::CallbackInfo& info) {
  Napi::Uint8Array into = drain_argument(info);
  return number(info.Env(), reassembler_->drain(into.Data(), into.ByteLength()));
}

Napi::Value CanBus::tap(const Napi::CallbackInfo& info) {
  Napi::Uint8Array into = bytes_argument(info[0], "into must be a Uint8Array");
  return number(info.Env(), tap_ ? tap_->drain(into.Data(), into.ByteLength()) : 0);
}

Napi::Value CanBus::tap_lost(const Napi::CallbackInfo& info) {
  return number(info.Env(), tap_ ? tap_->lost() : 0);
}

Napi::Value CanBus::counters(const Napi::CallbackInfo& info) {
  return counters_object(info.Env(), reassembler_->counters());
}

Napi::Value CanBus::status(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const BusStatus status = reader_->status();
  auto result = Napi::Object::New(env);
  result.Set("state", kBusStateNames[static_cast<size_t>(status.state)]);
  result.Set("index", status.index);
  result.Set("errno", status.error.value());
  if (status.error) result.Set("reason", reason_of(status.error));
  if (status.receive_buffer_bytes > 0) {
    result.Set("receiveBufferBytes", status.receive_buffer_bytes);
    result.Set("wantedReceiveBufferBytes", CanSocket::kWantedReceiveBufferBytes);
  }
  return result;
}

Napi::Value CanBus::link_changes(const Napi::CallbackInfo& info) {
  return number(info.Env(), reader_->link_changes());
}

Napi::Value CanBus::set_fast_packet_table(const Napi::CallbackInfo& info) {
  reassembler_->set_fast_packet_table(fast_packet_table_argument(info.Env(), info[0]));
  return info.Env().Undefined();
}

}  // namespace hub
