// Fast packets: up to 223 bytes in up to 32 frames of one PGN.
//
//     first frame          byte 0      1        2..7                 following frames   byte 0      1..7
//                          +---+-----+--------+--------------+                          +---+-----+---------------+
//                          |seq|  0  | length | 6 bytes      |                          |seq|index| 7 bytes       |
//                          +---+-----+--------+--------------+                          +---+-----+---------------+
//                          7 5 4   0                                                    7 5 4   0
//
// May assume: the stamps of the frames never step back (`Reassembly` sees to it).
#pragma once

#include <cstdint>
#include <limits>

#include "assembled.h"
#include "counters.h"
#include "frame_record.h"
#include "key_table.h"
#include "recent_pool.h"

namespace hub {

class FastPackets {
 public:
  static constexpr uint16_t kMostOpen = 512;
  static constexpr unsigned kLongest = 223;
  // The value of `guard` for a PGN that is a fast packet whatever its frames hold.
  static constexpr unsigned kUnguarded = 0;

  explicit FastPackets(Counters& counters) : counters_(counters) {}
  FastPackets(const FastPackets&) = delete;
  FastPackets& operator=(const FastPackets&) = delete;

  // With a guard n, a frame begins a packet only if it has eight bytes and announces a length of exactly n, and a frame
  // that neither begins nor continues one is not ours.
  Step take(const Frame& frame, unsigned guard, Assembled& whole);

  // Gives up what has been silent for too long.
  void expire(double now_us) {
    if (now_us > earliest_end_) expire_oldest(now_us);
  }

 private:
  static constexpr unsigned kFirstBytes = 6;
  static constexpr unsigned kNextBytes = 7;
  static constexpr uint16_t kNone = 0xffff;

  // One sequence counter of one sender.
  struct Slot {
    double last_us;
    uint16_t stream;
    uint8_t sequence;
    uint8_t next;    // the index that must follow, which is also the number of frames held
    uint8_t length;  // announced
    uint8_t begun;   // the other counters of this stream that have begun a packet since this one's last frame, as bits
    uint8_t bytes[224];  // a multiple of eight above the longest payload
  };

  // All open slots of one source, destination and PGN; is there while it has one.
  struct Stream {
    uint64_t key;
    uint16_t slots[8];  // by sequence counter
    uint8_t open;
  };

  Step begin(const Frame& frame, uint16_t stream_number, uint64_t key, Assembled& whole);
  Step go_on(const Frame& frame, uint16_t slot_number, bool guarded, Assembled& whole);
  bool begins(const Frame& frame, unsigned guard) const;
  // Notes in the other slots of the stream that `sequence` has begun anew, and gives up those that have seen all others
  // do.
  void age_others(Stream& stream, unsigned sequence);
  uint16_t open_slot(uint16_t stream_number, uint64_t key, unsigned sequence);
  void close_slot(uint16_t slot_number);
  void discard(uint16_t slot_number, Discard reason, unsigned more_frames = 0);
  void expire_oldest(double now_us);

  Counters& counters_;
  // No packet ends by silence before this; may be earlier than the true end, never later.
  double earliest_end_ = std::numeric_limits<double>::infinity();
  RecentPool<kMostOpen> recent_;
  RecentPool<kMostOpen> stream_numbers_;
  KeyTable<4 * kMostOpen> by_key_;
  Stream streams_[kMostOpen];
  Slot slots_[kMostOpen];
};

}  // namespace hub
