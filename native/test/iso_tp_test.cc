#include "bench.h"

using namespace hub;

namespace {

constexpr unsigned kAll = 255;
constexpr uint32_t kPgn = 126996;
constexpr uint32_t kOtherPgn = 126464;

Bytes control(unsigned kind, unsigned first, unsigned second, unsigned third, unsigned fourth, uint32_t pgn = kPgn) {
  Bytes bytes;
  for (const uint32_t byte : {kind, first, second, third, fourth, pgn, pgn >> 8, pgn >> 16}) {
    bytes.push_back(static_cast<uint8_t>(byte));
  }
  return bytes;
}

Bytes announcement(unsigned kind, size_t size, uint32_t pgn = kPgn) {
  const unsigned bytes = static_cast<unsigned>(size);
  return control(kind, bytes & 0xff, bytes >> 8, (bytes + 6) / 7, 255, pgn);
}

Bytes to_all(size_t size, uint32_t pgn = kPgn) {
  return announcement(32, size, pgn);
}
Bytes request(size_t size, uint32_t pgn = kPgn) {
  return announcement(16, size, pgn);
}
Bytes clear_to_send(unsigned packets, unsigned from) {
  return control(17, packets, from, 255, 255);
}
Bytes end_of_message(size_t size) {
  return announcement(19, size);
}
Bytes abortion(uint32_t pgn = kPgn) {
  return control(255, 3, 255, 255, 255, pgn);
}

// The data frames, the last one filled up with 0xff; number 1 is at 0.
std::vector<Bytes> data_frames(const Bytes& payload) {
  std::vector<Bytes> frames;
  for (size_t taken = 0; taken < payload.size();) {
    Bytes frame = {static_cast<uint8_t>(frames.size() + 1)};
    while (frame.size() < 8) frame.push_back(taken < payload.size() ? payload[taken] : 0xff), taken++;
    frames.push_back(frame);
  }
  return frames;
}

}  // namespace

CASE("IsoTp joins a message to all and stamps it as its last frame") {
  Bench bench;
  bench.control(9, kAll, to_all(20), 5);
  double at_ms = 10;
  for (const Bytes& frame : data_frames(counting(20))) bench.data(9, kAll, frame, at_ms++);
  const auto packets = bench.packets();
  EXPECT_EQUAL(packets.size(), 1u);
  const PacketHead& head = packets[0].head;
  EXPECT(packets[0].payload == counting(20));
  EXPECT_EQUAL(head.pgn, kPgn);
  EXPECT_EQUAL(int(head.source), 9);
  EXPECT_EQUAL(int(head.destination), 255);
  EXPECT_EQUAL(int(head.priority), 7);
  EXPECT(head.transport == Transport::kIsoTp);
  EXPECT_EQUAL(head.monotonic_us, 12e3);
  EXPECT_EQUAL(bench.books().finished, 4u);
}

CASE("IsoTp joins every size from 9 to 1785") {
  Bench bench(8 << 20);
  for (size_t size = 9; size <= 1785; size++) {
    bench.control(9, kAll, to_all(size));
    for (const Bytes& frame : data_frames(counting(size))) bench.data(9, kAll, frame);
    EXPECT(bench.payloads() == std::vector<Bytes>{counting(size)});
  }
  EXPECT_EQUAL(bench.discarded(), 0u);
}

CASE("IsoTp refuses impossible sizes, wrong packet counts and cut announcements") {
  Bench bench;
  bench.control(9, kAll, to_all(8));
  bench.control(9, kAll, to_all(1786));
  bench.control(9, kAll, control(32, 20, 0, 4, 255));
  bench.control(9, 5, control(16, 20, 0, 2, 255));
  bench.control(9, kAll, {32, 20, 0, 3, 255, 1, 2});
  EXPECT_EQUAL(bench.discarded(Discard::kIsoSize), 5u);
  for (const Bytes& frame : data_frames(counting(20))) bench.data(9, kAll, frame);
  EXPECT_EQUAL(bench.discarded(Discard::kIsoOrphan), 3u);
  EXPECT_EQUAL(bench.packets().size(), 0u);
}

CASE("IsoTp overhears a message between two others") {
  Bench bench;
  const auto frames = data_frames(counting(20));
  bench.control(9, 5, request(20));
  bench.control(5, 9, clear_to_send(2, 1));
  bench.data(9, 5, frames[0]);
  bench.data(9, 5, frames[1]);
  bench.control(5, 9, clear_to_send(1, 3));
  bench.data(9, 5, frames[2]);
  bench.control(5, 9, end_of_message(20));
  const auto packets = bench.packets();
  EXPECT_EQUAL(packets.size(), 1u);
  EXPECT(packets[0].payload == counting(20));
  EXPECT_EQUAL(int(packets[0].head.source), 9);
  EXPECT_EQUAL(int(packets[0].head.destination), 5);
  EXPECT_EQUAL(bench.discarded(), 0u);
  EXPECT_EQUAL(bench.books().control, 3u);
}

CASE("IsoTp goes back when the receiver asks for packets once more") {
  Bench bench;
  const auto frames = data_frames(counting(20));
  bench.control(9, 5, request(20));
  bench.data(9, 5, frames[0]);
  bench.data(9, 5, frames[1]);
  bench.control(5, 9, clear_to_send(3, 1));
  for (const Bytes& frame : frames) bench.data(9, 5, frame);
  EXPECT(bench.payloads() == std::vector<Bytes>{counting(20)});
  EXPECT_EQUAL(bench.discarded(), 0u);
  EXPECT_EQUAL(bench.books().finished, 6u);
}

CASE("IsoTp waits as long as the receiver says so") {
  Bench bench;
  const auto frames = data_frames(counting(10));
  bench.control(9, 5, request(10), 0);
  bench.control(5, 9, clear_to_send(0, 255), 500);
  bench.control(5, 9, clear_to_send(0, 255), 1000);
  bench.data(9, 5, frames[0], 1500);
  bench.data(9, 5, frames[1], 1501);
  EXPECT_EQUAL(bench.packets().size(), 1u);
}

CASE("IsoTp keeps a message to all and messages to single ones of one sender apart") {
  Bench bench;
  const auto first = data_frames(counting(20, 10));
  const auto second = data_frames(counting(20, 20));
  const auto third = data_frames(counting(20, 30));
  bench.control(9, kAll, to_all(20));
  bench.control(9, 5, request(20));
  bench.control(5, 9, request(20));
  for (size_t at = 0; at < 3; at++) {
    bench.data(9, kAll, first[at]);
    bench.data(9, 5, second[at]);
    bench.data(5, 9, third[at]);
  }
  EXPECT(bench.payloads() == (std::vector<Bytes>{counting(20, 10), counting(20, 20), counting(20, 30)}));
}

CASE("IsoTp ends a message by an abort from either side") {
  for (const bool by_receiver : {false, true}) {
    Bench bench;
    bench.control(9, 5, request(20));
    bench.data(9, 5, data_frames(counting(20))[0]);
    bench.control(by_receiver ? 5 : 9, by_receiver ? 9 : 5, abortion());
    EXPECT_EQUAL(bench.discarded(Discard::kIsoAborted), 1u);
    EXPECT_EQUAL(bench.books().discarded, 2u);
    EXPECT_EQUAL(bench.books().control, 1u);
    bench.data(9, 5, data_frames(counting(20))[1]);
    EXPECT_EQUAL(bench.discarded(Discard::kIsoOrphan), 1u);
  }
}

CASE("IsoTp leaves a message alone when an abort, an end or a clear to send is about another PGN") {
  Bench bench;
  const auto frames = data_frames(counting(10));
  bench.control(9, 5, request(10));
  bench.data(9, 5, frames[0]);
  bench.control(5, 9, abortion(kOtherPgn));
  bench.control(5, 9, control(19, 10, 0, 2, 255, kOtherPgn));
  bench.control(5, 9, control(17, 2, 1, 255, 255, kOtherPgn));
  bench.data(9, 5, frames[1]);
  EXPECT_EQUAL(bench.packets().size(), 1u);
}

CASE("IsoTp gives up a message that has ended for its receiver but lacks packets here") {
  Bench bench;
  bench.control(9, 5, request(20));
  bench.data(9, 5, data_frames(counting(20))[0]);
  bench.control(5, 9, end_of_message(20));
  EXPECT_EQUAL(bench.discarded(Discard::kIsoOrder), 1u);
}

CASE("IsoTp lets a new beginning end the old message") {
  Bench bench;
  const auto frames = data_frames(counting(20, 40));
  bench.control(9, kAll, to_all(20));
  bench.data(9, kAll, data_frames(counting(20))[0]);
  bench.control(9, kAll, to_all(20));
  for (const Bytes& frame : frames) bench.data(9, kAll, frame);
  EXPECT(bench.payloads() == std::vector<Bytes>{counting(20, 40)});
  EXPECT_EQUAL(bench.discarded(Discard::kIsoRestarted), 1u);
  bench.control(9, kAll, to_all(20));
  bench.control(9, kAll, to_all(8));
  EXPECT_EQUAL(bench.discarded(Discard::kIsoRestarted), 2u);
  EXPECT_EQUAL(bench.discarded(Discard::kIsoSize), 1u);
  EXPECT_EQUAL(bench.books().open, 0u);
}

CASE("IsoTp gives up a message with a lost or swapped packet") {
  Bench bench;
  const auto frames = data_frames(counting(30));
  bench.control(9, kAll, to_all(30));
  bench.data(9, kAll, frames[0]);
  bench.data(9, kAll, frames[2]);
  EXPECT_EQUAL(bench.discarded(Discard::kIsoOrder), 1u);
  bench.data(9, kAll, frames[1]);
  EXPECT_EQUAL(bench.discarded(Discard::kIsoOrphan), 1u);
  EXPECT_EQUAL(bench.packets().size(), 0u);
}

CASE("IsoTp ignores an identical repeat and gives up at one with other bytes") {
  Bench bench;
  auto frames = data_frames(counting(20));
  bench.control(9, kAll, to_all(20));
  bench.data(9, kAll, frames[0]);
  bench.data(9, kAll, frames[0]);
  bench.data(9, kAll, frames[1]);
  bench.data(9, kAll, frames[2]);
  EXPECT_EQUAL(bench.packets().size(), 1u);
  EXPECT_EQUAL(bench.books().repeated, 1u);
  bench.control(9, kAll, to_all(20));
  bench.data(9, kAll, frames[0]);
  frames[0][3]++;
  bench.data(9, kAll, frames[0]);
  EXPECT_EQUAL(bench.discarded(Discard::kIsoOrder), 1u);
}

CASE("IsoTp does not take a shorter packet for a repeat") {
  Bench bench;
  Bytes payload = counting(20);
  payload[6] = kPadding;  // as if the byte that is missing below were there
  const auto frames = data_frames(payload);
  bench.control(9, kAll, to_all(20));
  bench.data(9, kAll, frames[0]);
  bench.data(9, kAll, Bytes(frames[0].begin(), frames[0].end() - 1));
  EXPECT_EQUAL(bench.discarded(Discard::kIsoOrder), 1u);
}

CASE("IsoTp uses a short last packet that holds what is needed, and no other") {
  Bench bench;
  bench.control(9, kAll, to_all(9));
  bench.data(9, kAll, {1, 1, 2, 3, 4, 5, 6, 7});
  bench.data(9, kAll, {2, 8, 9});
  EXPECT(bench.payloads() == std::vector<Bytes>{counting(9, 1)});
  bench.control(9, kAll, to_all(9));
  bench.data(9, kAll, {1, 1, 2, 3, 4, 5, 6});
  EXPECT_EQUAL(bench.discarded(Discard::kIsoSize), 1u);
  bench.control(9, kAll, to_all(9));
  bench.data(9, kAll, {});
  EXPECT_EQUAL(bench.discarded(Discard::kIsoSize), 2u);
  bench.data(9, kAll, {});
  EXPECT_EQUAL(bench.discarded(Discard::kIsoOrphan), 1u);
}

CASE("IsoTp joins with gaps of 750 ms, and not with a longer one") {
  Bench bench;
  const auto frames = data_frames(counting(10));
  bench.control(9, kAll, to_all(10), 0);
  bench.data(9, kAll, frames[0], 750);
  bench.data(9, kAll, frames[1], 1500);
  EXPECT_EQUAL(bench.packets().size(), 1u);
  bench.control(9, kAll, to_all(10), 2000);
  bench.data(9, kAll, frames[0], 2750.001);
  EXPECT_EQUAL(bench.discarded(Discard::kIsoTimeout), 1u);
  EXPECT_EQUAL(bench.discarded(Discard::kIsoOrphan), 1u);
  bench.control(9, kAll, to_all(10), 3000);
  bench.reassembly.expire(3'750'001);
  EXPECT_EQUAL(bench.discarded(Discard::kIsoTimeout), 2u);
}

CASE("IsoTp holds 64 messages at most, the one silent for longest goes") {
  Bench bench;
  const auto frames = data_frames(counting(10));
  for (unsigned source = 0; source < 64; source++) bench.control(source, kAll, to_all(10));
  bench.data(0, kAll, frames[0]);
  bench.control(64, kAll, to_all(10));
  EXPECT_EQUAL(bench.discarded(Discard::kIsoEvicted), 1u);
  bench.data(0, kAll, frames[1]);
  EXPECT_EQUAL(bench.packets().size(), 1u);
  bench.data(1, kAll, frames[0]);
  EXPECT_EQUAL(bench.discarded(Discard::kIsoOrphan), 1u);
}

CASE("IsoTp names an addressed PGN without the byte of its destination") {
  Bench bench;
  bench.control(9, 5, request(10, 0x1ed05));
  for (const Bytes& frame : data_frames(counting(10))) bench.data(9, 5, frame);
  EXPECT_EQUAL(bench.packets()[0].head.pgn, 0x1ed00u);
}

CASE("IsoTp counts control frames that it cannot use") {
  Bench bench;
  bench.control(9, 5, {});
  bench.control(9, 5, {255, 1});
  bench.control(9, 5, control(42, 0, 0, 0, 0));
  EXPECT_EQUAL(bench.books().control, 3u);
  EXPECT_EQUAL(bench.discarded(), 0u);
}
