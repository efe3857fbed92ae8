// A reassembler behind a lock: the reader thread pushes frames, the event loop drains packets.
//
// One lock for everything: the reader holds it for a burst, the event loop while it copies packets, each for
// microseconds, and meanwhile frames wait in the kernel's buffer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>

#include "frame_burst.h"
#include "reassembler.h"

namespace hub {

class SharedReassembler {
 public:
  explicit SharedReassembler(size_t ring_bytes) : reassembler_(ring_bytes) {}

  void set_fast_packet_table(const FastPacketTable& table) {
    const std::lock_guard<std::mutex> lock(mutex_);
    reassembler_.set_fast_packet_table(table);
  }

  // Packets that do not fit into the ring are lost and counted.
  void push(const FrameBurst& burst) {
    const std::lock_guard<std::mutex> lock(mutex_);
    reassembler_.count_can_fd(burst.can_fd_frames);
    for (size_t at = 0; at < burst.count; at++) {
      reassembler_.count_lost(burst.lost_before[at]);
      reassembler_.push(burst.frames[at]);
    }
  }

  void interrupt() {
    const std::lock_guard<std::mutex> lock(mutex_);
    reassembler_.interrupt();
  }

  void expire(double now_us) {
    const std::lock_guard<std::mutex> lock(mutex_);
    reassembler_.expire(now_us);
  }

  size_t drain(uint8_t* into, size_t capacity) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return reassembler_.drain(into, capacity);
  }

  Counters counters() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return reassembler_.counters();
  }

 private:
  std::mutex mutex_;
  Reassembler reassembler_;
};

}  // namespace hub
