#include "can_bus.h"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <string>
#include <system_error>

#include "system_error.h"

namespace hub {

namespace {

constexpr size_t kRingBytes = 8 << 20;
constexpr double kMostRingBytes = 1 << 30;
constexpr double kMostTapBytes = 1 << 30;

std::error_code system_code(int number) {
  return {number, std::system_category()};
}

Napi::Uint8Array bytes_argument(const Napi::CallbackInfo& info, const char* sentence) {
  if (!info[0].IsTypedArray() || info[0].As<Napi::TypedArray>().TypedArrayType() != napi_uint8_array) {
    throw Napi::TypeError::New(info.Env(), sentence);
  }
  return info[0].As<Napi::Uint8Array>();
}

// Pairs of PGN and expected length, as `packFraming` writes them.
Framing framing_argument(Napi::Env env, Napi::Value value) {
  if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != napi_uint32_array) {
    throw Napi::TypeError::New(env, "framing must be a Uint32Array");
  }
  const auto pairs = value.As<Napi::Uint32Array>();
  if (pairs.ElementLength() % 2 != 0) throw Napi::RangeError::New(env, "framing must hold pairs of PGN and length");
  Framing framing;
  for (size_t at = 0; at < pairs.ElementLength(); at += 2) {
    if (framing.add(pairs[at], pairs[at + 1])) continue;
    throw Napi::RangeError::New(env, "framing names an impossible PGN or length: " + std::to_string(pairs[at]) + ", " +
                                         std::to_string(pairs[at + 1]));
  }
  return framing;
}

Napi::Number number(Napi::Env env, uint64_t count) {
  return Napi::Number::New(env, static_cast<double>(count));
}

}  // namespace

Napi::Function CanBus::define(Napi::Env env) {
  return DefineClass(env, "CanBus",
                     {
                         InstanceMethod<&CanBus::open>("open"),
                         InstanceMethod<&CanBus::send>("send"),
                         InstanceMethod<&CanBus::push>("push"),
                         InstanceMethod<&CanBus::expire>("expire"),
                         InstanceMethod<&CanBus::drain>("drain"),
                         InstanceMethod<&CanBus::counters>("counters"),
                         InstanceMethod<&CanBus::books>("books"),
                         InstanceMethod<&CanBus::status>("status"),
                         InstanceMethod<&CanBus::notices>("notices"),
                         InstanceMethod<&CanBus::tap>("tap"),
                         InstanceMethod<&CanBus::tap_lost>("tapLost"),
                         InstanceMethod<&CanBus::set_framing>("setFraming"),
                         InstanceMethod<&CanBus::close>("close"),
                     });
}

CanBus::CanBus(const Napi::CallbackInfo& info) : ObjectWrap(info) {
  const Napi::Env env = info.Env();
  if (!info[0].IsObject()) throw Napi::TypeError::New(env, "options must be an object");
  const auto options = info[0].As<Napi::Object>();
  const Napi::Value wake = options.Get("wake");
  if (!wake.IsFunction()) throw Napi::TypeError::New(env, "wake must be a function");
  const Napi::Value ring = options.Get("ringBytes");
  double ring_bytes = kRingBytes;
  if (!ring.IsUndefined()) {
    ring_bytes = ring.IsNumber() ? ring.As<Napi::Number>().DoubleValue() : NAN;
    if (!(ring_bytes >= PacketRing::kLeastBytes && ring_bytes <= kMostRingBytes)) {
      throw Napi::RangeError::New(env, "ringBytes must be a number from 4096 to 2^30");
    }
  }
  const Napi::Value tap_bytes = options.Get("tapBytes");
  if (!tap_bytes.IsUndefined()) {
    const double bytes = tap_bytes.IsNumber() ? tap_bytes.As<Napi::Number>().DoubleValue() : NAN;
    if (!(bytes >= sizeof(FrameRecord) && bytes <= kMostTapBytes)) {
      throw Napi::RangeError::New(env, "tapBytes must be a number from 32 to 2^30");
    }
    tap_ = std::make_unique<FrameTap>(static_cast<size_t>(bytes));
  }
  const Framing framing = framing_argument(env, options.Get("framing"));
  reassembly_ = std::make_unique<SharedReassembly>(static_cast<size_t>(ring_bytes));
  reassembly_->set_framing(framing);
  on_wake_ = Napi::Persistent(wake.As<Napi::Function>());
  reader_ = std::make_unique<BusReader>(BusEvents{
      [this](const FrameRecord* frames, size_t count, uint64_t lost) {
        if (tap_) tap_->take(frames, count);
        reassembly_->take(frames, count, lost);
        wake_event_loop();
      },
      [this] { wake_event_loop(); },
      [this](double now_us) { reassembly_->expire(now_us); },
  });
}

Napi::Value CanBus::open(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  if (!info[0].IsString()) throw Napi::TypeError::New(env, "the name of the interface must be a string");
  const std::string name = info[0].As<Napi::String>();
  if (!BusReader::is_possible_name(name)) throw system_error(env, system_code(EINVAL), "open");
  if (reader_->is_running()) throw system_error(env, system_code(EALREADY), "open");

  // Only `true` itself: whoever transmits must mean it.
  const Napi::Value transmit =
      info[1].IsObject() ? info[1].As<Napi::Object>().Get("transmit") : static_cast<Napi::Value>(env.Undefined());
  if (!transmit.IsUndefined() && !transmit.IsBoolean())
    throw Napi::TypeError::New(env, "transmit must be true or false");
  const bool transmits = transmit.IsBoolean() && transmit.As<Napi::Boolean>().Value();

  sender_ = transmits ? std::make_unique<CanSender>() : nullptr;
  is_awake_ = false;
  wake_ = Wake::New(env, on_wake_.Value(), "hub-can", 0, 1, this);
  if (const std::error_code error = reader_->start(name, sender_.get())) {
    sender_ = nullptr;
    wake_.Release();
    throw system_error(env, error, "open");
  }
  // Hooks run last one first: this one ends the thread before the environment takes the wake-up function from it.
  napi_add_env_cleanup_hook(env, shut_at_exit, this);
  // An open bus is in use even when nobody holds it any more.
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
  // By hand, since what is thrown here has no caller: Node would only warn about it, and a thread that is being ended
  // lets nothing run and nothing be thrown.
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
  if (!info[1].IsTypedArray() || info[1].As<Napi::TypedArray>().TypedArrayType() != napi_uint8_array) {
    throw Napi::TypeError::New(env, "data must be a Uint8Array");
  }
  const auto data = info[1].As<Napi::Uint8Array>();
  if (data.ByteLength() > 8) throw Napi::RangeError::New(env, "data must have at most eight bytes");
  return Napi::Boolean::New(env, !sender_->send(static_cast<uint32_t>(id), data.Data(), data.ByteLength()));
}

Napi::Value CanBus::push(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const Napi::Uint8Array frames = bytes_argument(info, "frames must be a Uint8Array");
  const double count = info[1].IsNumber() ? info[1].As<Napi::Number>().DoubleValue() : NAN;
  if (!(count >= 0 && count <= static_cast<double>(frames.ByteLength() / sizeof(FrameRecord)))) {
    throw Napi::RangeError::New(env, "count must be a number of whole frame records");
  }
  return number(env, reassembly_->take_while_room(frames.Data(), static_cast<size_t>(count)));
}

Napi::Value CanBus::expire(const Napi::CallbackInfo& info) {
  if (!info[0].IsNumber()) throw Napi::TypeError::New(info.Env(), "now must be a number of microseconds");
  reassembly_->expire(info[0].As<Napi::Number>().DoubleValue());
  return info.Env().Undefined();
}

Napi::Value CanBus::drain(const Napi::CallbackInfo& info) {
  Napi::Uint8Array into = bytes_argument(info, "into must be a Uint8Array");
  if (into.ByteLength() < kLongestRecord) {
    throw Napi::RangeError::New(info.Env(), "into must have room for " + std::to_string(kLongestRecord) + " bytes");
  }
  return number(info.Env(), reassembly_->drain(into.Data(), into.ByteLength()));
}

Napi::Value CanBus::tap(const Napi::CallbackInfo& info) {
  Napi::Uint8Array into = bytes_argument(info, "into must be a Uint8Array");
  return number(info.Env(), tap_ ? tap_->drain(into.Data(), into.ByteLength()) : 0);
}

Napi::Value CanBus::tap_lost(const Napi::CallbackInfo& info) {
  return number(info.Env(), tap_ ? tap_->lost() : 0);
}

Napi::Value CanBus::counters(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const Counters counters = reassembly_->counters();
  auto ignored = Napi::Object::New(env);
  for (size_t at = 0; at < kIgnoredKinds; at++) ignored.Set(kIgnoredNames[at], number(env, counters.ignored[at]));
  auto packets = Napi::Object::New(env);
  for (size_t at = 0; at < kTransports; at++) packets.Set(kTransportNames[at], number(env, counters.packets[at]));
  auto lost = Napi::Object::New(env);
  lost.Set("kernel", number(env, counters.lost_kernel));
  lost.Set("ring", number(env, counters.lost_ring));
  auto discarded = Napi::Object::New(env);
  for (size_t at = 0; at < kDiscardReasons; at++) {
    discarded.Set(kDiscardNames[at], number(env, counters.discarded[at]));
  }
  auto result = Napi::Object::New(env);
  result.Set("frames", number(env, counters.frames));
  result.Set("ignored", ignored);
  result.Set("packets", packets);
  result.Set("lost", lost);
  result.Set("discarded", discarded);
  return result;
}

Napi::Value CanBus::books(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const Books books = reassembly_->counters().books;
  auto result = Napi::Object::New(env);
  result.Set("finished", number(env, books.finished));
  result.Set("discarded", number(env, books.discarded));
  result.Set("repeated", number(env, books.repeated));
  result.Set("control", number(env, books.control));
  result.Set("open", number(env, books.open));
  return result;
}

Napi::Value CanBus::status(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const BusStatus status = reader_->status();
  auto result = Napi::Object::New(env);
  result.Set("state", kBusStateNames[static_cast<size_t>(status.state)]);
  result.Set("index", status.index);
  result.Set("errno", status.error.value());
  return result;
}

Napi::Value CanBus::notices(const Napi::CallbackInfo& info) {
  return number(info.Env(), reader_->notices());
}

Napi::Value CanBus::set_framing(const Napi::CallbackInfo& info) {
  reassembly_->set_framing(framing_argument(info.Env(), info[0]));
  return info.Env().Undefined();
}

}  // namespace hub
