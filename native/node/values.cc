#include "values.h"

#include <cmath>
#include <string>

#include "../packet_ring.h"

namespace hub {

namespace {

constexpr size_t kDefaultRingBytes = 8 << 20;
constexpr double kMaxRingBytes = 1 << 30;

}  // namespace

Napi::Uint8Array bytes_argument(Napi::Value value, const char* sentence) {
  if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != napi_uint8_array) {
    throw Napi::TypeError::New(value.Env(), sentence);
  }
  return value.As<Napi::Uint8Array>();
}

FastPacketTable fast_packet_table_argument(Napi::Env env, Napi::Value value) {
  if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != napi_uint32_array) {
    throw Napi::TypeError::New(env, "fastPacketTable must be a Uint32Array");
  }
  const auto pairs = value.As<Napi::Uint32Array>();
  if (pairs.ElementLength() % 2 != 0) {
    throw Napi::RangeError::New(env, "fastPacketTable must hold pairs of PGN and length");
  }
  FastPacketTable table;
  for (size_t at = 0; at < pairs.ElementLength(); at += 2) {
    if (table.add(pairs[at], pairs[at + 1])) continue;
    throw Napi::RangeError::New(env, "fastPacketTable holds an impossible PGN or length: " + std::to_string(pairs[at]) +
                                         ", " + std::to_string(pairs[at + 1]));
  }
  return table;
}

Napi::Uint8Array drain_argument(const Napi::CallbackInfo& info) {
  const Napi::Uint8Array into = bytes_argument(info[0], "into must be a Uint8Array");
  if (into.ByteLength() < kLongestRecord) {
    throw Napi::RangeError::New(info.Env(), "into must have room for " + std::to_string(kLongestRecord) + " bytes");
  }
  return into;
}

size_t ring_bytes_argument(Napi::Env env, Napi::Value value) {
  if (value.IsUndefined()) return kDefaultRingBytes;
  const double bytes = value.IsNumber() ? value.As<Napi::Number>().DoubleValue() : NAN;
  if (!(bytes >= PacketRing::kLeastBytes && bytes <= kMaxRingBytes)) {
    throw Napi::RangeError::New(env, "ringBytes must be a number from 4096 to 2^30");
  }
  return static_cast<size_t>(bytes);
}

Napi::Object options_argument(const Napi::CallbackInfo& info) {
  if (!info[0].IsObject()) throw Napi::TypeError::New(info.Env(), "options must be an object");
  return info[0].As<Napi::Object>();
}

Napi::Object counters_object(Napi::Env env, const Counters& counters) {
  auto ignored = Napi::Object::New(env);
  for (size_t at = 0; at < kIgnoredKinds; at++) ignored.Set(kIgnoredNames[at], number(env, counters.ignored[at]));
  auto packets = Napi::Object::New(env);
  for (size_t at = 0; at < kTransports; at++) packets.Set(kTransportNames[at], number(env, counters.packets[at]));
  auto lost = Napi::Object::New(env);
  lost.Set(kLossNames[0], number(env, counters.lost_kernel));
  lost.Set(kLossNames[1], number(env, counters.lost_ring));
  auto discarded = Napi::Object::New(env);
  for (size_t at = 0; at < kDiscardReasons; at++) {
    discarded.Set(kDiscardNames[at], number(env, counters.discarded[at]));
  }
  auto bus_errors = Napi::Object::New(env);
  for (size_t at = 0; at < kBusErrorKinds; at++) {
    bus_errors.Set(kBusErrorNames[at], number(env, counters.bus_errors[at]));
  }
  auto result = Napi::Object::New(env);
  result.Set("frames", number(env, counters.frames));
  result.Set("ignored", ignored);
  result.Set("packets", packets);
  result.Set("lost", lost);
  result.Set("discarded", discarded);
  result.Set("busErrors", bus_errors);
  return result;
}

}  // namespace hub
