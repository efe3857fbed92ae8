// The PGNs that are sent as fast packets, from `src/core/n2k/fast-packets.ts`. A PGN that is not in the table is a
// single frame.
#pragma once

#include <cstddef>
#include <cstdint>

#include "fast_packet.h"
#include "frame_record.h"

namespace hub {

class FastPacketTable {
 public:
  // Adds a PGN whose packets have any length (0) or exactly `length` bytes (1..223). False: the PGN or the length is
  // impossible.
  bool add(uint32_t pgn, uint32_t length) {
    if (pgn > kPgnMask || length > FastPackets::kLongest) return false;
    if (is_addressed(pgn) && (pgn & 0xff) != 0) return false;
    kinds_[place_of(pgn)] = length == 0 ? kAnyLength : static_cast<uint8_t>(length);
    return true;
  }

  // The low byte of an addressed PGN is not compared.
  bool is_single(uint32_t pgn) const { return kinds_[place_of(pgn)] == kSingle; }
  unsigned expected_length(uint32_t pgn) const {
    const uint8_t kind = kinds_[place_of(pgn)];
    return kind == kAnyLength ? FastPackets::kAnyLength : kind;
  }

 private:
  static constexpr uint8_t kSingle = 0;
  static constexpr uint8_t kAnyLength = 255;

  // An addressed PGN is placed by its upper ten bits. The second byte of the others is 240 or more, so its upper half
  // is always the same and left out.
  static constexpr size_t kAddressed = 1 << 10;
  static constexpr size_t kPlaces = kAddressed + (4 << 12);
  static size_t place_of(uint32_t pgn) {
    return is_addressed(pgn) ? pgn >> 8 : kAddressed + ((pgn >> 16) << 12 | (pgn & 0xfff));
  }

  // One byte for each possible PGN: only the cache lines of PGNs in use are ever loaded.
  uint8_t kinds_[kPlaces] = {};
};

}  // namespace hub
