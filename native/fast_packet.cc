#include "fast_packet.h"

#include <algorithm>
#include <cstring>

namespace hub {

FrameResult FastPackets::push(const Frame& frame, unsigned expected_length, AssembledPacket& packet) {
  const bool has_expected_length = expected_length != kAnyLength;
  if (frame.length == 0) {
    if (has_expected_length) return FrameResult::kUnrelated;
    counters_.discard(Discard::kFastLength, 0, 1);
    return FrameResult::kConsumed;
  }
  const uint64_t key = uint64_t{frame.pgn} << 16 | unsigned{frame.source} << 8 | frame.destination;
  const uint16_t stream = by_key_.find(key);
  if (is_first_frame(frame, expected_length)) return begin(frame, stream, key, packet);

  uint16_t slot = stream == by_key_.kNone ? kNone : streams_[stream].slots[frame.data[0] >> 5];
  if (slot != kNone && may_be_of_another(frame, slots_[slot].lost)) {
    discard(slot, Discard::kFastStale);
    slot = kNone;
  }
  if (slot != kNone) return continue_packet(frame, slot, has_expected_length, packet);
  if (has_expected_length) return FrameResult::kUnrelated;
  counters_.discard(Discard::kFastOrphan, 0, 1);
  return FrameResult::kConsumed;
}

bool FastPackets::is_first_frame(const Frame& frame, unsigned expected_length) const {
  if ((frame.data[0] & 0x1f) != 0) return false;
  return expected_length == kAnyLength || (frame.length == 8 && frame.data[1] == expected_length);
}

FrameResult FastPackets::begin(const Frame& frame, uint16_t stream_number, uint64_t key, AssembledPacket& packet) {
  const unsigned sequence = frame.data[0] >> 5;
  const unsigned length = frame.length < 2 ? 0 : frame.data[1];
  const unsigned held = frame.length < 2 ? 0 : frame.length - 2;
  if (stream_number != by_key_.kNone) {
    Stream& stream = streams_[stream_number];
    const uint16_t old = stream.slots[sequence];
    if (old != kNone) {
      Slot& slot = slots_[old];
      if (slot.next == 1 && slot.length == length && held == kFirstBytes &&
          std::memcmp(slot.bytes, frame.data + 2, kFirstBytes) == 0) {
        // A repeated frame cannot be distinguished from a new packet with the same bytes. Restarting the time-out is
        // right for both.
        slot.last_us = frame.bus_us;
        slot.lost = frame.lost;
        slot.others_begun = 0;
        recent_.touch(old);
        mark_begun(stream, sequence);
        counters_.accounting.repeated++;
        return FrameResult::kConsumed;
      }
      discard(old, Discard::kFastRestarted);
    }
    // The stream has ended if its last slot was discarded.
    if (stream.open > 0) mark_begun(stream, sequence);
    if (stream.open == 0) stream_number = by_key_.kNone;
  }
  if (length == 0 || length > kLongest || held < std::min(length, kFirstBytes)) {
    counters_.discard(Discard::kFastLength, 0, 1);
    return FrameResult::kConsumed;
  }
  if (length <= kFirstBytes) {
    packet = {frame.pgn, frame.data + 2, static_cast<uint16_t>(length), 1};
    return FrameResult::kCompleted;
  }
  const uint16_t number = open_slot(stream_number, key, sequence);
  Slot& slot = slots_[number];
  slot.last_us = frame.bus_us;
  slot.lost = frame.lost;
  slot.next = 1;
  slot.length = static_cast<uint8_t>(length);
  slot.others_begun = 0;
  std::memcpy(slot.bytes, frame.data + 2, kFirstBytes);
  counters_.accounting.open++;
  earliest_timeout_us_ = std::min(earliest_timeout_us_, frame.bus_us + kTimeoutUs);
  return FrameResult::kConsumed;
}

FrameResult FastPackets::continue_packet(const Frame& frame, uint16_t slot_number, bool has_expected_length,
                                         AssembledPacket& packet) {
  Slot& slot = slots_[slot_number];
  const unsigned index = frame.data[0] & 0x1f;
  if (index == slot.next) {
    const unsigned before = kFirstBytes + (index - 1) * kNextBytes;
    const unsigned needed = std::min(slot.length - before, kNextBytes);
    if (frame.length < 1 + needed) {
      if (has_expected_length) return FrameResult::kUnrelated;
      discard(slot_number, Discard::kFastLength, 1);
      return FrameResult::kConsumed;
    }
    // Always seven bytes, which compiles to one move. Bytes beyond the announced length are never read.
    std::memcpy(slot.bytes + before, frame.data + 1, kNextBytes);
    slot.next++;
    if (before + needed < slot.length) {
      slot.last_us = frame.bus_us;
      slot.lost = frame.lost;
      slot.others_begun = 0;
      recent_.touch(slot_number);
      counters_.accounting.open++;
      return FrameResult::kConsumed;
    }
    counters_.accounting.open -= index;
    packet = {frame.pgn, slot.bytes, slot.length, slot.next};
    close_slot(slot_number);
    return FrameResult::kCompleted;
  }
  if (index > 0 && index + 1 == slot.next) {
    // All but the last frame of a packet are full, and the last one closes its slot.
    const unsigned before = kFirstBytes + (index - 1) * kNextBytes;
    if (frame.length == 8 && std::memcmp(slot.bytes + before, frame.data + 1, kNextBytes) == 0) {
      counters_.accounting.repeated++;
      return FrameResult::kConsumed;
    }
  }
  if (has_expected_length) return FrameResult::kUnrelated;
  discard(slot_number, Discard::kFastOrder, 1);
  return FrameResult::kConsumed;
}

void FastPackets::mark_begun(Stream& stream, unsigned sequence) {
  for (unsigned other = 0; other < 8; other++) {
    if (stream.slots[other] == kNone || other == sequence) continue;
    Slot& slot = slots_[stream.slots[other]];
    slot.others_begun |= 1u << sequence;
    if ((slot.others_begun | 1u << other) == 0xff) discard(stream.slots[other], Discard::kFastStale);
  }
}

uint16_t FastPackets::open_slot(uint16_t stream_number, uint64_t key, unsigned sequence) {
  if (recent_.is_full()) {
    // The oldest slot may be the last one of this very stream, which then has to be opened again.
    const bool was_last = slots_[recent_.oldest()].stream == stream_number && streams_[stream_number].open == 1;
    discard(recent_.oldest(), Discard::kFastEvicted);
    if (was_last) stream_number = by_key_.kNone;
  }
  if (stream_number == by_key_.kNone) {
    stream_number = stream_numbers_.open();
    by_key_.insert(key, stream_number);
    Stream& stream = streams_[stream_number];
    stream.key = key;
    stream.open = 0;
    std::fill_n(stream.slots, 8, kNone);
  }
  const uint16_t number = recent_.open();
  slots_[number].stream = stream_number;
  slots_[number].sequence = static_cast<uint8_t>(sequence);
  streams_[stream_number].slots[sequence] = number;
  streams_[stream_number].open++;
  return number;
}

void FastPackets::close_slot(uint16_t slot_number) {
  const Slot& slot = slots_[slot_number];
  Stream& stream = streams_[slot.stream];
  stream.slots[slot.sequence] = kNone;
  stream.open--;
  if (stream.open == 0) {
    by_key_.erase(stream.key);
    stream_numbers_.close(slot.stream);
  }
  recent_.close(slot_number);
}

void FastPackets::discard(uint16_t slot_number, Discard reason, unsigned more_frames) {
  const Slot& slot = slots_[slot_number];
  const auto source = static_cast<uint8_t>(streams_[slot.stream].key >> 8);
  counters_.discard_begun(reason, source, slot.next, more_frames);
  close_slot(slot_number);
}

void FastPackets::expire_oldest(double bus_us) {
  while (recent_.oldest() != recent_.kNone) {
    const uint16_t oldest = recent_.oldest();
    if (bus_us - slots_[oldest].last_us <= kTimeoutUs) {
      earliest_timeout_us_ = slots_[oldest].last_us + kTimeoutUs;
      return;
    }
    discard(oldest, Discard::kFastTimeout);
  }
  earliest_timeout_us_ = std::numeric_limits<double>::infinity();
}

}  // namespace hub
