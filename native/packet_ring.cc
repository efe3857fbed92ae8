#include "packet_ring.h"

#include <algorithm>
#include <cstring>

namespace hub {

namespace {

// Bytes of the whole records at the front of `run` that fit into `capacity`.
size_t whole_records(const uint8_t* run, size_t run_bytes, size_t capacity) {
  if (run_bytes <= capacity) return run_bytes;
  size_t bytes = 0;
  while (bytes < run_bytes) {
    PacketHead head;
    std::memcpy(&head, run + bytes, sizeof head);
    const size_t record = packet_record_bytes(head.length);
    if (bytes + record > capacity) break;
    bytes += record;
  }
  return bytes;
}

}  // namespace

PacketRing::PacketRing(size_t bytes) : size_((std::max(bytes, kLeastBytes) + 7) & ~size_t{7}) {
  bytes_.reset(new uint8_t[size_]);
}

size_t PacketRing::drain(uint8_t* into, size_t capacity) {
  size_t drained = 0;
  for (;;) {
    const size_t run = (wrapped_ ? end_ : head_) - tail_;
    const size_t taken = whole_records(bytes_.get() + tail_, run, capacity - drained);
    if (taken > 0) std::memcpy(into + drained, bytes_.get() + tail_, taken);
    tail_ += taken;
    drained += taken;
    if (taken < run) return drained;
    if (!wrapped_) break;
    wrapped_ = false;
    tail_ = 0;
  }
  // An empty ring starts again at its front, whose memory is likely to be cached.
  head_ = tail_ = 0;
  return drained;
}

}  // namespace hub
