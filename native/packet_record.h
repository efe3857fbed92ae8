// One finished packet on its way to decoding, read by `src/core/ports/packet-batch.ts`.
//
//     0        8        16     20     22  23  24  25  26    28           32
//     +--------+--------+------+------+---+---+---+---+-----+------------+-----------------+----+
//     |  wall  |  mono  | PGN  |length|src|dst|pri|trn| 0 0 | incomplete |     payload     | 0s |
//     +--------+--------+------+------+---+---+---+---+-----+------------+-----------------+----+
//       f64 us   f64 us   u32    u16   u8  u8  u8  u8         u32           length bytes     up to a multiple of 8
//
// Both stamps are those of the last frame. Host order, which is little endian.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hub {

enum class Transport : uint8_t { kSingle, kFast, kIsoTp };
constexpr const char* kTransportNames[] = {"single", "fast", "isoTp"};
constexpr size_t kTransports = sizeof kTransportNames / sizeof *kTransportNames;

struct PacketHead {
  double wall_us;
  double monotonic_us;
  uint32_t pgn;
  uint16_t length;
  uint8_t source;
  uint8_t destination;
  uint8_t priority;
  Transport transport;
  uint8_t zero[2];
  uint32_t incomplete;  // packets that its source has begun and not finished so far
};

static_assert(sizeof(PacketHead) == 32);
static_assert(offsetof(PacketHead, monotonic_us) == 8);
static_assert(offsetof(PacketHead, pgn) == 16);
static_assert(offsetof(PacketHead, length) == 20);
static_assert(offsetof(PacketHead, source) == 22);
static_assert(offsetof(PacketHead, destination) == 23);
static_assert(offsetof(PacketHead, priority) == 24);
static_assert(offsetof(PacketHead, transport) == 25);
static_assert(offsetof(PacketHead, incomplete) == 28);

constexpr size_t packet_record_bytes(size_t length) {
  return (sizeof(PacketHead) + length + 7) & ~size_t{7};
}

// ISO TP counts its packets of seven bytes in one byte.
constexpr size_t kLongestPayload = 255 * 7;
constexpr size_t kLongestRecord = packet_record_bytes(kLongestPayload);

}  // namespace hub
