// A reassembler to push frames into, with short names for the frames of the tests. Its destructor checks that every
// frame is accounted for exactly once.
#pragma once

#include <cstring>
#include <initializer_list>
#include <numeric>
#include <string>
#include <vector>

#include "../reassembler.h"
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

// Fills the data of a frame beyond its length, and must never be read.
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

class Fixture {
 public:
  static constexpr uint32_t kFast = 129029;
  static constexpr uint32_t kFastAddressed = 126208;
  static constexpr uint32_t kFixedLength = 127747;
  static constexpr unsigned kExpectedLength = 15;
  static constexpr uint32_t kSingle = 127250;

  explicit Fixture(size_t ring_bytes = 1 << 20) : reassembler(ring_bytes) {
    FastPacketTable table;
    table.add(kFast, 0);
    table.add(kFastAddressed, 0);
    table.add(kFixedLength, kExpectedLength);
    reassembler.set_fast_packet_table(table);
  }

  ~Fixture() {
    const Counters& counters = reassembler.counters();
    const FrameAccounting& accounting = counters.accounting;
    EXPECT_EQUAL(accounting.finished + accounting.discarded + accounting.repeated + accounting.control +
                     accounting.open + counters.lost_ring,
                 counters.frames);
    const uint64_t ignored = std::accumulate(std::begin(counters.ignored), std::end(counters.ignored), uint64_t{0});
    EXPECT_EQUAL(counters.frames + ignored, frames);
  }

  void push(uint32_t id, const Bytes& data, double at_ms = 0) {
    frames++;
    reassembler.push(frame_of(id, data, at_ms));
  }

  void fast(unsigned source, const Bytes& data, double at_ms = 0) { push(id_of(kFast, source), data, at_ms); }
  void control(unsigned source, unsigned destination, const Bytes& data, double at_ms = 0) {
    push(id_of(kIsoControlPgn, source, destination, 7), data, at_ms);
  }
  void data(unsigned source, unsigned destination, const Bytes& data, double at_ms = 0) {
    push(id_of(kIsoDataPgn, source, destination, 7), data, at_ms);
  }

  // Frames of other devices, which finish no packet, so that the bus has no pause between the two times.
  void traffic(double from_ms, double to_ms) {
    for (double at_ms = from_ms + 50; at_ms < to_ms; at_ms += 50) control(98, 99, {}, at_ms);
  }

  // Packets finished since the last call.
  std::vector<Packet> packets() {
    std::vector<Packet> result;
    Bytes bytes(1 << 20);
    const size_t length = reassembler.drain(bytes.data(), bytes.size());
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

  // Their payloads only.
  std::vector<Bytes> payloads() {
    std::vector<Bytes> result;
    for (const Packet& packet : packets()) result.push_back(packet.payload);
    return result;
  }

  uint64_t discarded(Discard reason) const { return reassembler.counters().of(reason); }

  // For all reasons together.
  uint64_t discarded() const {
    const auto& all = reassembler.counters().discarded;
    return std::accumulate(std::begin(all), std::end(all), uint64_t{0});
  }

  const FrameAccounting& accounting() const { return reassembler.counters().accounting; }

  Reassembler reassembler;
  uint64_t frames = 0;
};

}  // namespace hub
