// Frames in, packets out: single frames as they are, fast packets and ISO TP messages when they are whole.
// One thread at a time; `SharedReassembly` has the lock.
#pragma once

#include <cstddef>
#include <cstdint>

#include "counters.h"
#include "fast_packet.h"
#include "frame_record.h"
#include "iso_tp.h"
#include "packet_record.h"
#include "packet_ring.h"

namespace hub {

// How the frames of each PGN belong together (`src/n2k/framing.ts`). A PGN that is not in here is a single frame.
class Framing {
 public:
  // Settles a PGN as a fast packet of any length (0) or of exactly `length` bytes (1..223). False: there is no such PGN
  // or length.
  bool add(uint32_t pgn, uint32_t length);

  // Of an addressed PGN the low byte does not count.
  bool is_single(uint32_t pgn) const { return kinds_[place_of(pgn)] == kSingle; }
  unsigned guard(uint32_t pgn) const {
    const uint8_t kind = kinds_[place_of(pgn)];
    return kind == kAnyFast ? FastPackets::kUnguarded : kind;
  }

 private:
  static constexpr uint8_t kSingle = 0;
  static constexpr uint8_t kAnyFast = 255;

  // The upper ten bits of a PGN are the place of an addressed one; behind those stand the others, of which the second
  // byte is 240 or more, so that its upper half says nothing.
  static constexpr size_t kAddressed = 1 << 10;
  static constexpr size_t kPlaces = kAddressed + (4 << 12);
  static size_t place_of(uint32_t pgn) {
    return is_addressed(pgn) ? pgn >> 8 : kAddressed + ((pgn >> 16) << 12 | (pgn & 0xfff));
  }

  // One byte for each PGN that there can be: of its lines only those of PGNs that are heard are ever in a cache.
  uint8_t kinds_[kPlaces] = {};
};

class Reassembly {
 public:
  explicit Reassembly(PacketRing& ring) : ring_(ring), fast_(counters_), iso_(counters_) {}
  Reassembly(const Reassembly&) = delete;
  Reassembly& operator=(const Reassembly&) = delete;

  // Packets that are open go on by the framing they began with as far as the new one lets them.
  void set_framing(const Framing& framing) { framing_ = framing; }

  // Takes a frame. A packet that it finishes goes into the ring, or is lost and counted when that is full.
  void take(const FrameRecord& record);

  // Gives up packets that have been silent for 750 ms.
  void expire(double now_us) {
    fast_.expire(now_us);
    iso_.expire(now_us);
  }

  void lose_in_kernel(uint64_t frames) { counters_.lost_kernel += frames; }

  const Counters& counters() const { return counters_; }

 private:
  void deliver(const FrameRecord& record, const Frame& frame, const Assembled& packet, Transport transport);

  PacketRing& ring_;
  Counters counters_;
  Framing framing_;
  double now_us_ = 0;
  FastPackets fast_;
  IsoTp iso_;
};

}  // namespace hub
