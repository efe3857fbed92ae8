// The reassembler for JavaScript without Node: functions of a WebAssembly module, in whose memory lie one reassembler,
// the frames on their way in and the packets on their way out. It needs no system: it imports nothing.
#include "reassembler.h"

#include <cstdlib>
#include <new>

// In place of that of the library, which writes to a file when there is no memory left.
void* operator new(size_t bytes) {
  void* memory = std::malloc(bytes);
  if (memory == nullptr) __builtin_trap();
  return memory;
}
void* operator new[](size_t bytes) {
  return operator new(bytes);
}

namespace hub {
namespace {

constexpr size_t kBufferBytes = 1 << 18;
alignas(8) uint8_t frames[kBufferBytes];
alignas(8) uint8_t packets[kBufferBytes];
// Text of the counters: 32 numbers of up to 20 digits with their names.
uint8_t text[2048];

Reassembler* reassembler = nullptr;
FastPacketTable table;

// Writes JSON to `text`.
class JsonText {
 public:
  void begin(const char* name) {
    key(name);
    put("{");
    is_first_ = true;
  }
  void end() {
    put("}");
    is_first_ = false;
  }
  void number(const char* name, uint64_t value) {
    key(name);
    char digits[20];
    size_t count = 0;
    do {
      digits[count++] = static_cast<char>('0' + value % 10);
      value /= 10;
    } while (value > 0);
    while (count > 0) text[bytes_++] = static_cast<uint8_t>(digits[--count]);
  }
  size_t bytes() const { return bytes_; }

 private:
  void key(const char* name) {
    if (!is_first_) put(",");
    is_first_ = false;
    if (name == nullptr) return;
    put("\"");
    put(name);
    put("\":");
  }
  void put(const char* letters) {
    for (; *letters != '\0'; letters++) text[bytes_++] = static_cast<uint8_t>(*letters);
  }

  size_t bytes_ = 0;
  bool is_first_ = true;
};

template <size_t kCount>
void write_group(JsonText& json, const char* name, const char* const (&names)[kCount],
                 const uint64_t (&values)[kCount]) {
  json.begin(name);
  for (size_t at = 0; at < kCount; at++) json.number(names[at], values[at]);
  json.end();
}

}  // namespace
}  // namespace hub

#define HUB_EXPORT(name) __attribute__((export_name(#name))) name

extern "C" {

uint8_t* HUB_EXPORT(frames_place)() {
  return hub::frames;
}
uint8_t* HUB_EXPORT(packets_place)() {
  return hub::packets;
}
uint8_t* HUB_EXPORT(text_place)() {
  return hub::text;
}
size_t HUB_EXPORT(buffer_bytes)() {
  return hub::kBufferBytes;
}

// Called once, before all others.
void HUB_EXPORT(create)(size_t ring_bytes) {
  hub::reassembler = new hub::Reassembler(ring_bytes);
}

// The next table: emptied, filled, and used.
void HUB_EXPORT(clear_table)() {
  hub::table = {};
}
bool HUB_EXPORT(add_fast_packet)(uint32_t pgn, uint32_t length) {
  return hub::table.add(pgn, length);
}
void HUB_EXPORT(use_table)() {
  hub::reassembler->set_fast_packet_table(hub::table);
}

// As in `Reassembler`, with the two buffers.
size_t HUB_EXPORT(push)(size_t count) {
  return hub::reassembler->push_while_room(hub::frames, count);
}
size_t HUB_EXPORT(drain)() {
  return hub::reassembler->drain(hub::packets, hub::kBufferBytes);
}
void HUB_EXPORT(expire)(double now_us) {
  hub::reassembler->expire(now_us);
}

// Writes the counters as JSON; returns the bytes. Packets that were drained stay.
size_t HUB_EXPORT(counters)() {
  const hub::Counters& counters = hub::reassembler->counters();
  hub::JsonText json;
  json.begin(nullptr);
  json.number("frames", counters.frames);
  hub::write_group(json, "ignored", hub::kIgnoredNames, counters.ignored);
  hub::write_group(json, "packets", hub::kTransportNames, counters.packets);
  const uint64_t lost[] = {counters.lost_kernel, counters.lost_ring};
  hub::write_group(json, "lost", hub::kLossNames, lost);
  hub::write_group(json, "discarded", hub::kDiscardNames, counters.discarded);
  hub::write_group(json, "busErrors", hub::kBusErrorNames, counters.bus_errors);
  json.end();
  return json.bytes();
}
}
