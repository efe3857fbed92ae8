#include <limits>

#include "fixture.h"

using namespace hub;

CASE("Reassembler passes on a single frame as it is") {
  Fixture fixture;
  fixture.push(id_of(Fixture::kSingle, 35, 255, 2), counting(8, 1), 12.5);
  const auto packets = fixture.packets();
  EXPECT_EQUAL(packets.size(), 1u);
  const PacketHead& head = packets[0].head;
  EXPECT(packets[0].payload == counting(8, 1));
  EXPECT_EQUAL(head.pgn, Fixture::kSingle);
  EXPECT_EQUAL(int(head.source), 35);
  EXPECT_EQUAL(int(head.destination), 255);
  EXPECT_EQUAL(int(head.priority), 2);
  EXPECT(head.transport == Transport::kSingle);
  EXPECT_EQUAL(head.monotonic_us, 12500.0);
}

CASE("Reassembler passes on short and empty single frames without their padding") {
  Fixture fixture;
  for (size_t length = 0; length <= 8; length++) fixture.push(id_of(Fixture::kSingle, 1), counting(length));
  const auto payloads = fixture.payloads();
  EXPECT_EQUAL(payloads.size(), 9u);
  for (size_t length = 0; length <= 8; length++) EXPECT(payloads[length] == counting(length));
}

CASE("Reassembler takes the destination of an addressed PGN from its low byte") {
  Fixture fixture;
  fixture.push(id_of(59904, 1, 36), {0, 0xee, 0});
  const auto packets = fixture.packets();
  EXPECT_EQUAL(packets[0].head.pgn, 59904u);
  EXPECT_EQUAL(int(packets[0].head.destination), 36);
}

CASE("Reassembler counts 11-bit, remote and error frames and passes on none of them") {
  Fixture fixture;
  fixture.push(0x123, counting(8));
  fixture.push(0x123 | kRemoteFlag, {});
  fixture.push(id_of(Fixture::kSingle, 1) | kRemoteFlag, {});
  fixture.push(kErrorFlag | 0x40, counting(8));
  fixture.push(kErrorFlag | kExtendedFlag, counting(8));
  const auto& ignored = fixture.reassembler.counters().ignored;
  EXPECT_EQUAL(ignored[0], 2u);
  EXPECT_EQUAL(ignored[1], 1u);
  EXPECT_EQUAL(ignored[2], 2u);
  EXPECT_EQUAL(fixture.packets().size(), 0u);
}

CASE("Reassembler counts the errors that a controller has seen, by kind") {
  Fixture fixture;
  const auto error = [&fixture](uint32_t classes, uint8_t type, uint8_t place) {
    fixture.push(kErrorFlag | classes, {0, 0, type, place, 0, 0, 0, 0});
  };
  error(0x88, 0x02, 0x18);           // form
  error(0x88, 0x04, 0x0a);           // stuff
  error(0x88, 0x06, 0x0a);           // both
  error(0x88, 0x08, 0x0a);           // bit
  error(0x88, 0x00, 0x08);           // checksum
  error(0x20, 0x00, 0x00);           // acknowledge
  error(0x88, 0x00, 0x19);           // the same, by its place
  error(0x04, 0x02, 0x08);           // of the controller, not of the bus
  fixture.push(kErrorFlag | 8, {});  // without data
  const auto& errors = fixture.reassembler.counters().bus_errors;
  EXPECT_EQUAL(errors[static_cast<size_t>(BusError::kBit)], 1u);
  EXPECT_EQUAL(errors[static_cast<size_t>(BusError::kForm)], 2u);
  EXPECT_EQUAL(errors[static_cast<size_t>(BusError::kStuff)], 2u);
  EXPECT_EQUAL(errors[static_cast<size_t>(BusError::kChecksum)], 1u);
  EXPECT_EQUAL(errors[static_cast<size_t>(BusError::kAcknowledge)], 2u);
}

CASE("Reassembler lets only address claims and requests of sources 254 and 255 pass") {
  Fixture fixture;
  fixture.push(id_of(60928, 254), counting(8));
  fixture.push(id_of(60928, 255), counting(8));
  fixture.push(id_of(59904, 254), {0x00, 0xee, 0x00});
  fixture.push(id_of(Fixture::kSingle, 254), counting(8));
  fixture.fast(255, fast_frames(counting(3), 0)[0]);
  fixture.control(254, 255, {32, 20, 0, 3, 255, 0x14, 0xf0, 1});
  EXPECT_EQUAL(fixture.packets().size(), 3u);
  EXPECT_EQUAL(fixture.reassembler.counters().ignored[3], 3u);
  EXPECT_EQUAL(fixture.reassembler.counters().frames, 3u);
}

CASE("Reassembler loses the newest packets to a full ring, and counts their frames") {
  Fixture fixture(PacketRing::kLeastBytes);
  const size_t fit = PacketRing::kLeastBytes / packet_record_bytes(8);
  for (size_t at = 0; at < fit; at++) fixture.push(id_of(Fixture::kSingle, 1), counting(8, static_cast<unsigned>(at)));
  EXPECT_EQUAL(fixture.reassembler.counters().lost_ring, 0u);
  for (const Bytes& frame : fast_frames(counting(30), 0)) fixture.fast(1, frame);
  fixture.push(id_of(Fixture::kSingle, 1), counting(8, 200));
  EXPECT_EQUAL(fixture.reassembler.counters().lost_ring, 6u);
  const auto payloads = fixture.payloads();
  EXPECT_EQUAL(payloads.size(), fit);
  EXPECT(payloads[0] == counting(8, 0));
  fixture.push(id_of(Fixture::kSingle, 1), counting(8, 201));
  EXPECT(fixture.payloads() == std::vector<Bytes>{counting(8, 201)});
}

CASE("Reassembler replaces a stamp that steps back by the latest one") {
  Fixture fixture;
  const auto frames = fast_frames(counting(27), 0);
  fixture.fast(1, frames[0], 5000);
  fixture.fast(1, frames[1], 5500);
  fixture.fast(1, frames[2], 1000);
  fixture.traffic(5500, 6200);
  fixture.fast(1, frames[3], 6200);
  EXPECT_EQUAL(fixture.packets().size(), 1u);
  fixture.fast(1, frames[0], std::numeric_limits<double>::quiet_NaN());
  fixture.traffic(6200, 6951);
  fixture.fast(1, frames[1], 6951);
  EXPECT_EQUAL(fixture.discarded(Discard::kFastTimeout), 1u);
}

CASE("Reassembler keeps open packets when the table of fast packets changes") {
  Fixture fixture;
  const auto frames = fast_frames(counting(20), 0);
  fixture.fast(1, frames[0], 0);
  fixture.fast(1, frames[1], 0);
  fixture.reassembler.set_fast_packet_table(FastPacketTable());
  fixture.fast(1, frames[2], 1);
  EXPECT(fixture.payloads() == std::vector<Bytes>{frames[2]});
  EXPECT_EQUAL(fixture.accounting().open, 2u);
  fixture.reassembler.expire(11e6);
  EXPECT_EQUAL(fixture.discarded(Discard::kFastTimeout), 1u);
}

CASE("FastPacketTable has a place of its own for every PGN") {
  for (unsigned round = 0; round < 2; round++) {
    FastPacketTable table;
    const auto length_of = [&](uint32_t pgn) { return 1 + (round == 0 ? pgn : pgn / 223) % 223; };
    for (uint32_t pgn = 0; pgn <= kPgnMask; pgn++) table.add(pgn, length_of(pgn));
    unsigned wrong = 0;
    for (uint32_t pgn = 0; pgn <= kPgnMask; pgn++) {
      if (is_addressed(pgn) && (pgn & 0xff) != 0) continue;
      wrong += table.is_single(pgn) || table.expected_length(pgn) != length_of(pgn);
    }
    EXPECT_EQUAL(wrong, 0u);
  }
}

CASE("FastPacketTable refuses impossible PGNs and lengths") {
  FastPacketTable table;
  EXPECT(!table.add(1 << 18, 0));
  EXPECT(!table.add(126208 + 5, 0));
  EXPECT(!table.add(129029, 224));
  EXPECT(table.is_single(129029));
  EXPECT(table.add(129029, 223));
  EXPECT_EQUAL(table.expected_length(129029), 223u);
  EXPECT(table.add(129029, 0));
  EXPECT_EQUAL(table.expected_length(129029), FastPackets::kAnyLength);
}

CASE("Reassembler stops before a frame whose packet might not fit and loses none") {
  Reassembler reassembler(PacketRing::kLeastBytes);
  std::vector<FrameRecord> frames;
  for (unsigned at = 0; at < 1000; at++) frames.push_back(frame_of(id_of(Fixture::kSingle, 1), counting(8, at), at));
  const auto* records = reinterpret_cast<const uint8_t*>(frames.data());
  size_t taken = 0;
  size_t packets = 0;
  Bytes into(PacketRing::kLeastBytes);
  for (int round = 0; round < 1000 && taken < frames.size(); round++) {
    taken += reassembler.push_while_room(records + taken * sizeof(FrameRecord), frames.size() - taken);
    packets += reassembler.drain(into.data(), into.size()) / packet_record_bytes(8);
  }
  EXPECT_EQUAL(packets, frames.size());
  EXPECT_EQUAL(reassembler.counters().lost_ring, 0u);
}
