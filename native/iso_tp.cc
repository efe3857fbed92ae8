#include "iso_tp.h"

#include <algorithm>
#include <cstring>

namespace hub {

namespace {

enum Control : uint8_t {
  kRequestToSend = 16,
  kClearToSend = 17,
  kEndOfMessage = 19,
  kToAll = 32,
  kAbort = 255,
};

uint32_t pgn_of(const uint8_t* control) {
  const uint32_t pgn = (control[5] | control[6] << 8 | control[7] << 16) & kPgnMask;
  // The destination is in the identifier of the frames.
  return is_addressed(pgn) ? pgn & ~uint32_t{0xff} : pgn;
}

}  // namespace

FrameResult IsoTp::push_control(const Frame& frame) {
  const uint8_t control = frame.length == 0 ? 0 : frame.data[0];
  const bool begins = control == kRequestToSend || control == kToAll;
  if (begins) {
    // Even an impossible announcement ends the message that its sender had begun.
    const uint16_t old = by_key_.find(key_of(frame.source, frame.destination));
    if (old != kNone) discard(old, Discard::kIsoRestarted);
    if (frame.length < 8) {
      counters_.discard(Discard::kIsoSize, 0, 1);
    } else {
      begin(frame, pgn_of(frame.data));
    }
    return FrameResult::kConsumed;
  }
  counters_.accounting.control++;
  // Too short to hold its PGN.
  if (frame.length < 8) return FrameResult::kConsumed;
  const uint32_t pgn = pgn_of(frame.data);
  switch (control) {
    case kClearToSend:
      clear_to_send(frame, pgn);
      break;
    case kEndOfMessage:
      // The last packet closes a complete message, so an open one lacks packets.
      end(frame.destination, frame.source, pgn, Discard::kIsoOrder);
      end(frame.source, frame.destination, pgn, Discard::kIsoOrder);
      break;
    case kAbort:
      end(frame.destination, frame.source, pgn, Discard::kIsoAborted);
      end(frame.source, frame.destination, pgn, Discard::kIsoAborted);
      break;
  }
  return FrameResult::kConsumed;
}

void IsoTp::begin(const Frame& frame, uint32_t pgn) {
  const unsigned size = frame.data[1] | frame.data[2] << 8;
  const unsigned packets = frame.data[3];
  if (size < kShortest || size > kLongestPayload || packets != (size + kDataBytes - 1) / kDataBytes) {
    counters_.discard(Discard::kIsoSize, 0, 1);
    return;
  }
  if (recent_.is_full()) discard(recent_.oldest(), Discard::kIsoEvicted);
  const uint16_t number = recent_.open();
  Session& session = sessions_[number];
  session.pgn = pgn;
  session.frames = 1;
  session.lost = frame.lost;
  session.key = key_of(frame.source, frame.destination);
  session.size = static_cast<uint16_t>(size);
  session.next = 1;
  session.packets = session.missing = static_cast<uint16_t>(packets);
  session.block_end = 0;
  session.is_to_all = frame.data[0] == kToAll;
  session.held.reset();
  by_key_.insert(session.key, number);
  counters_.accounting.open++;
  start_timeout(number, frame.monotonic_us, session.is_to_all ? kDataUs : kReplyUs);
}

void IsoTp::clear_to_send(const Frame& frame, uint32_t pgn) {
  const uint16_t number = by_key_.find(key_of(frame.destination, frame.source));
  if (number == kNone || sessions_[number].pgn != pgn || sessions_[number].is_to_all) return;
  Session& session = sessions_[number];
  const unsigned count = frame.data[1];
  const unsigned from = frame.data[2];
  if (count == 0) {
    start_timeout(number, frame.monotonic_us, kHoldUs);
    return;
  }
  if (from == 0 || from > session.packets) return;
  const unsigned to = std::min<unsigned>(from + count - 1, session.packets);
  for (unsigned sequence = from; sequence <= to; sequence++) {
    session.missing += session.held[sequence];
    session.held.reset(sequence);
  }
  // Never ahead of the packets that were heard.
  session.next = static_cast<uint16_t>(std::min<unsigned>(session.next, from));
  session.block_end = static_cast<uint16_t>(to);
  start_timeout(number, frame.monotonic_us, kClearedDataUs);
}

FrameResult IsoTp::push_data(const Frame& frame, AssembledPacket& packet) {
  uint16_t number = by_key_.find(key_of(frame.source, frame.destination));
  if (number != kNone && may_be_of_another(frame, sessions_[number].lost)) {
    discard(number, Discard::kIsoOrder);
    number = kNone;
  }
  if (number == kNone) {
    counters_.discard(Discard::kIsoOrphan, 0, 1);
    return FrameResult::kConsumed;
  }
  Session& session = sessions_[number];
  const unsigned sequence = frame.length == 0 ? session.next : frame.data[0];
  const bool is_next = sequence == session.next || (sequence > session.next && !session.is_to_all);
  if (!is_next || sequence > session.packets) {
    if (is_repeat(session, sequence, frame)) {
      counters_.accounting.repeated++;
    } else {
      discard(number, Discard::kIsoOrder, 1);
    }
    return FrameResult::kConsumed;
  }
  const unsigned before = (sequence - 1) * kDataBytes;
  const unsigned needed = std::min(session.size - before, kDataBytes);
  if (frame.length < 1 + needed) {
    discard(number, Discard::kIsoSize, 1);
    return FrameResult::kConsumed;
  }
  std::memcpy(session.bytes + before, frame.data + 1, needed);
  session.missing -= !session.held[sequence];
  session.held.set(sequence);
  session.next = static_cast<uint16_t>(sequence + 1);
  session.frames++;
  session.lost = frame.lost;
  counters_.accounting.open++;
  if (session.missing > 0) {
    const bool is_within_block = session.is_to_all || sequence < session.block_end;
    start_timeout(number, frame.monotonic_us, is_within_block ? kDataUs : kReplyUs);
    return FrameResult::kConsumed;
  }
  counters_.accounting.open -= session.frames;
  packet = {session.pgn, session.bytes, session.size, session.frames};
  close(number);
  return FrameResult::kCompleted;
}

bool IsoTp::is_repeat(const Session& session, unsigned sequence, const Frame& frame) const {
  if (sequence == 0 || sequence + 1 != session.next || !session.held[sequence]) return false;
  const unsigned before = (sequence - 1) * kDataBytes;
  const unsigned needed = std::min(session.size - before, kDataBytes);
  return frame.length > needed && std::memcmp(session.bytes + before, frame.data + 1, needed) == 0;
}

void IsoTp::end(unsigned source, unsigned destination, uint32_t pgn, Discard reason) {
  const uint16_t number = by_key_.find(key_of(source, destination));
  if (number != kNone && sessions_[number].pgn == pgn) discard(number, reason);
}

void IsoTp::start_timeout(uint16_t number, double now_us, double duration_us) {
  sessions_[number].timeout_us = now_us + duration_us;
  earliest_timeout_us_ = std::min(earliest_timeout_us_, now_us + duration_us);
  recent_.touch(number);
}

void IsoTp::close(uint16_t number) {
  by_key_.erase(sessions_[number].key);
  recent_.close(number);
}

void IsoTp::discard(uint16_t number, Discard reason, unsigned more_frames) {
  const Session& session = sessions_[number];
  counters_.discard_begun(reason, static_cast<uint8_t>(session.key >> 8), session.frames, more_frames);
  close(number);
}

void IsoTp::discard_expired(double now_us) {
  earliest_timeout_us_ = std::numeric_limits<double>::infinity();
  for (uint16_t number = recent_.oldest(); number != recent_.kNone;) {
    const uint16_t newer = recent_.newer(number);
    const double timeout_us = sessions_[number].timeout_us;
    if (now_us > timeout_us) {
      discard(number, Discard::kIsoTimeout);
    } else {
      earliest_timeout_us_ = std::min(earliest_timeout_us_, timeout_us);
    }
    number = newer;
  }
}

}  // namespace hub
