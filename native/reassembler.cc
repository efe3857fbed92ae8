#include "reassembler.h"

#include <algorithm>
#include <cstring>

namespace hub {

namespace {

constexpr uint32_t kAddressClaimPgn = 60928;
constexpr uint32_t kRequestPgn = 59904;
constexpr uint8_t kNullAddress = 254;  // 255, the broadcast address, is no source either

// Bits of the identifier of an error frame, of its third byte, and places in its fourth (linux/can/error.h).
constexpr uint32_t kProtocolClass = 0x8;
constexpr uint32_t kAcknowledgeClass = 0x20;
constexpr uint8_t kBitErrors = 0x01 | 0x08 | 0x10;
constexpr uint8_t kFormError = 0x02;
constexpr uint8_t kStuffError = 0x04;
constexpr uint8_t kInChecksum = 0x08;
constexpr uint8_t kInChecksumDelimiter = 0x18;
constexpr uint8_t kInAcknowledgeSlot = 0x19;

}  // namespace

void Reassembler::push(const FrameRecord& record) {
  // Error frames come first, because their identifier has error bits in place of an address.
  if (record.id & kErrorFlag) {
    counters_.of(Ignored::kError)++;
    count_bus_errors(record);
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
  frame.lost = lost_;

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

void Reassembler::count_bus_errors(const FrameRecord& record) {
  const uint8_t type = record.length > 2 ? record.data[2] : 0;
  const uint8_t place = record.length > 3 ? record.data[3] : 0;
  const bool is_protocol = record.id & kProtocolClass;
  const bool is_unacknowledged = record.id & kAcknowledgeClass || (is_protocol && place == kInAcknowledgeSlot);
  if (is_unacknowledged) counters_.of(BusError::kAcknowledge)++;
  if (!is_protocol || is_unacknowledged) return;
  if (type & kBitErrors) counters_.of(BusError::kBit)++;
  if (type & kFormError) counters_.of(BusError::kForm)++;
  if (type & kStuffError) counters_.of(BusError::kStuff)++;
  if (type == 0 && (place == kInChecksum || place == kInChecksumDelimiter)) counters_.of(BusError::kChecksum)++;
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
  head.incomplete = counters_.incomplete[frame.source];
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
