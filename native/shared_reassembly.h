// Reassembly and its ring behind one lock, for the reader thread on one side and the event loop on the other.
//
// One lock for all: the reader holds it for a burst, the event loop while it copies what is there, both for
// microseconds, and meanwhile the frames wait in the kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>

#include "frame_record.h"
#include "packet_ring.h"
#include "reassembly.h"

namespace hub {

class SharedReassembly {
 public:
  explicit SharedReassembly(size_t ring_bytes) : ring_(ring_bytes), reassembly_(ring_) {}

  void set_framing(const Framing& framing) {
    const std::lock_guard<std::mutex> lock(mutex_);
    reassembly_.set_framing(framing);
  }

  // Takes a burst off the bus; what does not fit into the ring is lost and counted, and so is what the kernel has lost.
  void take(const FrameRecord* frames, size_t count, uint64_t lost_in_kernel) {
    const std::lock_guard<std::mutex> lock(mutex_);
    reassembly_.lose_in_kernel(lost_in_kernel);
    for (size_t at = 0; at < count; at++) reassembly_.take(frames[at]);
  }

  // Takes frames of a recording, which can wait: stops before one whose packet might not fit. Returns how many it took.
  // The records may lie at any address.
  size_t take_while_room(const uint8_t* records, size_t count);

  void expire(double now_us) {
    const std::lock_guard<std::mutex> lock(mutex_);
    reassembly_.expire(now_us);
  }

  size_t drain(uint8_t* into, size_t capacity) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return ring_.drain(into, capacity);
  }

  Counters counters() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return reassembly_.counters();
  }

 private:
  std::mutex mutex_;
  PacketRing ring_;
  Reassembly reassembly_;
};

}  // namespace hub
