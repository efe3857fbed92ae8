// One CAN frame on its way to reassembly: written by `src/formats/recording/frame-batch.ts` or by the reader thread.
//
//     0        8        16       20   21     24       32
//     +--------+--------+--------+----+------+--------+
//     |  wall  |  mono  |   id   | n  | 0 0 0|  data  |      host order, which is little endian
//     +--------+--------+--------+----+------+--------+
//       f64 us   f64 us    u32     u8           u8[8]
//
// The identifier is that of linux/can.h:
//
//     31        30      29     28     26 25         8 7      0
//     +--------+-------+-------+--------+------------+--------+
//     |extended|remote |error  |priority| group, PS  | source |
//     +--------+-------+-------+--------+------------+--------+
#pragma once

#include <cstddef>
#include <cstdint>

namespace hub {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the records are little endian");

struct FrameRecord {
  double wall_us;       // since 1970
  double monotonic_us;  // of one clock for all frames of a source
  uint32_t id;
  uint8_t length;  // 0..8
  uint8_t zero[3];
  uint8_t data[8];  // bytes from `length` on are padding and never read
};

static_assert(sizeof(FrameRecord) == 32);
static_assert(offsetof(FrameRecord, monotonic_us) == 8);
static_assert(offsetof(FrameRecord, id) == 16);
static_assert(offsetof(FrameRecord, length) == 20);
static_assert(offsetof(FrameRecord, data) == 24);

constexpr uint32_t kExtendedFlag = 1u << 31;
constexpr uint32_t kRemoteFlag = 1u << 30;
constexpr uint32_t kErrorFlag = 1u << 29;

// A 29-bit data frame with the parts of its identifier.
struct Frame {
  uint32_t pgn;         // 18 bits; the low byte is zero when the frame has a destination
  uint8_t source;       // 0..255
  uint8_t destination;  // 255 for all
  uint8_t priority;     // 0 is the most urgent of 0..7
  uint8_t length;       // 0..8
  const uint8_t* data;  // eight bytes, of which the first `length` count
  double monotonic_us;
  double bus_us;  // of `BusClock`
  uint32_t lost;  // frames that may have been lost before it so far, modulo 2^32
};

// Where a frame continues another packet than it seems to, the end of the one and the beginning of the other are lost.
constexpr uint32_t kFewestLost = 2;

// `lost`: that of the last frame of the packet.
inline bool may_be_of_another(const Frame& frame, uint32_t lost) {
  return frame.lost - lost >= kFewestLost;
}

constexpr uint32_t kPgnMask = 0x3ffff;

// PGNs whose second byte is below 240 are sent to one address, which takes the place of the low byte.
constexpr bool is_addressed(uint32_t pgn) {
  return ((pgn >> 8) & 0xff) < 240;
}

}  // namespace hub
