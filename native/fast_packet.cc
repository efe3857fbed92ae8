#include "fast_packet.h"

#include <algorithm>
#include <cstring>

namespace hub {

Step FastPackets::take(const Frame& frame, unsigned guard, Assembled& whole) {
  const bool guarded = guard != kUnguarded;
  if (frame.length == 0) {
    if (guarded) return Step::kNotMine;
    counters_.discard(Discard::kFastLength, 0, 1);
    return Step::kTaken;
  }
  const uint64_t key = uint64_t{frame.pgn} << 16 | unsigned{frame.source} << 8 | frame.destination;
  const uint16_t stream = by_key_.find(key);
  if (begins(frame, guard)) return begin(frame, stream, key, whole);

  const uint16_t slot = stream == by_key_.kNone ? kNone : streams_[stream].slots[frame.data[0] >> 5];
  if (slot != kNone) return go_on(frame, slot, guarded, whole);
  if (guarded) return Step::kNotMine;
  counters_.discard(Discard::kFastOrphan, 0, 1);
  return Step::kTaken;
}

bool FastPackets::begins(const Frame& frame, unsigned guard) const {
  if ((frame.data[0] & 0x1f) != 0) return false;
  return guard == kUnguarded || (frame.length == 8 && frame.data[1] == guard);
}

Step FastPackets::begin(const Frame& frame, uint16_t stream_number, uint64_t key, Assembled& whole) {
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
        // A sender that begins anew with the same bytes looks just like a repeat: both are served by starting the clock
        // anew.
        slot.last_us = frame.monotonic_us;
        slot.begun = 0;
        recent_.touch(old);
        age_others(stream, sequence);
        counters_.books.repeated++;
        return Step::kTaken;
      }
      discard(old, Discard::kFastRestarted);
    }
    // Giving up its last slot ends a stream, so ask again whether it is there.
    if (stream.open > 0) age_others(stream, sequence);
    if (stream.open == 0) stream_number = by_key_.kNone;
  }
  if (length == 0 || length > kLongest || held < std::min(length, kFirstBytes)) {
    counters_.discard(Discard::kFastLength, 0, 1);
    return Step::kTaken;
  }
  if (length <= kFirstBytes) {
    whole = {frame.pgn, frame.data + 2, static_cast<uint16_t>(length), 1};
    return Step::kFinished;
  }
  const uint16_t number = open_slot(stream_number, key, sequence);
  Slot& slot = slots_[number];
  slot.last_us = frame.monotonic_us;
  slot.next = 1;
  slot.length = static_cast<uint8_t>(length);
  slot.begun = 0;
  std::memcpy(slot.bytes, frame.data + 2, kFirstBytes);
  counters_.books.open++;
  earliest_end_ = std::min(earliest_end_, frame.monotonic_us + kSilenceUs);
  return Step::kTaken;
}

Step FastPackets::go_on(const Frame& frame, uint16_t slot_number, bool guarded, Assembled& whole) {
  Slot& slot = slots_[slot_number];
  const unsigned index = frame.data[0] & 0x1f;
  if (index == slot.next) {
    const unsigned before = kFirstBytes + (index - 1) * kNextBytes;
    const unsigned needed = std::min(slot.length - before, kNextBytes);
    if (frame.length < 1 + needed) {
      if (guarded) return Step::kNotMine;
      discard(slot_number, Discard::kFastLength, 1);
      return Step::kTaken;
    }
    // Always seven bytes, which is one move; those beyond the announced length leave this place never again.
    std::memcpy(slot.bytes + before, frame.data + 1, kNextBytes);
    slot.next++;
    if (before + needed < slot.length) {
      slot.last_us = frame.monotonic_us;
      slot.begun = 0;
      recent_.touch(slot_number);
      counters_.books.open++;
      return Step::kTaken;
    }
    counters_.books.open -= index;
    whole = {frame.pgn, slot.bytes, slot.length, slot.next};
    close_slot(slot_number);
    return Step::kFinished;
  }
  if (index > 0 && index + 1 == slot.next) {
    // All but the last frame of a packet are full, and the last one closes its slot.
    const unsigned before = kFirstBytes + (index - 1) * kNextBytes;
    if (frame.length == 8 && std::memcmp(slot.bytes + before, frame.data + 1, kNextBytes) == 0) {
      counters_.books.repeated++;
      return Step::kTaken;
    }
  }
  if (guarded) return Step::kNotMine;
  discard(slot_number, Discard::kFastOrder, 1);
  return Step::kTaken;
}

void FastPackets::age_others(Stream& stream, unsigned sequence) {
  for (unsigned other = 0; other < 8; other++) {
    if (stream.slots[other] == kNone || other == sequence) continue;
    Slot& slot = slots_[stream.slots[other]];
    slot.begun |= 1u << sequence;
    if ((slot.begun | 1u << other) == 0xff) discard(stream.slots[other], Discard::kFastStale);
  }
}

uint16_t FastPackets::open_slot(uint16_t stream_number, uint64_t key, unsigned sequence) {
  if (recent_.is_full()) {
    // The oldest may be the only slot of the very stream this one belongs to, which then has to begin anew.
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
  counters_.discard(reason, slots_[slot_number].next, more_frames);
  close_slot(slot_number);
}

void FastPackets::expire_oldest(double now_us) {
  while (recent_.oldest() != recent_.kNone) {
    const uint16_t oldest = recent_.oldest();
    if (now_us - slots_[oldest].last_us <= kSilenceUs) {
      earliest_end_ = slots_[oldest].last_us + kSilenceUs;
      return;
    }
    discard(oldest, Discard::kFastTimeout);
  }
  earliest_end_ = std::numeric_limits<double>::infinity();
}

}  // namespace hub
