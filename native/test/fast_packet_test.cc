#include "fixture.h"

using namespace hub;

namespace {

const Bytes kPayload = counting(20);  // three frames: 6, 7 and 7 bytes

void play(Fixture& fixture, unsigned source, const std::vector<Bytes>& frames, double at_ms = 0) {
  for (const Bytes& frame : frames) fixture.fast(source, frame, at_ms);
}

}  // namespace

CASE("FastPackets joins the frames of a packet and stamps it as its last one") {
  Fixture fixture;
  const auto frames = fast_frames(counting(43, 7), 5);
  double at_ms = 100;
  for (const Bytes& frame : frames) fixture.push(id_of(Fixture::kFast, 36, 255, 3), frame, at_ms++);
  const auto packets = fixture.packets();
  EXPECT_EQUAL(packets.size(), 1u);
  const PacketHead& head = packets[0].head;
  EXPECT(packets[0].payload == counting(43, 7));
  EXPECT_EQUAL(head.pgn, Fixture::kFast);
  EXPECT_EQUAL(int(head.source), 36);
  EXPECT_EQUAL(int(head.destination), 255);
  EXPECT_EQUAL(int(head.priority), 3);
  EXPECT(head.transport == Transport::kFast);
  EXPECT_EQUAL(head.monotonic_us, (at_ms - 1) * 1e3);
  EXPECT_EQUAL(head.wall_us, 1.7e15 + (at_ms - 1) * 1e3);
  EXPECT_EQUAL(fixture.accounting().finished, frames.size());
}

CASE("FastPackets takes every length from 1 to 223") {
  Fixture fixture;
  for (unsigned length = 1; length <= 223; length++) play(fixture, 1, fast_frames(counting(length), length % 8));
  const auto payloads = fixture.payloads();
  EXPECT_EQUAL(payloads.size(), 223u);
  for (size_t at = 0; at < payloads.size(); at++) EXPECT(payloads[at] == counting(at + 1));
  EXPECT_EQUAL(fixture.discarded(), 0u);
}

CASE("FastPackets refuses the lengths 0, 224 and 255") {
  Fixture fixture;
  for (const unsigned length : {0u, 224u, 255u}) {
    fixture.fast(1, {0, static_cast<uint8_t>(length), 1, 2, 3, 4, 5, 6});
    fixture.fast(1, {1, 1, 2, 3, 4, 5, 6, 7});
  }
  EXPECT_EQUAL(fixture.packets().size(), 0u);
  EXPECT_EQUAL(fixture.discarded(Discard::kFastLength), 3u);
  EXPECT_EQUAL(fixture.discarded(Discard::kFastOrphan), 3u);
}

CASE("FastPackets discards a packet when an impossible length begins in its place") {
  Fixture fixture;
  const auto frames = fast_frames(kPayload, 0);
  fixture.fast(1, frames[0]);
  fixture.fast(1, {0, 0, 1, 2, 3, 4, 5, 6});
  fixture.fast(1, frames[1]);
  EXPECT_EQUAL(fixture.discarded(Discard::kFastRestarted), 1u);
  EXPECT_EQUAL(fixture.discarded(Discard::kFastLength), 1u);
  EXPECT_EQUAL(fixture.discarded(Discard::kFastOrphan), 1u);
  EXPECT_EQUAL(fixture.accounting().open, 0u);
}

CASE("FastPackets keeps sequences of one sender apart") {
  Fixture fixture;
  const auto first = fast_frames(counting(20, 0), 1);
  const auto second = fast_frames(counting(20, 100), 2);
  for (size_t at = 0; at < first.size(); at++) {
    fixture.fast(1, first[at]);
    fixture.fast(1, second[at]);
  }
  EXPECT(fixture.payloads() == (std::vector<Bytes>{counting(20, 0), counting(20, 100)}));
}

CASE("FastPackets keeps senders, destinations and PGNs apart") {
  Fixture fixture;
  struct Stream {
    uint32_t id;
    Bytes payload;
  };
  const std::vector<Stream> streams = {
      {id_of(Fixture::kFast, 1), counting(20, 10)},
      {id_of(Fixture::kFast, 2), counting(20, 20)},
      {id_of(Fixture::kFastAddressed, 1, 7), counting(20, 30)},
      {id_of(Fixture::kFastAddressed, 1, 8), counting(20, 40)},
  };
  for (size_t at = 0; at < 3; at++) {
    for (const Stream& stream : streams) fixture.push(stream.id, fast_frames(stream.payload, 4)[at]);
  }
  const auto packets = fixture.packets();
  EXPECT_EQUAL(packets.size(), streams.size());
  for (size_t at = 0; at < packets.size(); at++) EXPECT(packets[at].payload == streams[at].payload);
  EXPECT_EQUAL(packets[2].head.pgn, Fixture::kFastAddressed);
  EXPECT_EQUAL(int(packets[2].head.destination), 7);
  EXPECT_EQUAL(int(packets[3].head.destination), 8);
}

CASE("FastPackets discards a packet whose first frame is lost") {
  Fixture fixture;
  const auto frames = fast_frames(kPayload, 0);
  fixture.fast(1, frames[1]);
  fixture.fast(1, frames[2]);
  EXPECT_EQUAL(fixture.packets().size(), 0u);
  EXPECT_EQUAL(fixture.discarded(Discard::kFastOrphan), 2u);
}

CASE("FastPackets discards a packet whose middle frame is lost") {
  Fixture fixture;
  const auto frames = fast_frames(counting(30), 0);
  fixture.fast(1, frames[0]);
  fixture.fast(1, frames[1]);
  fixture.fast(1, frames[3]);
  EXPECT_EQUAL(fixture.discarded(Discard::kFastOrder), 1u);
  EXPECT_EQUAL(fixture.discarded(), 1u);
  EXPECT_EQUAL(fixture.accounting().discarded, 3u);
  fixture.fast(1, frames[4]);
  EXPECT_EQUAL(fixture.discarded(Discard::kFastOrphan), 1u);
  EXPECT_EQUAL(fixture.packets().size(), 0u);
}

CASE("FastPackets discards a packet whose last frame is lost when its sequence begins anew") {
  Fixture fixture;
  const auto frames = fast_frames(kPayload, 3);
  fixture.fast(1, frames[0]);
  fixture.fast(1, frames[1]);
  play(fixture, 1, fast_frames(counting(20, 50), 3), 700);
  EXPECT(fixture.payloads() == std::vector<Bytes>{counting(20, 50)});
  EXPECT_EQUAL(fixture.discarded(Discard::kFastRestarted), 1u);
  EXPECT_EQUAL(fixture.discarded(), 1u);
}

CASE("FastPackets discards a packet whose frames are swapped") {
  Fixture fixture;
  const auto frames = fast_frames(kPayload, 0);
  fixture.fast(1, frames[0]);
  fixture.fast(1, frames[2]);
  fixture.fast(1, frames[1]);
  EXPECT_EQUAL(fixture.packets().size(), 0u);
  EXPECT_EQUAL(fixture.discarded(Discard::kFastOrder), 1u);
  EXPECT_EQUAL(fixture.discarded(Discard::kFastOrphan), 1u);
}

CASE("FastPackets ignores an identical repeat of the first and of a following frame") {
  Fixture fixture;
  const auto frames = fast_frames(kPayload, 0);
  for (const size_t at : {0, 0, 1, 1, 1, 2}) fixture.fast(1, frames[at]);
  EXPECT(fixture.payloads() == std::vector<Bytes>{kPayload});
  EXPECT_EQUAL(fixture.discarded(), 0u);
  EXPECT_EQUAL(fixture.accounting().repeated, 3u);
}

CASE("FastPackets does not take a frame with other bytes for a repeat") {
  Fixture fixture;
  const auto frames = fast_frames(kPayload, 0);
  Bytes other = frames[1];
  other[7]++;
  fixture.fast(1, frames[0]);
  fixture.fast(1, frames[1]);
  fixture.fast(1, other);
  EXPECT_EQUAL(fixture.discarded(Discard::kFastOrder), 1u);
  other = frames[0];
  other[7]++;
  fixture.fast(1, frames[0]);
  fixture.fast(1, other);
  EXPECT_EQUAL(fixture.discarded(Discard::kFastRestarted), 1u);
  EXPECT_EQUAL(fixture.packets().size(), 0u);
}

CASE("FastPackets joins a packet with gaps of 750 ms, and none with a longer one") {
  Fixture fixture;
  const auto frames = fast_frames(kPayload, 0);
  for (size_t at = 0; at < 3; at++) {
    const double at_ms = 750.0 * static_cast<double>(at);
    fixture.traffic(at_ms - 750, at_ms);
    fixture.fast(1, frames[at], at_ms);
  }
  EXPECT_EQUAL(fixture.packets().size(), 1u);
  for (size_t at = 0; at < 3; at++) {
    const double at_ms = 10000 + 750.001 * static_cast<double>(at);
    fixture.traffic(at_ms - 750.001, at_ms);
    fixture.fast(1, frames[at], at_ms);
  }
  EXPECT_EQUAL(fixture.packets().size(), 0u);
  EXPECT_EQUAL(fixture.discarded(Discard::kFastTimeout), 1u);
  EXPECT_EQUAL(fixture.discarded(Discard::kFastOrphan), 2u);
}

CASE("FastPackets joins packets across a pause of the whole bus") {
  Fixture fixture;
  const auto first = fast_frames(kPayload, 0);
  const auto second = fast_frames(counting(20, 60), 3);
  fixture.fast(1, first[0], 0);
  fixture.fast(2, second[0], 1);
  fixture.fast(2, second[1], 2);
  fixture.traffic(0, 400);
  // 400 ms of traffic, 1.2 s of silence, 100 ms of traffic.
  fixture.traffic(1550, 1650);
  fixture.fast(1, first[1], 1650);
  fixture.fast(2, second[2], 1651);
  fixture.fast(1, first[2], 1652);
  EXPECT(fixture.payloads() == (std::vector<Bytes>{counting(20, 60), kPayload}));
  EXPECT_EQUAL(fixture.discarded(), 0u);
}

CASE("FastPackets counts a quarter of a second of each pause of the whole bus") {
  Fixture fixture;
  const auto frames = fast_frames(kPayload, 0);
  fixture.fast(1, frames[0], 0);
  fixture.control(98, 99, {}, 5000);
  fixture.control(98, 99, {}, 10000);
  fixture.fast(1, frames[1], 19999);
  fixture.control(98, 99, {}, 25000);
  fixture.control(98, 99, {}, 30000);
  fixture.control(98, 99, {}, 35000);
  EXPECT_EQUAL(fixture.discarded(), 0u);
  fixture.control(98, 99, {}, 35001);
  EXPECT_EQUAL(fixture.discarded(Discard::kFastTimeout), 1u);
}

CASE("FastPackets counts all of a pause that is an outage") {
  Fixture fixture;
  const auto frames = fast_frames(kPayload, 0);
  fixture.fast(1, frames[0], 0);
  fixture.fast(1, frames[1], 10000);
  EXPECT_EQUAL(fixture.discarded(Discard::kFastTimeout), 1u);
}

CASE("FastPackets does not continue a packet over an interruption, after which all counters may have come round") {
  Fixture fixture;
  const auto cut = fast_frames(counting(20), 3);
  const auto later = fast_frames(counting(20, 100), 3);
  fixture.fast(1, cut[0], 0);
  fixture.fast(1, cut[1], 1);
  fixture.reassembler.interrupt();
  fixture.fast(1, later[2], 300);
  EXPECT_EQUAL(fixture.discarded(Discard::kFastStale), 1u);
  EXPECT_EQUAL(fixture.discarded(Discard::kFastOrphan), 1u);
  // The same first frame as before the interruption begins a packet that goes on.
  fixture.fast(1, cut[0], 400);
  fixture.reassembler.interrupt();
  for (const Bytes& frame : cut) fixture.fast(1, frame, 500);
  EXPECT(fixture.payloads() == std::vector<Bytes>{counting(20)});
}

CASE("FastPackets does not let repeats of a following frame keep a packet open") {
  Fixture fixture;
  const auto frames = fast_frames(kPayload, 0);
  fixture.fast(1, frames[0], 0);
  fixture.fast(1, frames[1], 100);
  fixture.traffic(100, 800);
  fixture.fast(1, frames[1], 800);
  fixture.traffic(800, 900);
  fixture.fast(1, frames[2], 900);
  EXPECT_EQUAL(fixture.packets().size(), 0u);
  EXPECT_EQUAL(fixture.discarded(Discard::kFastTimeout), 1u);
}

CASE("FastPackets starts its time-out again with a repeat of the first frame") {
  Fixture fixture;
  const auto frames = fast_frames(kPayload, 0);
  fixture.fast(1, frames[0], 0);
  fixture.traffic(0, 700);
  fixture.fast(1, frames[0], 700);
  fixture.traffic(700, 1400);
  fixture.fast(1, frames[1], 1400);
  fixture.fast(1, frames[2], 1401);
  EXPECT_EQUAL(fixture.packets().size(), 1u);
}

CASE("FastPackets expires packets whose time-out has passed, and no others") {
  Fixture fixture;
  const auto frames = fast_frames(kPayload, 0);
  fixture.fast(1, frames[0], 0);
  fixture.fast(2, frames[0], 10);
  fixture.fast(3, frames[0], 20);
  fixture.traffic(20, 500);
  fixture.fast(1, frames[1], 500);
  fixture.traffic(500, 750);
  fixture.reassembler.expire(750'000);
  EXPECT_EQUAL(fixture.discarded(), 0u);
  fixture.reassembler.expire(760'001);
  EXPECT_EQUAL(fixture.discarded(Discard::kFastTimeout), 1u);
  fixture.reassembler.expire(771'000);
  EXPECT_EQUAL(fixture.discarded(Discard::kFastTimeout), 2u);
  fixture.fast(1, frames[2], 1250);
  EXPECT_EQUAL(fixture.packets().size(), 1u);
  EXPECT_EQUAL(fixture.accounting().open, 0u);
}

CASE("FastPackets expires packets of a silent bus only after an outage") {
  Fixture fixture;
  fixture.fast(1, fast_frames(kPayload, 0)[0], 5000);
  fixture.reassembler.expire(14'999'999);
  EXPECT_EQUAL(fixture.discarded(), 0u);
  fixture.reassembler.expire(15'000'000);
  EXPECT_EQUAL(fixture.discarded(Discard::kFastTimeout), 1u);
}

CASE("FastPackets never glues a stale tail when the sequence counter has come round") {
  Fixture fixture;
  const auto old = fast_frames(counting(20, 0), 0);
  fixture.fast(1, old[0]);
  fixture.fast(1, old[1]);
  // The other seven counters, then the same one again, with its first two frames lost.
  for (unsigned sequence = 1; sequence < 8; sequence++) play(fixture, 1, fast_frames(counting(20, sequence), sequence));
  EXPECT_EQUAL(fixture.discarded(Discard::kFastStale), 1u);
  fixture.fast(1, fast_frames(counting(20, 90), 0)[2]);
  EXPECT_EQUAL(fixture.payloads().size(), 7u);
  EXPECT_EQUAL(fixture.discarded(Discard::kFastOrphan), 1u);
}

CASE("FastPackets keeps a packet while one other sequence counter has not begun, and after a frame of its own") {
  Fixture fixture;
  const auto slow = fast_frames(counting(20, 0), 0);
  fixture.fast(1, slow[0]);
  for (unsigned sequence = 1; sequence < 7; sequence++) play(fixture, 1, fast_frames(counting(20, sequence), sequence));
  fixture.fast(1, slow[1]);
  play(fixture, 1, fast_frames(counting(20, 7), 7));
  fixture.fast(1, slow[2]);
  EXPECT_EQUAL(fixture.payloads().size(), 8u);
  EXPECT_EQUAL(fixture.discarded(), 0u);
}

CASE("FastPackets counts any first frame of the sender as a beginning, and none of other senders") {
  Fixture fixture;
  fixture.fast(1, fast_frames(kPayload, 0)[0]);
  for (unsigned sequence = 1; sequence < 8; sequence++) fixture.fast(2, fast_frames(counting(3), sequence)[0]);
  EXPECT_EQUAL(fixture.discarded(), 0u);
  for (unsigned sequence = 1; sequence < 7; sequence++) fixture.fast(1, fast_frames(counting(3), sequence)[0]);
  EXPECT_EQUAL(fixture.discarded(), 0u);
  fixture.fast(1, {7 << 5, 0, 0, 0, 0, 0, 0, 0});
  EXPECT_EQUAL(fixture.discarded(Discard::kFastStale), 1u);
}

CASE("FastPackets holds 512 packets at most and discards the least recently used") {
  Fixture fixture;
  const auto frames = fast_frames(kPayload, 0);
  const auto id = [](unsigned number) { return id_of(Fixture::kFastAddressed, number % 200, number / 200); };
  for (unsigned number = 0; number < 512; number++) fixture.push(id(number), frames[0]);
  EXPECT_EQUAL(fixture.discarded(), 0u);
  fixture.push(id(0), frames[1]);
  fixture.push(id(512), frames[0]);  // discards 1
  EXPECT_EQUAL(fixture.discarded(Discard::kFastEvicted), 1u);
  fixture.push(id(0), frames[2]);
  EXPECT_EQUAL(fixture.packets().size(), 1u);
  fixture.push(id(1), frames[1]);
  EXPECT_EQUAL(fixture.discarded(Discard::kFastOrphan), 1u);
  for (unsigned number = 2; number <= 512; number++) {
    fixture.push(id(number), frames[1]);
    fixture.push(id(number), frames[2]);
  }
  EXPECT_EQUAL(fixture.packets().size(), 511u);
  EXPECT_EQUAL(fixture.accounting().open, 0u);
}

CASE("FastPackets evicts even the only slot of the stream that needs one") {
  Fixture fixture;
  const auto frames = fast_frames(kPayload, 0);
  fixture.push(id_of(Fixture::kFastAddressed, 1, 1), frames[0]);
  for (unsigned number = 1; number < 512; number++) {
    fixture.push(id_of(Fixture::kFastAddressed, number % 200, 2 + number / 200), frames[0]);
  }
  for (const Bytes& frame : fast_frames(counting(20, 60), 1)) fixture.push(id_of(Fixture::kFastAddressed, 1, 1), frame);
  EXPECT(fixture.payloads() == std::vector<Bytes>{counting(20, 60)});
  EXPECT_EQUAL(fixture.discarded(Discard::kFastEvicted), 1u);
}

CASE("FastPackets uses short frames that hold the bytes that are needed, and no others") {
  Fixture fixture;
  fixture.fast(1, {0, 3, 1, 2, 3});  // complete in five bytes
  EXPECT(fixture.payloads() == (std::vector<Bytes>{{1, 2, 3}}));
  fixture.fast(1, {0, 3, 1, 2});  // a byte is missing
  EXPECT_EQUAL(fixture.discarded(Discard::kFastLength), 1u);
  fixture.fast(1, {0, 8, 1, 2, 3, 4, 5, 6});
  fixture.fast(1, {1, 7, 8});  // the last two of eight
  EXPECT(fixture.payloads() == std::vector<Bytes>{counting(8, 1)});
  fixture.fast(1, {0, 8, 1, 2, 3, 4, 5, 6});
  fixture.fast(1, {1, 7});
  EXPECT_EQUAL(fixture.discarded(Discard::kFastLength), 2u);
  fixture.fast(1, {0, 20, 1, 2, 3, 4, 5});  // a first frame of many must be full
  EXPECT_EQUAL(fixture.discarded(Discard::kFastLength), 3u);
  fixture.fast(1, {0});
  fixture.fast(1, {});
  EXPECT_EQUAL(fixture.discarded(Discard::kFastLength), 5u);
  EXPECT_EQUAL(fixture.packets().size(), 0u);
  EXPECT_EQUAL(fixture.accounting().open, 0u);
}

CASE("FastPackets does not take a shorter frame for a repeat") {
  Fixture fixture;
  Bytes payload = kPayload;
  payload[5] = payload[12] = kPadding;  // as if the bytes that are missing below were there
  const auto frames = fast_frames(payload, 0);
  const auto shorter = [](const Bytes& frame) { return Bytes(frame.begin(), frame.end() - 1); };
  fixture.fast(1, frames[0]);
  fixture.fast(1, frames[1]);
  fixture.fast(1, shorter(frames[1]));
  EXPECT_EQUAL(fixture.discarded(Discard::kFastOrder), 1u);
  fixture.fast(1, frames[0]);
  fixture.fast(1, shorter(frames[0]));
  EXPECT_EQUAL(fixture.discarded(Discard::kFastRestarted), 1u);
  EXPECT_EQUAL(fixture.discarded(Discard::kFastLength), 1u);
}

CASE("FastPackets with an expected length joins packets of exactly that length") {
  Fixture fixture;
  for (const Bytes& frame : fast_frames(counting(15), 2)) fixture.push(id_of(Fixture::kFixedLength, 1), frame);
  const auto packets = fixture.packets();
  EXPECT_EQUAL(packets.size(), 1u);
  EXPECT(packets[0].payload == counting(15));
  EXPECT(packets[0].head.transport == Transport::kFast);
}

CASE("FastPackets with an expected length leaves every other frame as a single one") {
  Fixture fixture;
  const std::vector<Bytes> others = {
      {0x20, 14, 2, 3, 4, 5, 6, 7},  // announces another length
      {0x20, 15, 2, 3, 4, 5, 6},     // announces it in a short frame
      {0x21, 15, 2, 3, 4, 5, 6, 7},  // continues nothing
      {0x20},
      {},
  };
  for (const Bytes& frame : others) fixture.push(id_of(Fixture::kFixedLength, 1), frame);
  const auto packets = fixture.packets();
  EXPECT_EQUAL(packets.size(), others.size());
  for (size_t at = 0; at < packets.size(); at++) {
    EXPECT(packets[at].payload == others[at]);
    EXPECT(packets[at].head.transport == Transport::kSingle);
  }
  EXPECT_EQUAL(fixture.discarded(), 0u);
}

CASE("FastPackets with an expected length lets single frames pass between the frames of a packet") {
  Fixture fixture;
  const auto frames = fast_frames(counting(15), 2);
  fixture.push(id_of(Fixture::kFixedLength, 1), frames[0]);
  fixture.push(id_of(Fixture::kFixedLength, 1), {0x42, 15, 2, 3, 4, 5, 6, 7});  // of the same sequence, out of order
  fixture.push(id_of(Fixture::kFixedLength, 1), {0x61, 15, 2, 3, 4, 5, 6, 7});  // of another
  fixture.push(id_of(Fixture::kFixedLength, 1), frames[1]);
  fixture.push(id_of(Fixture::kFixedLength, 1), frames[2]);
  const auto packets = fixture.packets();
  EXPECT_EQUAL(packets.size(), 3u);
  EXPECT(packets[0].head.transport == Transport::kSingle);
  EXPECT(packets[1].head.transport == Transport::kSingle);
  EXPECT(packets[2].payload == counting(15));
  EXPECT_EQUAL(fixture.discarded(), 0u);
}

CASE("FastPackets tells with each packet how many its source has begun and not finished") {
  Fixture fixture;
  const auto frames = fast_frames(kPayload, 0);
  fixture.fast(7, frames[0]);
  fixture.fast(7, frames[2]);  // one is missing
  fixture.fast(7, frames[1]);  // continues nothing, and is not counted
  play(fixture, 7, fast_frames(kPayload, 1));
  play(fixture, 8, fast_frames(kPayload, 1));
  fixture.push(id_of(Fixture::kSingle, 7), counting(8));
  const auto packets = fixture.packets();
  EXPECT_EQUAL(packets.size(), 3u);
  EXPECT_EQUAL(packets[0].head.incomplete, 1u);
  EXPECT_EQUAL(packets[1].head.incomplete, 0u);
  EXPECT_EQUAL(packets[2].head.incomplete, 1u);
}
