// A reassembly to play frames into, with short words for the frames of the tests.
// When a bench ends it checks that its books balance: every frame is in exactly one place.
#pragma once

#include <cstring>
#include <initializer_list>
#include <numeric>
#include <string>
#include <vector>

#include "../reassembly.h"
#include "harness.h"

namespace hub {

using Bytes = std::vector<uint8_t>;

struct Packet {
  PacketHead head;
  Bytes payload;
};

// Bytes `first`, `first` + 1, ...
inline Bytes counting(size_t length, unsigned first = 0) {
  Bytes bytes(length);
  for (size_t at = 0; at < length; at++) bytes[at] = static_cast<uint8_t>(first + at);
  return bytes;
}

// An identifier as on the wire. An addressed PGN takes its destination into the low byte.
inline uint32_t id_of(uint32_t pgn, unsigned source, unsigned destination = 255, unsigned priority = 6) {
  return kExtendedFlag | priority << 26 | (is_addressed(pgn) ? pgn | destination : pgn) << 8 | source;
}

// What stands behind the data of the frames of a test, and must never be seen.
constexpr uint8_t kPadding = 0xee;

inline FrameRecord frame_of(uint32_t id, const Bytes& data, double at_ms) {
  FrameRecord frame = {};
  frame.wall_us = 1.7e15 + at_ms * 1e3;
  frame.monotonic_us = at_ms * 1e3;
  frame.id = id;
  frame.length = static_cast<uint8_t>(data.size());
  std::memset(frame.data, kPadding, sizeof frame.data);
  std::copy(data.begin(), data.end(), frame.data);
  return frame;
}

// The frames of a fast packet as a sender makes them, the last one filled up with 0xff.
inline std::vector<Bytes> fast_frames(const Bytes& payload, unsigned sequence) {
  std::vector<Bytes> frames;
  size_t taken = 0;
  for (unsigned index = 0; taken < payload.size() || index == 0; index++) {
    Bytes frame = {static_cast<uint8_t>(sequence << 5 | index)};
    if (index == 0) frame.push_back(static_cast<uint8_t>(payload.size()));
    while (frame.size() < 8) frame.push_back(taken < payload.size() ? payload[taken++] : 0xff);
    frames.push_back(frame);
  }
  return frames;
}

class Bench {
 public:
  static constexpr uint32_t kFast = 129029;
  static constexpr uint32_t kFastAddressed = 126208;
  static constexpr uint32_t kGuarded = 127747;
  static constexpr unsigned kGuardedLength = 15;
  static constexpr uint32_t kSingle = 127250;

  explicit Bench(size_t ring_bytes = 1 << 20) : ring(ring_bytes), reassembly(ring) {
    Framing framing;
    framing.add(kFast, 0);
    framing.add(kFastAddressed, 0);
    framing.add(kGuarded, kGuardedLength);
    reassembly.set_framing(std::move(framing));
  }

  ~Bench() {
    const Counters& counters = reassembly.counters();
    const Books& books = counters.books;
    EXPECT_EQUAL(books.finished + books.discarded + books.repeated + books.control + books.open + counters.lost_ring,
                 counters.frames);
    const uint64_t ignored = std::accumulate(std::begin(counters.ignored), std::end(counters.ignored), uint64_t{0});
    EXPECT_EQUAL(counters.frames + ignored, frames);
  }

  void take(uint32_t id, const Bytes& data, double at_ms = 0) {
    frames++;
    reassembly.take(frame_of(id, data, at_ms));
  }

  void fast(unsigned source, const Bytes& data, double at_ms = 0) { take(id_of(kFast, source), data, at_ms); }
  void control(unsigned source, unsigned destination, const Bytes& data, double at_ms = 0) {
    take(id_of(kIsoControlPgn, source, destination, 7), data, at_ms);
  }
  void data(unsigned source, unsigned destination, const Bytes& data, double at_ms = 0) {
    take(id_of(kIsoDataPgn, source, destination, 7), data, at_ms);
  }

  // What has been finished since the last time.
  std::vector<Packet> packets() {
    std::vector<Packet> result;
    Bytes bytes(1 << 20);
    const size_t length = ring.drain(bytes.data(), bytes.size());
    for (size_t at = 0; at < length;) {
      Packet packet;
      std::memcpy(&packet.head, &bytes[at], sizeof packet.head);
      const uint8_t* payload = &bytes[at + sizeof packet.head];
      packet.payload.assign(payload, payload + packet.head.length);
      at += packet_record_bytes(packet.head.length);
      for (const uint8_t* filler = payload + packet.head.length; filler < &bytes[at]; filler++) EXPECT(*filler == 0);
      result.push_back(packet);
    }
    return result;
  }

  // The payloads of what has been finished since the last time, for comparison with a list.
  std::vector<Bytes> payloads() {
    std::vector<Bytes> result;
    for (const Packet& packet : packets()) result.push_back(packet.payload);
    return result;
  }

  uint64_t discarded(Discard reason) const { return reassembly.counters().of(reason); }

  // All packets given up, for "this one and no other".
  uint64_t discarded() const {
    const auto& all = reassembly.counters().discarded;
    return std::accumulate(std::begin(all), std::end(all), uint64_t{0});
  }

  const Books& books() const { return reassembly.counters().books; }

  PacketRing ring;
  Reassembly reassembly;
  uint64_t frames = 0;
};

}  // namespace hub
