// Fast packets: up to 223 bytes in up to 32 frames of one PGN.
//
//     first frame          byte 0      1        2..7                 following frames   byte 0      1..7
//                          +---+-----+--------+--------------+                          +---+-----+---------------+
//                          |seq|  0  | length | 6 bytes      |                          |seq|index| 7 bytes       |
//                          +---+-----+--------+--------------+                          +---+-----+---------------+
//                          7 5 4   0                                                    7 5 4   0
//
// May assume: the bus clock of the frames never steps back (`Reassembler` ensures that).
#pragma once

#include <cstdint>
#include <limits>

#include "assembled_packet.h"
#include "counters.h"
#include "frame_record.h"
#include "key_table.h"
#include "recent_pool.h"

namespace hub {

class FastPackets {
 public:
  static constexpr uint16_t kMostOpen = 512;
  // Between two frames of a packet, on the bus clock.
  static constexpr double kTimeoutUs = 750'000;
  static constexpr unsigned kLongest = 223;
  // The expected length of a PGN whose fast packets have any length.
  static constexpr unsigned kAnyLength = 0;

  explicit FastPackets(Counters& counters) : counters_(counters) {}
  FastPackets(const FastPackets&) = delete;
  FastPackets& operator=(const FastPackets&) = delete;

  // With an expected length, a frame begins a packet only if it has eight bytes and announces exactly this length, and
  // a frame that neither begins nor continues a packet is unrelated.
  FrameResult push(const Frame& frame, unsigned expected_length, AssembledPacket& packet);

  // Discards packets whose time-out has passed; `bus_us` is a time of the bus clock.
  void expire(double bus_us) {
    if (bus_us > earliest_timeout_us_) expire_oldest(bus_us);
  }

 private:
  static constexpr unsigned kFirstBytes = 6;
  static constexpr unsigned kNextBytes = 7;
  static constexpr uint16_t kNone = 0xffff;

  // An incomplete packet: one sequence counter of one stream.
  struct Slot {
    double last_us;  // on the bus clock
    uint32_t lost;   // of its last frame
    uint16_t stream;
    uint8_t sequence;
    uint8_t next;    // the index that must follow, which is also the number of frames held
    uint8_t length;  // as announced
    // Bits of the other counters of the stream that have begun a packet since the last frame of this one.
    uint8_t others_begun;
    uint8_t bytes[224];  // a multiple of eight above the longest payload
  };

  // The open slots of one source, destination and PGN. Exists while it has at least one.
  struct Stream {
    uint64_t key;
    uint16_t slots[8];  // by sequence counter
    uint8_t open;
  };

  FrameResult begin(const Frame& frame, uint16_t stream_number, uint64_t key, AssembledPacket& packet);
  FrameResult continue_packet(const Frame& frame, uint16_t slot_number, bool has_expected_length,
                              AssembledPacket& packet);
  bool is_first_frame(const Frame& frame, unsigned expected_length) const;
  // Marks in the other slots of the stream that `sequence` has begun, and discards those in which all seven others
  // have.
  void mark_begun(Stream& stream, unsigned sequence);
  uint16_t open_slot(uint16_t stream_number, uint64_t key, unsigned sequence);
  void close_slot(uint16_t slot_number);
  void discard(uint16_t slot_number, Discard reason, unsigned more_frames = 0);
  void expire_oldest(double bus_us);

  Counters& counters_;
  // No time-out passes before this moment; it may be too early, never too late.
  double earliest_timeout_us_ = std::numeric_limits<double>::infinity();
  RecentPool<kMostOpen> recent_;
  RecentPool<kMostOpen> stream_numbers_;
  KeyTable<4 * kMostOpen> by_key_;
  Stream streams_[kMostOpen];
  Slot slots_[kMostOpen];
};

}  // namespace hub
