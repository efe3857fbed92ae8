#include "bench.h"

using namespace hub;

namespace {

const Bytes kPayload = counting(20);  // three frames: 6, 7 and 7 bytes

void play(Bench& bench, unsigned source, const std::vector<Bytes>& frames, double at_ms = 0) {
  for (const Bytes& frame : frames) bench.fast(source, frame, at_ms);
}

}  // namespace

CASE("FastPackets joins the frames of a packet and stamps it as its last one") {
  Bench bench;
  const auto frames = fast_frames(counting(43, 7), 5);
  double at_ms = 100;
  for (const Bytes& frame : frames) bench.take(id_of(Bench::kFast, 36, 255, 3), frame, at_ms++);
  const auto packets = bench.packets();
  EXPECT_EQUAL(packets.size(), 1u);
  const PacketHead& head = packets[0].head;
  EXPECT(packets[0].payload == counting(43, 7));
  EXPECT_EQUAL(head.pgn, Bench::kFast);
  EXPECT_EQUAL(int(head.source), 36);
  EXPECT_EQUAL(int(head.destination), 255);
  EXPECT_EQUAL(int(head.priority), 3);
  EXPECT(head.transport == Transport::kFast);
  EXPECT_EQUAL(head.monotonic_us, (at_ms - 1) * 1e3);
  EXPECT_EQUAL(head.wall_us, 1.7e15 + (at_ms - 1) * 1e3);
  EXPECT_EQUAL(bench.books().finished, frames.size());
}

CASE("FastPackets takes every length from 1 to 223") {
  Bench bench;
  for (unsigned length = 1; length <= 223; length++) play(bench, 1, fast_frames(counting(length), length % 8));
  const auto payloads = bench.payloads();
  EXPECT_EQUAL(payloads.size(), 223u);
  for (size_t at = 0; at < payloads.size(); at++) EXPECT(payloads[at] == counting(at + 1));
  EXPECT_EQUAL(bench.discarded(), 0u);
}

CASE("FastPackets refuses the lengths 0, 224 and 255") {
  Bench bench;
  for (const unsigned length : {0u, 224u, 255u}) {
    bench.fast(1, {0, static_cast<uint8_t>(length), 1, 2, 3, 4, 5, 6});
    bench.fast(1, {1, 1, 2, 3, 4, 5, 6, 7});
  }
  EXPECT_EQUAL(bench.packets().size(), 0u);
  EXPECT_EQUAL(bench.discarded(Discard::kFastLength), 3u);
  EXPECT_EQUAL(bench.discarded(Discard::kFastOrphan), 3u);
}

CASE("FastPackets lets an impossible length end the packet it would have replaced") {
  Bench bench;
  const auto frames = fast_frames(kPayload, 0);
  bench.fast(1, frames[0]);
  bench.fast(1, {0, 0, 1, 2, 3, 4, 5, 6});
  bench.fast(1, frames[1]);
  EXPECT_EQUAL(bench.discarded(Discard::kFastRestarted), 1u);
  EXPECT_EQUAL(bench.discarded(Discard::kFastLength), 1u);
  EXPECT_EQUAL(bench.discarded(Discard::kFastOrphan), 1u);
  EXPECT_EQUAL(bench.books().open, 0u);
}

CASE("FastPackets keeps sequences of one sender apart") {
  Bench bench;
  const auto first = fast_frames(counting(20, 0), 1);
  const auto second = fast_frames(counting(20, 100), 2);
  for (size_t at = 0; at < first.size(); at++) {
    bench.fast(1, first[at]);
    bench.fast(1, second[at]);
  }
  EXPECT(bench.payloads() == (std::vector<Bytes>{counting(20, 0), counting(20, 100)}));
}

CASE("FastPackets keeps senders, destinations and PGNs apart") {
  Bench bench;
  struct Stream {
    uint32_t id;
    Bytes payload;
  };
  const std::vector<Stream> streams = {
      {id_of(Bench::kFast, 1), counting(20, 10)},
      {id_of(Bench::kFast, 2), counting(20, 20)},
      {id_of(Bench::kFastAddressed, 1, 7), counting(20, 30)},
      {id_of(Bench::kFastAddressed, 1, 8), counting(20, 40)},
  };
  for (size_t at = 0; at < 3; at++) {
    for (const Stream& stream : streams) bench.take(stream.id, fast_frames(stream.payload, 4)[at]);
  }
  const auto packets = bench.packets();
  EXPECT_EQUAL(packets.size(), streams.size());
  for (size_t at = 0; at < packets.size(); at++) EXPECT(packets[at].payload == streams[at].payload);
  EXPECT_EQUAL(packets[2].head.pgn, Bench::kFastAddressed);
  EXPECT_EQUAL(int(packets[2].head.destination), 7);
  EXPECT_EQUAL(int(packets[3].head.destination), 8);
}

CASE("FastPackets gives up a packet whose first frame is lost") {
  Bench bench;
  const auto frames = fast_frames(kPayload, 0);
  bench.fast(1, frames[1]);
  bench.fast(1, frames[2]);
  EXPECT_EQUAL(bench.packets().size(), 0u);
  EXPECT_EQUAL(bench.discarded(Discard::kFastOrphan), 2u);
}

CASE("FastPackets gives up a packet whose middle frame is lost") {
  Bench bench;
  const auto frames = fast_frames(counting(30), 0);
  bench.fast(1, frames[0]);
  bench.fast(1, frames[1]);
  bench.fast(1, frames[3]);
  EXPECT_EQUAL(bench.discarded(Discard::kFastOrder), 1u);
  EXPECT_EQUAL(bench.discarded(), 1u);
  EXPECT_EQUAL(bench.books().discarded, 3u);
  bench.fast(1, frames[4]);
  EXPECT_EQUAL(bench.discarded(Discard::kFastOrphan), 1u);
  EXPECT_EQUAL(bench.packets().size(), 0u);
}

CASE("FastPackets gives up a packet whose last frame is lost when its sequence begins anew") {
  Bench bench;
  const auto frames = fast_frames(kPayload, 3);
  bench.fast(1, frames[0]);
  bench.fast(1, frames[1]);
  play(bench, 1, fast_frames(counting(20, 50), 3), 700);
  EXPECT(bench.payloads() == std::vector<Bytes>{counting(20, 50)});
  EXPECT_EQUAL(bench.discarded(Discard::kFastRestarted), 1u);
  EXPECT_EQUAL(bench.discarded(), 1u);
}

CASE("FastPackets gives up a packet whose frames are swapped") {
  Bench bench;
  const auto frames = fast_frames(kPayload, 0);
  bench.fast(1, frames[0]);
  bench.fast(1, frames[2]);
  bench.fast(1, frames[1]);
  EXPECT_EQUAL(bench.packets().size(), 0u);
  EXPECT_EQUAL(bench.discarded(Discard::kFastOrder), 1u);
  EXPECT_EQUAL(bench.discarded(Discard::kFastOrphan), 1u);
}

CASE("FastPackets ignores an identical repeat of the first and of a following frame") {
  Bench bench;
  const auto frames = fast_frames(kPayload, 0);
  for (const size_t at : {0, 0, 1, 1, 1, 2}) bench.fast(1, frames[at]);
  EXPECT(bench.payloads() == std::vector<Bytes>{kPayload});
  EXPECT_EQUAL(bench.discarded(), 0u);
  EXPECT_EQUAL(bench.books().repeated, 3u);
}

CASE("FastPackets takes a repeat with other bytes for what it is") {
  Bench bench;
  const auto frames = fast_frames(kPayload, 0);
  Bytes other = frames[1];
  other[7]++;
  bench.fast(1, frames[0]);
  bench.fast(1, frames[1]);
  bench.fast(1, other);
  EXPECT_EQUAL(bench.discarded(Discard::kFastOrder), 1u);
  other = frames[0];
  other[7]++;
  bench.fast(1, frames[0]);
  bench.fast(1, other);
  EXPECT_EQUAL(bench.discarded(Discard::kFastRestarted), 1u);
  EXPECT_EQUAL(bench.packets().size(), 0u);
}

CASE("FastPackets joins a packet with gaps of 750 ms, and none with a longer one") {
  Bench bench;
  const auto frames = fast_frames(kPayload, 0);
  for (size_t at = 0; at < 3; at++) bench.fast(1, frames[at], 750.0 * static_cast<double>(at));
  EXPECT_EQUAL(bench.packets().size(), 1u);
  for (size_t at = 0; at < 3; at++) bench.fast(1, frames[at], 10000 + 750.001 * static_cast<double>(at));
  EXPECT_EQUAL(bench.packets().size(), 0u);
  EXPECT_EQUAL(bench.discarded(Discard::kFastTimeout), 1u);
  EXPECT_EQUAL(bench.discarded(Discard::kFastOrphan), 2u);
}

CASE("FastPackets does not let repeats of a following frame keep a packet open") {
  Bench bench;
  const auto frames = fast_frames(kPayload, 0);
  bench.fast(1, frames[0], 0);
  bench.fast(1, frames[1], 100);
  bench.fast(1, frames[1], 800);
  bench.fast(1, frames[2], 900);
  EXPECT_EQUAL(bench.packets().size(), 0u);
  EXPECT_EQUAL(bench.discarded(Discard::kFastTimeout), 1u);
}

CASE("FastPackets begins its clock anew with a repeat of the first frame") {
  Bench bench;
  const auto frames = fast_frames(kPayload, 0);
  bench.fast(1, frames[0], 0);
  bench.fast(1, frames[0], 700);
  bench.fast(1, frames[1], 1400);
  bench.fast(1, frames[2], 1401);
  EXPECT_EQUAL(bench.packets().size(), 1u);
}

CASE("FastPackets expires silent packets when asked, the others stay") {
  Bench bench;
  const auto frames = fast_frames(kPayload, 0);
  bench.fast(1, frames[0], 0);
  bench.fast(2, frames[0], 10);
  bench.fast(3, frames[0], 20);
  bench.fast(1, frames[1], 500);
  bench.reassembly.expire(750'000);
  EXPECT_EQUAL(bench.discarded(), 0u);
  bench.reassembly.expire(760'001);
  EXPECT_EQUAL(bench.discarded(Discard::kFastTimeout), 1u);
  bench.reassembly.expire(771'000);
  EXPECT_EQUAL(bench.discarded(Discard::kFastTimeout), 2u);
  bench.fast(1, frames[2], 1250);
  EXPECT_EQUAL(bench.packets().size(), 1u);
  EXPECT_EQUAL(bench.books().open, 0u);
}

CASE("FastPackets never glues a stale tail when the sequence counter has come round") {
  Bench bench;
  const auto old = fast_frames(counting(20, 0), 0);
  bench.fast(1, old[0]);
  bench.fast(1, old[1]);
  // The other seven pass by, then the counter is back; its first two frames are lost.
  for (unsigned sequence = 1; sequence < 8; sequence++) play(bench, 1, fast_frames(counting(20, sequence), sequence));
  EXPECT_EQUAL(bench.discarded(Discard::kFastStale), 1u);
  bench.fast(1, fast_frames(counting(20, 90), 0)[2]);
  EXPECT_EQUAL(bench.payloads().size(), 7u);
  EXPECT_EQUAL(bench.discarded(Discard::kFastOrphan), 1u);
}

CASE("FastPackets keeps a packet while one other sequence counter has not begun, and after a frame of its own") {
  Bench bench;
  const auto slow = fast_frames(counting(20, 0), 0);
  bench.fast(1, slow[0]);
  for (unsigned sequence = 1; sequence < 7; sequence++) play(bench, 1, fast_frames(counting(20, sequence), sequence));
  bench.fast(1, slow[1]);
  play(bench, 1, fast_frames(counting(20, 7), 7));
  bench.fast(1, slow[2]);
  EXPECT_EQUAL(bench.payloads().size(), 8u);
  EXPECT_EQUAL(bench.discarded(), 0u);
}

CASE("FastPackets counts any first frame of the sender as a beginning, and none of other senders") {
  Bench bench;
  bench.fast(1, fast_frames(kPayload, 0)[0]);
  for (unsigned sequence = 1; sequence < 8; sequence++) bench.fast(2, fast_frames(counting(3), sequence)[0]);
  EXPECT_EQUAL(bench.discarded(), 0u);
  for (unsigned sequence = 1; sequence < 7; sequence++) bench.fast(1, fast_frames(counting(3), sequence)[0]);
  EXPECT_EQUAL(bench.discarded(), 0u);
  bench.fast(1, {7 << 5, 0, 0, 0, 0, 0, 0, 0});
  EXPECT_EQUAL(bench.discarded(Discard::kFastStale), 1u);
}

CASE("FastPackets holds 512 packets at most, the one silent for longest goes") {
  Bench bench;
  const auto frames = fast_frames(kPayload, 0);
  const auto id = [](unsigned number) { return id_of(Bench::kFastAddressed, number % 200, number / 200); };
  for (unsigned number = 0; number < 512; number++) bench.take(id(number), frames[0]);
  EXPECT_EQUAL(bench.discarded(), 0u);
  bench.take(id(0), frames[1]);
  bench.take(id(512), frames[0]);  // makes 1 go
  EXPECT_EQUAL(bench.discarded(Discard::kFastEvicted), 1u);
  bench.take(id(0), frames[2]);
  EXPECT_EQUAL(bench.packets().size(), 1u);
  bench.take(id(1), frames[1]);
  EXPECT_EQUAL(bench.discarded(Discard::kFastOrphan), 1u);
  for (unsigned number = 2; number <= 512; number++) {
    bench.take(id(number), frames[1]);
    bench.take(id(number), frames[2]);
  }
  EXPECT_EQUAL(bench.packets().size(), 511u);
  EXPECT_EQUAL(bench.books().open, 0u);
}

CASE("FastPackets evicts even the only slot of the stream that needs one") {
  Bench bench;
  const auto frames = fast_frames(kPayload, 0);
  bench.take(id_of(Bench::kFastAddressed, 1, 1), frames[0]);
  for (unsigned number = 1; number < 512; number++) {
    bench.take(id_of(Bench::kFastAddressed, number % 200, 2 + number / 200), frames[0]);
  }
  for (const Bytes& frame : fast_frames(counting(20, 60), 1)) bench.take(id_of(Bench::kFastAddressed, 1, 1), frame);
  EXPECT(bench.payloads() == std::vector<Bytes>{counting(20, 60)});
  EXPECT_EQUAL(bench.discarded(Discard::kFastEvicted), 1u);
}

CASE("FastPackets uses short frames that hold the bytes that are needed, and no others") {
  Bench bench;
  bench.fast(1, {0, 3, 1, 2, 3});  // whole in five bytes
  EXPECT(bench.payloads() == (std::vector<Bytes>{{1, 2, 3}}));
  bench.fast(1, {0, 3, 1, 2});  // a byte is missing
  EXPECT_EQUAL(bench.discarded(Discard::kFastLength), 1u);
  bench.fast(1, {0, 8, 1, 2, 3, 4, 5, 6});
  bench.fast(1, {1, 7, 8});  // the last two of eight
  EXPECT(bench.payloads() == std::vector<Bytes>{counting(8, 1)});
  bench.fast(1, {0, 8, 1, 2, 3, 4, 5, 6});
  bench.fast(1, {1, 7});
  EXPECT_EQUAL(bench.discarded(Discard::kFastLength), 2u);
  bench.fast(1, {0, 20, 1, 2, 3, 4, 5});  // a first frame of many must be full
  EXPECT_EQUAL(bench.discarded(Discard::kFastLength), 3u);
  bench.fast(1, {0});
  bench.fast(1, {});
  EXPECT_EQUAL(bench.discarded(Discard::kFastLength), 5u);
  EXPECT_EQUAL(bench.packets().size(), 0u);
  EXPECT_EQUAL(bench.books().open, 0u);
}

CASE("FastPackets does not take a shorter frame for a repeat") {
  Bench bench;
  Bytes payload = kPayload;
  payload[5] = payload[12] = kPadding;  // as if the bytes that are missing below were there
  const auto frames = fast_frames(payload, 0);
  const auto shorter = [](const Bytes& frame) { return Bytes(frame.begin(), frame.end() - 1); };
  bench.fast(1, frames[0]);
  bench.fast(1, frames[1]);
  bench.fast(1, shorter(frames[1]));
  EXPECT_EQUAL(bench.discarded(Discard::kFastOrder), 1u);
  bench.fast(1, frames[0]);
  bench.fast(1, shorter(frames[0]));
  EXPECT_EQUAL(bench.discarded(Discard::kFastRestarted), 1u);
  EXPECT_EQUAL(bench.discarded(Discard::kFastLength), 1u);
}

CASE("FastPackets with a guard joins packets of exactly that length") {
  Bench bench;
  for (const Bytes& frame : fast_frames(counting(15), 2)) bench.take(id_of(Bench::kGuarded, 1), frame);
  const auto packets = bench.packets();
  EXPECT_EQUAL(packets.size(), 1u);
  EXPECT(packets[0].payload == counting(15));
  EXPECT(packets[0].head.transport == Transport::kFast);
}

CASE("FastPackets with a guard leaves every other frame as a single one") {
  Bench bench;
  const std::vector<Bytes> others = {
      {0x20, 14, 2, 3, 4, 5, 6, 7},  // announces another length
      {0x20, 15, 2, 3, 4, 5, 6},     // announces it in a short frame
      {0x21, 15, 2, 3, 4, 5, 6, 7},  // continues nothing
      {0x20},
      {},
  };
  for (const Bytes& frame : others) bench.take(id_of(Bench::kGuarded, 1), frame);
  const auto packets = bench.packets();
  EXPECT_EQUAL(packets.size(), others.size());
  for (size_t at = 0; at < packets.size(); at++) {
    EXPECT(packets[at].payload == others[at]);
    EXPECT(packets[at].head.transport == Transport::kSingle);
  }
  EXPECT_EQUAL(bench.discarded(), 0u);
}

CASE("FastPackets with a guard lets single frames pass between the frames of a packet") {
  Bench bench;
  const auto frames = fast_frames(counting(15), 2);
  bench.take(id_of(Bench::kGuarded, 1), frames[0]);
  bench.take(id_of(Bench::kGuarded, 1), {0x42, 15, 2, 3, 4, 5, 6, 7});  // of the same sequence, out of order
  bench.take(id_of(Bench::kGuarded, 1), {0x61, 15, 2, 3, 4, 5, 6, 7});  // of another
  bench.take(id_of(Bench::kGuarded, 1), frames[1]);
  bench.take(id_of(Bench::kGuarded, 1), frames[2]);
  const auto packets = bench.packets();
  EXPECT_EQUAL(packets.size(), 3u);
  EXPECT(packets[0].head.transport == Transport::kSingle);
  EXPECT(packets[1].head.transport == Transport::kSingle);
  EXPECT(packets[2].payload == counting(15));
  EXPECT_EQUAL(bench.discarded(), 0u);
}
