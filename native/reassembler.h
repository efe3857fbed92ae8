// Frames in, packets out: single frames as they are, fast packets and ISO TP messages when they are complete.
// For one thread; `SharedReassembler` adds a lock.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bus_clock.h"
#include "counters.h"
#include "fast_packet.h"
#include "fast_packet_table.h"
#include "frame_record.h"
#include "iso_tp.h"
#include "packet_record.h"
#include "packet_ring.h"

namespace hub {

class Reassembler {
 public:
  explicit Reassembler(size_t ring_bytes) : ring_(ring_bytes), fast_(counters_), iso_(counters_) {}
  Reassembler(const Reassembler&) = delete;
  Reassembler& operator=(const Reassembler&) = delete;

  // Packets that are open continue as far as the new table allows.
  void set_fast_packet_table(const FastPacketTable& table) { fast_packet_table_ = table; }

  // A packet that this frame completes is appended to the ring, or lost and counted when the ring is full.
  void push(const FrameRecord& record);

  // For frames that can wait: stops before a frame whose packet may not fit into the ring. Returns how many it took.
  // The records may lie at any address.
  size_t push_while_room(const uint8_t* records, size_t count);

  // Discards packets whose time-out has passed, if no frame has come until `now_us`.
  void expire(double now_us) {
    fast_.expire(bus_clock_.after(now_us - now_us_));
    iso_.expire(now_us);
  }

  // The bus could not be heard: any number of frames may be lost before the next one.
  void interrupt() { lost_ += kFewestLost; }

  // Frames that the kernel has lost before the next one.
  void count_lost(uint32_t frames) {
    counters_.lost_kernel += frames;
    lost_ += frames;
  }

  void count_can_fd(uint64_t frames) { counters_.of(Ignored::kCanFd) += frames; }

  // Moves as many whole packet records as fit, oldest first; returns their bytes.
  size_t drain(uint8_t* into, size_t capacity) { return ring_.drain(into, capacity); }

  const Counters& counters() const { return counters_; }

 private:
  void count_bus_errors(const FrameRecord& record);
  void append(const FrameRecord& record, const Frame& frame, const AssembledPacket& packet, Transport transport);

  PacketRing ring_;
  Counters counters_;
  FastPacketTable fast_packet_table_;
  double now_us_ = 0;
  uint32_t lost_ = 0;
  BusClock bus_clock_;
  FastPackets fast_;
  IsoTp iso_;
};

}  // namespace hub
