#include "reassembly.h"

#include <algorithm>
#include <cstring>

namespace hub {

namespace {

constexpr uint32_t kAddressClaimPgn = 60928;
constexpr uint32_t kRequestPgn = 59904;
constexpr uint8_t kNullAddress = 254;  // and 255, which is "all" and nobody's source

}  // namespace

bool Framing::add(uint32_t pgn, uint32_t length) {
  if (pgn > kPgnMask || length > FastPackets::kLongest) return false;
  if (is_addressed(pgn) && (pgn & 0xff) != 0) return false;
  kinds_[place_of(pgn)] = length == 0 ? kAnyFast : static_cast<uint8_t>(length);
  return true;
}

void Reassembly::take(const FrameRecord& record) {
  // Error frames are no frames of the bus at all, so they are told first.
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
  // Those without an address may still say so and ask who has one.
  if (frame.source >= kNullAddress && frame.pgn != kAddressClaimPgn && frame.pgn != kRequestPgn) {
    counters_.of(Ignored::kNoAddress)++;
    return;
  }
  counters_.frames++;

  // A stamp behind one that was there before counts as the same moment.
  if (record.monotonic_us > now_us_) {
    now_us_ = record.monotonic_us;
    expire(now_us_);
  }
  frame.monotonic_us = now_us_;

  Assembled whole;
  if (frame.pgn == kIsoDataPgn || frame.pgn == kIsoControlPgn) {
    if (iso_.take(frame, whole) == Step::kFinished) deliver(record, frame, whole, Transport::kIsoTp);
    return;
  }
  if (!framing_.is_single(frame.pgn)) {
    const Step step = fast_.take(frame, framing_.guard(frame.pgn), whole);
    if (step == Step::kFinished) deliver(record, frame, whole, Transport::kFast);
    if (step != Step::kNotMine) return;
  }
  whole = {frame.pgn, frame.data, frame.length, 1};
  deliver(record, frame, whole, Transport::kSingle);
}

void Reassembly::deliver(const FrameRecord& record, const Frame& frame, const Assembled& packet, Transport transport) {
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
  counters_.books.finished += packet.frames;
}

}  // namespace hub
