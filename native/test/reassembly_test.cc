#include <limits>

#include "bench.h"

using namespace hub;

CASE("Reassembly hands on a single frame as it is") {
  Bench bench;
  bench.take(id_of(Bench::kSingle, 35, 255, 2), counting(8, 1), 12.5);
  const auto packets = bench.packets();
  EXPECT_EQUAL(packets.size(), 1u);
  const PacketHead& head = packets[0].head;
  EXPECT(packets[0].payload == counting(8, 1));
  EXPECT_EQUAL(head.pgn, Bench::kSingle);
  EXPECT_EQUAL(int(head.source), 35);
  EXPECT_EQUAL(int(head.destination), 255);
  EXPECT_EQUAL(int(head.priority), 2);
  EXPECT(head.transport == Transport::kSingle);
  EXPECT_EQUAL(head.monotonic_us, 12500.0);
}

CASE("Reassembly hands on short and empty single frames without their padding") {
  Bench bench;
  for (size_t length = 0; length <= 8; length++) bench.take(id_of(Bench::kSingle, 1), counting(length));
  const auto payloads = bench.payloads();
  EXPECT_EQUAL(payloads.size(), 9u);
  for (size_t length = 0; length <= 8; length++) EXPECT(payloads[length] == counting(length));
}

CASE("Reassembly takes the destination of an addressed PGN from its low byte") {
  Bench bench;
  bench.take(id_of(59904, 1, 36), {0, 0xee, 0});
  const auto packets = bench.packets();
  EXPECT_EQUAL(packets[0].head.pgn, 59904u);
  EXPECT_EQUAL(int(packets[0].head.destination), 36);
}

CASE("Reassembly counts 11-bit, remote and error frames and hands on none of them") {
  Bench bench;
  bench.take(0x123, counting(8));
  bench.take(0x123 | kRemoteFlag, {});
  bench.take(id_of(Bench::kSingle, 1) | kRemoteFlag, {});
  bench.take(kErrorFlag | 0x40, counting(8));
  bench.take(kErrorFlag | kExtendedFlag, counting(8));
  const auto& ignored = bench.reassembly.counters().ignored;
  EXPECT_EQUAL(ignored[0], 2u);
  EXPECT_EQUAL(ignored[1], 1u);
  EXPECT_EQUAL(ignored[2], 2u);
  EXPECT_EQUAL(bench.packets().size(), 0u);
}

CASE("Reassembly lets only address claims and requests of sources 254 and 255 pass") {
  Bench bench;
  bench.take(id_of(60928, 254), counting(8));
  bench.take(id_of(60928, 255), counting(8));
  bench.take(id_of(59904, 254), {0x00, 0xee, 0x00});
  bench.take(id_of(Bench::kSingle, 254), counting(8));
  bench.fast(255, fast_frames(counting(3), 0)[0]);
  bench.control(254, 255, {32, 20, 0, 3, 255, 0x14, 0xf0, 1});
  EXPECT_EQUAL(bench.packets().size(), 3u);
  EXPECT_EQUAL(bench.reassembly.counters().ignored[3], 3u);
  EXPECT_EQUAL(bench.reassembly.counters().frames, 3u);
}

CASE("Reassembly loses the newest packets to a full ring, and counts their frames") {
  Bench bench(PacketRing::kLeastBytes);
  const size_t fit = PacketRing::kLeastBytes / packet_record_bytes(8);
  for (size_t at = 0; at < fit; at++) bench.take(id_of(Bench::kSingle, 1), counting(8, static_cast<unsigned>(at)));
  EXPECT_EQUAL(bench.reassembly.counters().lost_ring, 0u);
  for (const Bytes& frame : fast_frames(counting(30), 0)) bench.fast(1, frame);
  bench.take(id_of(Bench::kSingle, 1), counting(8, 200));
  EXPECT_EQUAL(bench.reassembly.counters().lost_ring, 6u);
  const auto payloads = bench.payloads();
  EXPECT_EQUAL(payloads.size(), fit);
  EXPECT(payloads[0] == counting(8, 0));
  bench.take(id_of(Bench::kSingle, 1), counting(8, 201));
  EXPECT(bench.payloads() == std::vector<Bytes>{counting(8, 201)});
}

CASE("Reassembly takes a stamp that steps back for the same moment") {
  Bench bench;
  const auto frames = fast_frames(counting(27), 0);
  bench.fast(1, frames[0], 5000);
  bench.fast(1, frames[1], 5500);
  bench.fast(1, frames[2], 1000);
  bench.fast(1, frames[3], 6200);
  EXPECT_EQUAL(bench.packets().size(), 1u);
  bench.fast(1, frames[0], std::numeric_limits<double>::quiet_NaN());
  bench.fast(1, frames[1], 6951);
  EXPECT_EQUAL(bench.discarded(Discard::kFastTimeout), 1u);
}

CASE("Reassembly lets open packets end as they may when the framing changes") {
  Bench bench;
  const auto frames = fast_frames(counting(20), 0);
  bench.fast(1, frames[0], 0);
  bench.fast(1, frames[1], 0);
  bench.reassembly.set_framing(Framing());
  bench.fast(1, frames[2], 1);
  EXPECT(bench.payloads() == std::vector<Bytes>{frames[2]});
  EXPECT_EQUAL(bench.books().open, 2u);
  bench.reassembly.expire(1e6);
  EXPECT_EQUAL(bench.discarded(Discard::kFastTimeout), 1u);
}

CASE("Framing has a place for every PGN, and none for two") {
  for (unsigned round = 0; round < 2; round++) {
    Framing framing;
    const auto length_of = [&](uint32_t pgn) { return 1 + (round == 0 ? pgn : pgn / 223) % 223; };
    for (uint32_t pgn = 0; pgn <= kPgnMask; pgn++) framing.add(pgn, length_of(pgn));
    unsigned wrong = 0;
    for (uint32_t pgn = 0; pgn <= kPgnMask; pgn++) {
      if (is_addressed(pgn) && (pgn & 0xff) != 0) continue;
      wrong += framing.is_single(pgn) || framing.guard(pgn) != length_of(pgn);
    }
    EXPECT_EQUAL(wrong, 0u);
  }
}

CASE("Framing refuses PGNs and lengths that cannot be") {
  Framing framing;
  EXPECT(!framing.add(1 << 18, 0));
  EXPECT(!framing.add(126208 + 5, 0));
  EXPECT(!framing.add(129029, 224));
  EXPECT(framing.is_single(129029));
  EXPECT(framing.add(129029, 223));
  EXPECT_EQUAL(framing.guard(129029), 223u);
  EXPECT(framing.add(129029, 0));
  EXPECT_EQUAL(framing.guard(129029), FastPackets::kUnguarded);
}
