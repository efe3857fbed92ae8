// Conversions between JavaScript values and those of the reassembler, shared by the classes of the addon. All of them
// throw a TypeError for a value of the wrong type and a RangeError for one that is out of range.
#pragma once

#include <napi.h>

#include <cstddef>
#include <cstdint>

#include "../counters.h"
#include "../fast_packet_table.h"

namespace hub {

// `sentence` is the message of the TypeError.
Napi::Uint8Array bytes_argument(Napi::Value value, const char* sentence);

// Pairs of PGN and length, as `fastPacketTable` (src/core/n2k/fast-packets.ts) makes them.
FastPacketTable fast_packet_table_argument(Napi::Env env, Napi::Value value);

// A buffer for `drain`: it has room for the longest record.
Napi::Uint8Array drain_argument(const Napi::CallbackInfo& info);

// Undefined: the default of 8 MiB.
size_t ring_bytes_argument(Napi::Env env, Napi::Value value);

// The options of a constructor.
Napi::Object options_argument(const Napi::CallbackInfo& info);

inline Napi::Number number(Napi::Env env, uint64_t count) {
  return Napi::Number::New(env, static_cast<double>(count));
}

// The members of `BusCounters` (src/core/ports/packet-source.ts) that the addon counts.
Napi::Object counters_object(Napi::Env env, const Counters& counters);

}  // namespace hub
