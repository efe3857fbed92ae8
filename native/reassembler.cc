#include "reassembler.h"

#include <algorithm>
#include <cstring>

namespace hub {

namespace {

constexpr uint32_t kAddressClaimPgn = 60928;
constexpr uint32_t kRequestPgn = 59904;
constexpr uint8_t kNullAddress = 254;  // 255, the broadcast address, is no source either

}  // namespace

void Reassembler::push(const FrameRecord& record) {
  // First of all: the identifier of an error frame holds error bits, not an address.
  if (record.id & kErrorFlag) {
    counters_.of(Ignored::kError)++;
    return;
  }
  if (!(record.id & kExtendedFlag)) {
    counters_.of(Ignored::kStandard)++;
    return;
  }
  if (record.id & kRemoteFlag) {
    counters_.of(Ignored::kRemote)++;
    return;
  }
  const uint32_t pgn = record.id >> 8 & kPgnMask;
  const bool addressed = is_addressed(pgn);
  Frame frame;
  frame.pgn = addressed ? pgn & ~uint32_t{0xff} : pgn;
  frame.source = static_cast<uint8_t>(record.id);
  frame.destination = addressed ? static_cast<uint8_t>(pgn) : 255;
  frame.priority = record.id >> 26 & 7;
  frame.length = std::min<uint8_t>(record.length, 8);
  frame.data = record.data;
  // A device without an address may send that it cannot claim one, and request the claims of others.
  if (frame.source >= kNullAddress && frame.pgn != kAddressClaimPgn && frame.pgn != kRequestPgn) {
    counters_.of(Ignored::kNoAddress)++;
    return;
  }
  counters_.frames++;

  // A stamp that steps back is replaced by the latest one.
  if (record.monotonic_us > now_us_) {
    bus_clock_.advance(record.monotonic_us - now_us_);
    now_us_ = record.monotonic_us;
    fast_.expire(bus_clock_.now_us());
    iso_.expire(now_us_);
  }
  frame.monotonic_us = now_us_;
  frame.bus_us = bus_clock_.now_us();

  AssembledPacket packet;
  if (frame.pgn == kIsoDataPgn || frame.pgn == kIsoControlPgn) {
    if (iso_.push(frame, packet) == FrameResult::kCompleted) append(record, frame, packet, Transport::kIsoTp);
    return;
  }
  if (!fast_packet_table_.is_single(frame.pgn)) {
    const FrameResult result = fast_.push(frame, fast_packet_table_.expected_length(frame.pgn), packet);
    if (result == FrameResult::kCompleted) append(record, frame, packet, Transport::kFast);
    if (result != FrameResult::kUnrelated) return;
  }
  packet = {frame.pgn, frame.data, frame.length, 1};
  append(record, frame, packet, Transport::kSingle);
}

size_t Reassembler::push_while_room(const uint8_t* records, size_t count) {
  for (size_t at = 0; at < count; at++) {
    if (!ring_.has_room()) return at;
    FrameRecord frame;
    std::memcpy(&frame, records + at * sizeof frame, sizeof frame);
    push(frame);
  }
  return count;
}

void Reassembler::append(const FrameRecord& record, const Frame& frame, const AssembledPacket& packet,
                         Transport transport) {
  const size_t bytes = packet_record_bytes(packet.length);
  uint8_t* place = ring_.append(bytes);
  if (place == nullptr) {
    counters_.lost_ring += packet.frames;
    return;
  }
  PacketHead head = {};
  head.wall_us = record.wall_us;
  head.monotonic_us = record.monotonic_us;
  head.pgn = packet.pgn;
  head.length = packet.length;
  head.source = frame.source;
  head.destination = frame.destination;
  head.priority = frame.priority;
  head.transport = transport;
  std::memcpy(place, &head, sizeof head);
  if (packet.length > 0) {
    constexpr uint64_t kZeros = 0;
    std::memcpy(place + bytes - sizeof kZeros, &kZeros, sizeof kZeros);
    std::memcpy(place + sizeof head, packet.payload, packet.length);
  }
  counters_.packets[static_cast<size_t>(transport)]++;
  counters_.accounting.finished += packet.frames;
}

}  // namespace hub
