#include <algorithm>

#include "fixture.h"

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
  Fixture fixture;
  fixture.control(9, kAll, to_all(20), 5);
  double at_ms = 10;
  for (const Bytes& frame : data_frames(counting(20))) fixture.data(9, kAll, frame, at_ms++);
  const auto packets = fixture.packets();
  EXPECT_EQUAL(packets.size(), 1u);
  const PacketHead& head = packets[0].head;
  EXPECT(packets[0].payload == counting(20));
  EXPECT_EQUAL(head.pgn, kPgn);
  EXPECT_EQUAL(int(head.source), 9);
  EXPECT_EQUAL(int(head.destination), 255);
  EXPECT_EQUAL(int(head.priority), 7);
  EXPECT(head.transport == Transport::kIsoTp);
  EXPECT_EQUAL(head.monotonic_us, 12e3);
  EXPECT_EQUAL(fixture.accounting().finished, 4u);
}

CASE("IsoTp joins every size from 9 to 1785") {
  Fixture fixture(8 << 20);
  for (size_t size = 9; size <= 1785; size++) {
    fixture.control(9, kAll, to_all(size));
    for (const Bytes& frame : data_frames(counting(size))) fixture.data(9, kAll, frame);
    EXPECT(fixture.payloads() == std::vector<Bytes>{counting(size)});
  }
  EXPECT_EQUAL(fixture.discarded(), 0u);
}

CASE("IsoTp refuses impossible sizes, wrong packet counts and cut announcements") {
  Fixture fixture;
  fixture.control(9, kAll, to_all(8));
  fixture.control(9, kAll, to_all(1786));
  fixture.control(9, kAll, control(32, 20, 0, 4, 255));
  fixture.control(9, 5, control(16, 20, 0, 2, 255));
  fixture.control(9, kAll, {32, 20, 0, 3, 255, 1, 2});
  EXPECT_EQUAL(fixture.discarded(Discard::kIsoSize), 5u);
  for (const Bytes& frame : data_frames(counting(20))) fixture.data(9, kAll, frame);
  EXPECT_EQUAL(fixture.discarded(Discard::kIsoOrphan), 3u);
  EXPECT_EQUAL(fixture.packets().size(), 0u);
}

CASE("IsoTp joins a message between two other devices") {
  Fixture fixture;
  const auto frames = data_frames(counting(20));
  fixture.control(9, 5, request(20));
  fixture.control(5, 9, clear_to_send(2, 1));
  fixture.data(9, 5, frames[0]);
  fixture.data(9, 5, frames[1]);
  fixture.control(5, 9, clear_to_send(1, 3));
  fixture.data(9, 5, frames[2]);
  fixture.control(5, 9, end_of_message(20));
  const auto packets = fixture.packets();
  EXPECT_EQUAL(packets.size(), 1u);
  EXPECT(packets[0].payload == counting(20));
  EXPECT_EQUAL(int(packets[0].head.source), 9);
  EXPECT_EQUAL(int(packets[0].head.destination), 5);
  EXPECT_EQUAL(fixture.discarded(), 0u);
  EXPECT_EQUAL(fixture.accounting().control, 3u);
}

CASE("IsoTp takes packets again that the receiver asks for again") {
  Fixture fixture;
  const auto frames = data_frames(counting(20));
  fixture.control(9, 5, request(20));
  fixture.data(9, 5, frames[0]);
  fixture.data(9, 5, frames[1]);
  fixture.control(5, 9, clear_to_send(3, 1));
  for (const Bytes& frame : frames) fixture.data(9, 5, frame);
  EXPECT(fixture.payloads() == std::vector<Bytes>{counting(20)});
  EXPECT_EQUAL(fixture.discarded(), 0u);
  EXPECT_EQUAL(fixture.accounting().finished, 6u);
}

CASE("IsoTp fills a gap by the packets that the receiver asks for again") {
  struct Gap {
    std::vector<size_t> missed;
    Bytes clear;
    std::vector<size_t> again;
  };
  // One packet alone, the packet and those after it, and two gaps in one block.
  const Gap gaps[] = {
      {{1}, clear_to_send(1, 2), {1}},
      {{1}, clear_to_send(4, 2), {1, 2, 3, 4}},
      {{4}, clear_to_send(1, 5), {4}},
      {{0, 2}, clear_to_send(3, 1), {0, 1, 2}},
  };
  for (const auto& [missed, clear, again] : gaps) {
    Fixture fixture;
    const auto frames = data_frames(counting(33));
    fixture.control(9, 5, request(33));
    fixture.control(5, 9, clear_to_send(5, 1));
    for (size_t at = 0; at < frames.size(); at++) {
      if (std::count(missed.begin(), missed.end(), at) == 0) fixture.data(9, 5, frames[at]);
    }
    EXPECT_EQUAL(fixture.packets().size(), 0u);
    fixture.control(5, 9, clear);
    for (const size_t at : again) fixture.data(9, 5, frames[at]);
    EXPECT(fixture.payloads() == std::vector<Bytes>{counting(33)});
    EXPECT_EQUAL(fixture.discarded(), 0u);
  }
}

CASE("IsoTp discards a message with a gap that the receiver does not ask for") {
  Fixture fixture;
  const auto frames = data_frames(counting(33));
  fixture.control(9, 5, request(33));
  for (const size_t at : {0, 1, 3, 4}) fixture.data(9, 5, frames[at]);
  // The packet alone does not fill the gap: it may belong to another message.
  fixture.data(9, 5, frames[2]);
  EXPECT_EQUAL(fixture.discarded(Discard::kIsoOrder), 1u);
  fixture.control(9, 5, request(33));
  for (const size_t at : {0, 1, 3, 4}) fixture.data(9, 5, frames[at]);
  fixture.control(5, 9, end_of_message(33));
  EXPECT_EQUAL(fixture.discarded(Discard::kIsoOrder), 2u);
  EXPECT_EQUAL(fixture.packets().size(), 0u);
  EXPECT_EQUAL(fixture.accounting().open, 0u);
}

CASE("IsoTp never fills a gap with bytes of an earlier message when clear to send moves on") {
  for (const bool asks_again : {false, true}) {
    Fixture fixture;
    // The memory of the session holds these bytes.
    fixture.control(9, 5, request(33));
    for (const Bytes& frame : data_frames(counting(33, 100))) fixture.data(9, 5, frame);
    EXPECT_EQUAL(fixture.packets().size(), 1u);
    const auto frames = data_frames(counting(33));
    fixture.control(9, 5, request(33));
    fixture.control(5, 9, clear_to_send(3, 1));
    fixture.data(9, 5, frames[0]);
    // The packets 2 and 3 were not heard.
    fixture.control(5, 9, clear_to_send(2, 4));
    fixture.data(9, 5, frames[3]);
    fixture.data(9, 5, frames[4]);
    EXPECT_EQUAL(fixture.packets().size(), 0u);
    if (asks_again) {
      fixture.control(5, 9, clear_to_send(2, 2));
      fixture.data(9, 5, frames[1]);
      fixture.data(9, 5, frames[2]);
      EXPECT(fixture.payloads() == std::vector<Bytes>{counting(33)});
    } else {
      fixture.control(5, 9, end_of_message(33));
      EXPECT_EQUAL(fixture.discarded(Discard::kIsoOrder), 1u);
    }
  }
}

CASE("IsoTp keeps one gap open while another one is filled") {
  Fixture fixture;
  const auto frames = data_frames(counting(33));
  fixture.control(9, 5, request(33));
  for (const size_t at : {0, 2, 4}) fixture.data(9, 5, frames[at]);
  fixture.control(5, 9, clear_to_send(1, 2));
  fixture.data(9, 5, frames[1]);
  // This packet was not requested again, and is not part of the gap.
  fixture.data(9, 5, frames[2]);
  EXPECT_EQUAL(fixture.packets().size(), 0u);
  fixture.data(9, 5, frames[3]);
  EXPECT(fixture.payloads() == std::vector<Bytes>{counting(33)});
}

CASE("IsoTp discards packet numbers beyond those announced, and repeats of the last one are no gap") {
  Fixture fixture;
  const auto frames = data_frames(counting(33));
  fixture.control(9, 5, request(33));
  fixture.data(9, 5, frames[0]);
  fixture.data(9, 5, {6, 1, 2, 3, 4, 5, 6, 7});
  EXPECT_EQUAL(fixture.discarded(Discard::kIsoOrder), 1u);
  fixture.control(9, 5, request(33));
  fixture.data(9, 5, frames[4]);
  fixture.data(9, 5, frames[4]);
  EXPECT_EQUAL(fixture.accounting().repeated, 1u);
  fixture.data(9, 5, {6, 1, 2, 3, 4, 5, 6, 7});
  EXPECT_EQUAL(fixture.discarded(Discard::kIsoOrder), 2u);
  EXPECT_EQUAL(fixture.packets().size(), 0u);
}

CASE("IsoTp ignores a clear to send of impossible packets, or of a message to all") {
  Fixture fixture;
  const auto frames = data_frames(counting(20));
  fixture.control(9, 5, request(20));
  fixture.data(9, 5, frames[0]);
  fixture.data(9, 5, frames[1]);
  fixture.control(5, 9, clear_to_send(1, 0));
  fixture.control(5, 9, clear_to_send(1, 4));
  fixture.control(5, 9, clear_to_send(255, 255));
  fixture.data(9, 5, frames[2]);
  EXPECT(fixture.payloads() == std::vector<Bytes>{counting(20)});
  fixture.control(9, 5, to_all(20));
  fixture.data(9, 5, frames[0]);
  fixture.control(5, 9, clear_to_send(1, 1));
  fixture.data(9, 5, frames[1]);
  fixture.data(9, 5, frames[2]);
  EXPECT(fixture.payloads() == std::vector<Bytes>{counting(20)});
}

CASE("IsoTp accounts for a packet that is asked for many times") {
  Fixture fixture;
  const auto frames = data_frames(counting(10));
  fixture.control(9, 5, request(10));
  for (unsigned round = 0; round < 70'000; round++) {
    fixture.control(5, 9, clear_to_send(2, 1));
    fixture.data(9, 5, frames[0]);
  }
  fixture.data(9, 5, frames[1]);
  EXPECT_EQUAL(fixture.packets().size(), 1u);
  EXPECT_EQUAL(fixture.accounting().finished, 70'002u);
}

CASE("IsoTp waits after a hold of the receiver") {
  Fixture fixture;
  const auto frames = data_frames(counting(10));
  fixture.control(9, 5, request(10), 0);
  fixture.control(5, 9, clear_to_send(0, 255), 500);
  fixture.control(5, 9, clear_to_send(0, 255), 1000);
  fixture.data(9, 5, frames[0], 1500);
  fixture.data(9, 5, frames[1], 1501);
  EXPECT_EQUAL(fixture.packets().size(), 1u);
}

CASE("IsoTp waits as long as the standard says at each step of a message to one address") {
  struct Step {
    double most_ms;
    bool by_receiver;
    Bytes bytes;
  };
  const auto frames = data_frames(counting(33));
  const std::vector<Step> steps = {
      {0, false, request(33)},           {1250, true, clear_to_send(0, 255)},  // T3
      {1050, true, clear_to_send(3, 1)},                                       // T4
      {1250, false, frames[0]},                                                // T2
      {750, false, frames[1]},                                                 // T1
      {750, false, frames[2]},           {1250, true, clear_to_send(2, 4)},    // T3
      {1250, false, frames[3]},          {750, false, frames[4]},
  };
  // All steps in time, then each of them late.
  for (size_t late = steps.size(); late > 0; late--) {
    Fixture fixture;
    double at_ms = 5000;
    for (size_t at = 0; at < steps.size(); at++) {
      at_ms += steps[at].most_ms + (at == late ? 0.001 : 0);
      const bool is_data = at > 0 && !steps[at].by_receiver;
      if (is_data) {
        fixture.data(9, 5, steps[at].bytes, at_ms);
      } else {
        fixture.control(steps[at].by_receiver ? 5 : 9, steps[at].by_receiver ? 9 : 5, steps[at].bytes, at_ms);
      }
    }
    EXPECT_EQUAL(fixture.packets().size(), late == steps.size() ? 1u : 0u);
    EXPECT_EQUAL(fixture.discarded(Discard::kIsoTimeout), late == steps.size() ? 0u : 1u);
  }
}

CASE("IsoTp times out each message by itself") {
  Fixture fixture;
  fixture.control(1, 5, request(10), 0);
  fixture.control(2, kAll, to_all(10), 100);
  fixture.control(3, 5, request(10), 200);
  // The second one has the shortest time.
  fixture.reassembler.expire(850'001);
  EXPECT_EQUAL(fixture.discarded(Discard::kIsoTimeout), 1u);
  fixture.data(2, kAll, data_frames(counting(10))[0], 900);
  EXPECT_EQUAL(fixture.discarded(Discard::kIsoOrphan), 1u);
  fixture.reassembler.expire(1'250'001);
  EXPECT_EQUAL(fixture.discarded(Discard::kIsoTimeout), 2u);
  fixture.reassembler.expire(1'450'001);
  EXPECT_EQUAL(fixture.discarded(Discard::kIsoTimeout), 3u);
}

CASE("IsoTp keeps a message to all apart from messages to one address") {
  Fixture fixture;
  const auto first = data_frames(counting(20, 10));
  const auto second = data_frames(counting(20, 20));
  const auto third = data_frames(counting(20, 30));
  fixture.control(9, kAll, to_all(20));
  fixture.control(9, 5, request(20));
  fixture.control(5, 9, request(20));
  for (size_t at = 0; at < 3; at++) {
    fixture.data(9, kAll, first[at]);
    fixture.data(9, 5, second[at]);
    fixture.data(5, 9, third[at]);
  }
  EXPECT(fixture.payloads() == (std::vector<Bytes>{counting(20, 10), counting(20, 20), counting(20, 30)}));
}

CASE("IsoTp discards a message at an abort from either side") {
  for (const bool by_receiver : {false, true}) {
    Fixture fixture;
    fixture.control(9, 5, request(20));
    fixture.data(9, 5, data_frames(counting(20))[0]);
    fixture.control(by_receiver ? 5 : 9, by_receiver ? 9 : 5, abortion());
    EXPECT_EQUAL(fixture.discarded(Discard::kIsoAborted), 1u);
    EXPECT_EQUAL(fixture.accounting().discarded, 2u);
    EXPECT_EQUAL(fixture.accounting().control, 1u);
    fixture.data(9, 5, data_frames(counting(20))[1]);
    EXPECT_EQUAL(fixture.discarded(Discard::kIsoOrphan), 1u);
  }
}

CASE("IsoTp ignores an abort, an end or a clear to send of another PGN") {
  Fixture fixture;
  const auto frames = data_frames(counting(10));
  fixture.control(9, 5, request(10));
  fixture.data(9, 5, frames[0]);
  fixture.control(5, 9, abortion(kOtherPgn));
  fixture.control(5, 9, control(19, 10, 0, 2, 255, kOtherPgn));
  fixture.control(5, 9, control(17, 2, 1, 255, 255, kOtherPgn));
  fixture.data(9, 5, frames[1]);
  EXPECT_EQUAL(fixture.packets().size(), 1u);
}

CASE("IsoTp discards an incomplete message that its receiver has ended") {
  Fixture fixture;
  fixture.control(9, 5, request(20));
  fixture.data(9, 5, data_frames(counting(20))[0]);
  fixture.control(5, 9, end_of_message(20));
  EXPECT_EQUAL(fixture.discarded(Discard::kIsoOrder), 1u);
}

CASE("IsoTp discards a message when its sender begins another") {
  Fixture fixture;
  const auto frames = data_frames(counting(20, 40));
  fixture.control(9, kAll, to_all(20));
  fixture.data(9, kAll, data_frames(counting(20))[0]);
  fixture.control(9, kAll, to_all(20));
  for (const Bytes& frame : frames) fixture.data(9, kAll, frame);
  EXPECT(fixture.payloads() == std::vector<Bytes>{counting(20, 40)});
  EXPECT_EQUAL(fixture.discarded(Discard::kIsoRestarted), 1u);
  fixture.control(9, kAll, to_all(20));
  fixture.control(9, kAll, to_all(8));
  EXPECT_EQUAL(fixture.discarded(Discard::kIsoRestarted), 2u);
  EXPECT_EQUAL(fixture.discarded(Discard::kIsoSize), 1u);
  EXPECT_EQUAL(fixture.accounting().open, 0u);
}

CASE("IsoTp discards a message to all with a lost or swapped packet") {
  Fixture fixture;
  const auto frames = data_frames(counting(30));
  fixture.control(9, kAll, to_all(30));
  fixture.data(9, kAll, frames[0]);
  fixture.data(9, kAll, frames[2]);
  EXPECT_EQUAL(fixture.discarded(Discard::kIsoOrder), 1u);
  fixture.data(9, kAll, frames[1]);
  EXPECT_EQUAL(fixture.discarded(Discard::kIsoOrphan), 1u);
  EXPECT_EQUAL(fixture.packets().size(), 0u);
}

CASE("IsoTp ignores an identical repeat and discards the message at one with other bytes") {
  Fixture fixture;
  auto frames = data_frames(counting(20));
  fixture.control(9, kAll, to_all(20));
  fixture.data(9, kAll, frames[0]);
  fixture.data(9, kAll, frames[0]);
  fixture.data(9, kAll, frames[1]);
  fixture.data(9, kAll, frames[2]);
  EXPECT_EQUAL(fixture.packets().size(), 1u);
  EXPECT_EQUAL(fixture.accounting().repeated, 1u);
  fixture.control(9, kAll, to_all(20));
  fixture.data(9, kAll, frames[0]);
  frames[0][3]++;
  fixture.data(9, kAll, frames[0]);
  EXPECT_EQUAL(fixture.discarded(Discard::kIsoOrder), 1u);
}

CASE("IsoTp does not take a shorter packet for a repeat") {
  Fixture fixture;
  Bytes payload = counting(20);
  payload[6] = kPadding;  // as if the byte that is missing below were there
  const auto frames = data_frames(payload);
  fixture.control(9, kAll, to_all(20));
  fixture.data(9, kAll, frames[0]);
  fixture.data(9, kAll, Bytes(frames[0].begin(), frames[0].end() - 1));
  EXPECT_EQUAL(fixture.discarded(Discard::kIsoOrder), 1u);
}

CASE("IsoTp uses a short last packet that holds what is needed, and no other") {
  Fixture fixture;
  fixture.control(9, kAll, to_all(9));
  fixture.data(9, kAll, {1, 1, 2, 3, 4, 5, 6, 7});
  fixture.data(9, kAll, {2, 8, 9});
  EXPECT(fixture.payloads() == std::vector<Bytes>{counting(9, 1)});
  fixture.control(9, kAll, to_all(9));
  fixture.data(9, kAll, {1, 1, 2, 3, 4, 5, 6});
  EXPECT_EQUAL(fixture.discarded(Discard::kIsoSize), 1u);
  fixture.control(9, kAll, to_all(9));
  fixture.data(9, kAll, {});
  EXPECT_EQUAL(fixture.discarded(Discard::kIsoSize), 2u);
  fixture.data(9, kAll, {});
  EXPECT_EQUAL(fixture.discarded(Discard::kIsoOrphan), 1u);
}

CASE("IsoTp joins a message to all with gaps of 750 ms, and not with a longer one") {
  Fixture fixture;
  const auto frames = data_frames(counting(10));
  fixture.control(9, kAll, to_all(10), 0);
  fixture.data(9, kAll, frames[0], 750);
  fixture.data(9, kAll, frames[1], 1500);
  EXPECT_EQUAL(fixture.packets().size(), 1u);
  fixture.control(9, kAll, to_all(10), 2000);
  fixture.data(9, kAll, frames[0], 2750.001);
  EXPECT_EQUAL(fixture.discarded(Discard::kIsoTimeout), 1u);
  EXPECT_EQUAL(fixture.discarded(Discard::kIsoOrphan), 1u);
  fixture.control(9, kAll, to_all(10), 3000);
  fixture.reassembler.expire(3'750'001);
  EXPECT_EQUAL(fixture.discarded(Discard::kIsoTimeout), 2u);
}

CASE("IsoTp holds 64 messages at most and discards the least recently used") {
  Fixture fixture;
  const auto frames = data_frames(counting(10));
  for (unsigned source = 0; source < 64; source++) fixture.control(source, kAll, to_all(10));
  fixture.data(0, kAll, frames[0]);
  fixture.control(64, kAll, to_all(10));
  EXPECT_EQUAL(fixture.discarded(Discard::kIsoEvicted), 1u);
  fixture.data(0, kAll, frames[1]);
  EXPECT_EQUAL(fixture.packets().size(), 1u);
  fixture.data(1, kAll, frames[0]);
  EXPECT_EQUAL(fixture.discarded(Discard::kIsoOrphan), 1u);
}

CASE("IsoTp gives an addressed PGN without the byte of its destination") {
  Fixture fixture;
  fixture.control(9, 5, request(10, 0x1ed05));
  for (const Bytes& frame : data_frames(counting(10))) fixture.data(9, 5, frame);
  EXPECT_EQUAL(fixture.packets()[0].head.pgn, 0x1ed00u);
}

CASE("IsoTp counts control frames that it cannot use") {
  Fixture fixture;
  fixture.control(9, 5, {});
  fixture.control(9, 5, {255, 1});
  fixture.control(9, 5, control(42, 0, 0, 0, 0));
  EXPECT_EQUAL(fixture.accounting().control, 3u);
  EXPECT_EQUAL(fixture.discarded(), 0u);
}

CASE("IsoTp does not continue a message over an interruption, after which the data may be of another") {
  Fixture fixture;
  const auto frames = data_frames(counting(20));
  fixture.control(9, kAll, to_all(20), 0);
  fixture.data(9, kAll, frames[0], 1);
  fixture.reassembler.interrupt();
  fixture.data(9, kAll, frames[1], 300);
  fixture.data(9, kAll, frames[2], 301);
  EXPECT_EQUAL(fixture.discarded(Discard::kIsoOrder), 1u);
  EXPECT_EQUAL(fixture.discarded(Discard::kIsoOrphan), 2u);
  EXPECT(fixture.packets().empty());
}
