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
  // The destination stands in the identifier of the frames.
  return is_addressed(pgn) ? pgn & ~uint32_t{0xff} : pgn;
}

}  // namespace

Step IsoTp::take_control(const Frame& frame) {
  const uint8_t control = frame.length == 0 ? 0 : frame.data[0];
  const bool begins = control == kRequestToSend || control == kToAll;
  if (begins) {
    // Whatever it announces, its sender has turned to something new.
    const uint16_t old = by_key_.find(key_of(frame.source, frame.destination));
    if (old != kNone) discard(old, Discard::kIsoRestarted);
    if (frame.length < 8) {
      counters_.discard(Discard::kIsoSize, 0, 1);
    } else {
      begin(frame, pgn_of(frame.data));
    }
    return Step::kTaken;
  }
  counters_.books.control++;
  // A control frame that does not reach its PGN is about nothing we could name.
  if (frame.length < 8) return Step::kTaken;
  const uint32_t pgn = pgn_of(frame.data);
  switch (control) {
    case kClearToSend:
      clear_to_send(frame, pgn);
      break;
    case kEndOfMessage:
      // Whole messages are closed by their last packet. One that is still open has lost packets on its way to us.
      end(frame.destination, frame.source, pgn, Discard::kIsoOrder);
      end(frame.source, frame.destination, pgn, Discard::kIsoOrder);
      break;
    case kAbort:
      end(frame.destination, frame.source, pgn, Discard::kIsoAborted);
      end(frame.source, frame.destination, pgn, Discard::kIsoAborted);
      break;
  }
  return Step::kTaken;
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
  session.last_us = frame.monotonic_us;
  session.pgn = pgn;
  session.key = key_of(frame.source, frame.destination);
  session.size = static_cast<uint16_t>(size);
  session.frames = 1;
  session.next = 1;
  session.packets = static_cast<uint16_t>(packets);
  by_key_.insert(session.key, number);
  counters_.books.open++;
  earliest_end_ = std::min(earliest_end_, frame.monotonic_us + kSilenceUs);
}

void IsoTp::clear_to_send(const Frame& frame, uint32_t pgn) {
  const uint16_t number = by_key_.find(key_of(frame.destination, frame.source));
  if (number == kNone || sessions_[number].pgn != pgn) return;
  Session& session = sessions_[number];
  const unsigned packets = frame.data[1];  // none: "wait"
  const unsigned from = frame.data[2];
  // The receiver may ask once more for packets that it has missed and we have not.
  if (packets > 0 && from > 0 && from < session.next) session.next = static_cast<uint16_t>(from);
  keep_alive(number, frame.monotonic_us);
}

Step IsoTp::take_data(const Frame& frame, Assembled& whole) {
  const uint16_t number = by_key_.find(key_of(frame.source, frame.destination));
  if (number == kNone) {
    counters_.discard(Discard::kIsoOrphan, 0, 1);
    return Step::kTaken;
  }
  Session& session = sessions_[number];
  const unsigned packet = frame.length == 0 ? session.next : frame.data[0];
  if (packet == session.next) {
    const unsigned before = (packet - 1) * kDataBytes;
    const unsigned needed = std::min(session.size - before, kDataBytes);
    if (frame.length < 1 + needed) {
      discard(number, Discard::kIsoSize, 1);
      return Step::kTaken;
    }
    std::memcpy(session.bytes + before, frame.data + 1, needed);
    session.next++;
    session.frames++;
    counters_.books.open++;
    if (packet < session.packets) {
      keep_alive(number, frame.monotonic_us);
      return Step::kTaken;
    }
    counters_.books.open -= session.frames;
    whole = {session.pgn, session.bytes, session.size, session.frames};
    close(number);
    return Step::kFinished;
  }
  if (packet > 0 && packet + 1 == session.next) {
    // All but the last packet are full, and the last one closes its session.
    if (frame.length == 8 && std::memcmp(session.bytes + (packet - 1) * kDataBytes, frame.data + 1, kDataBytes) == 0) {
      counters_.books.repeated++;
      return Step::kTaken;
    }
  }
  discard(number, Discard::kIsoOrder, 1);
  return Step::kTaken;
}

void IsoTp::end(unsigned source, unsigned destination, uint32_t pgn, Discard reason) {
  const uint16_t number = by_key_.find(key_of(source, destination));
  if (number != kNone && sessions_[number].pgn == pgn) discard(number, reason);
}

void IsoTp::keep_alive(uint16_t number, double now_us) {
  sessions_[number].last_us = now_us;
  recent_.touch(number);
}

void IsoTp::close(uint16_t number) {
  by_key_.erase(sessions_[number].key);
  recent_.close(number);
}

void IsoTp::discard(uint16_t number, Discard reason, unsigned more_frames) {
  counters_.discard(reason, sessions_[number].frames, more_frames);
  close(number);
}

void IsoTp::expire_oldest(double now_us) {
  while (recent_.oldest() != recent_.kNone) {
    const uint16_t oldest = recent_.oldest();
    if (now_us - sessions_[oldest].last_us <= kSilenceUs) {
      earliest_end_ = sessions_[oldest].last_us + kSilenceUs;
      return;
    }
    discard(oldest, Discard::kIsoTimeout);
  }
  earliest_end_ = std::numeric_limits<double>::infinity();
}

}  // namespace hub
