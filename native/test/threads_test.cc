// What is true with two threads; most telling under ThreadSanitizer.
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "../bus_reader.h"
#include "../frame_tap.h"
#include "../shared_reassembly.h"
#include "bench.h"

using namespace hub;

CASE("SharedReassembly hands every packet of one thread to the other, in order") {
  SharedReassembly shared(64 << 10);
  constexpr unsigned kBursts = 2000;
  constexpr unsigned kBurst = 16;
  std::thread reader([&] {
    for (unsigned burst = 0; burst < kBursts; burst++) {
      FrameRecord frames[kBurst];
      for (unsigned at = 0; at < kBurst; at++) {
        frames[at] = frame_of(id_of(Bench::kSingle, 1), Bytes(8), 0);
        const uint64_t number = burst * kBurst + at;
        std::memcpy(frames[at].data, &number, sizeof number);
      }
      shared.take(frames, kBurst, 1);
      if (burst % 100 == 0) shared.expire(burst);
    }
  });
  uint64_t next = 0;
  uint64_t seen = 0;
  Bytes into(16 << 10);
  while (true) {
    const size_t bytes = shared.drain(into.data(), into.size());
    for (size_t at = 0; at < bytes; at += packet_record_bytes(8)) {
      uint64_t number;
      std::memcpy(&number, &into[at + sizeof(PacketHead)], sizeof number);
      EXPECT(number >= next);
      next = number + 1;
      seen++;
    }
    const Counters counters = shared.counters();
    if (counters.frames == kBursts * kBurst && bytes == 0 && seen + counters.lost_ring == counters.frames) break;
    std::this_thread::yield();
  }
  reader.join();
  EXPECT_EQUAL(shared.counters().lost_kernel, kBursts);
}

CASE("SharedReassembly stops before a frame that might not fit and loses none") {
  SharedReassembly shared(PacketRing::kLeastBytes);
  std::vector<FrameRecord> frames;
  for (unsigned at = 0; at < 1000; at++) frames.push_back(frame_of(id_of(Bench::kSingle, 1), counting(8, at), at));
  const auto* records = reinterpret_cast<const uint8_t*>(frames.data());
  size_t taken = 0;
  size_t packets = 0;
  Bytes into(PacketRing::kLeastBytes);
  for (int round = 0; round < 1000 && taken < frames.size(); round++) {
    taken += shared.take_while_room(records + taken * sizeof(FrameRecord), frames.size() - taken);
    packets += shared.drain(into.data(), into.size()) / packet_record_bytes(8);
  }
  EXPECT_EQUAL(packets, frames.size());
  EXPECT_EQUAL(shared.counters().lost_ring, 0u);
}

CASE("BusReader says that an interface is absent, goes on looking and stops when told") {
  std::atomic<int> changes{0};
  std::atomic<int> looks{0};
  BusReader reader({[](const FrameRecord*, size_t, uint64_t) {}, [&] { changes++; }, [&](double) { looks++; }});
  EXPECT(reader.status() == BusStatus{});
  EXPECT(!reader.start("no-such-can"));
  while (looks < 2) std::this_thread::yield();
  const BusStatus status = reader.status();
  EXPECT(status.state == BusState::kAbsent);
  EXPECT(status.error);
  EXPECT_EQUAL(changes.load(), 1);
  reader.stop();
  reader.stop();
  EXPECT(reader.status().state == BusState::kClosed);
}

CASE("BusReader may be started and stopped again and again, and leaves no descriptor behind") {
  const auto next_descriptor = [] {
    const int number = open("/dev/null", O_RDONLY);
    close(number);
    return number;
  };
  const int before = next_descriptor();
  for (int round = 0; round < 50; round++) {
    BusReader reader({[](const FrameRecord*, size_t, uint64_t) {}, [] {}, [](double) {}});
    EXPECT(!reader.start("no-such-can"));
    if (round % 2 == 0) reader.stop();
  }
  EXPECT_EQUAL(next_descriptor(), before);
}

CASE("BusReader knows the names that no interface can have") {
  for (const char* name : {"", ".", "..", "a/b", "a b", "a:b", "sixteen-letters-"})
    EXPECT(!BusReader::is_possible_name(name));
  EXPECT(!BusReader::is_possible_name(std::string("a\0b", 3)));
  for (const char* name : {"can0", "vcan0", "fifteen-letters", "kan\xc3\xa4l"})
    EXPECT(BusReader::is_possible_name(name));
}

CASE("FrameTap hands every frame of one thread to the other, in order, or counts it as lost") {
  // No multiple of the burst, so that bursts lie across the end.
  FrameTap tap(301 * sizeof(FrameRecord));
  constexpr uint32_t kBursts = 4000;
  constexpr uint32_t kBurst = 16;
  std::atomic<bool> is_done{false};
  std::thread reader([&] {
    for (uint32_t burst = 0; burst < kBursts; burst++) {
      FrameRecord frames[kBurst] = {};
      for (uint32_t at = 0; at < kBurst; at++) frames[at].id = burst * kBurst + at;
      tap.take(frames, kBurst);
      if (burst % 50 == 0) std::this_thread::yield();
    }
    is_done = true;
  });
  uint32_t next = 0;
  uint64_t seen = 0;
  // One byte off, and room for some more than a whole number of records.
  Bytes into(40 * sizeof(FrameRecord) + 9);
  while (true) {
    const bool was_done = is_done;
    const size_t bytes = tap.drain(into.data() + 1, into.size() - 1);
    EXPECT_EQUAL(bytes % sizeof(FrameRecord), 0u);
    for (size_t at = 0; at < bytes; at += sizeof(FrameRecord)) {
      FrameRecord frame;
      std::memcpy(&frame, &into[at + 1], sizeof frame);
      EXPECT(frame.id >= next);
      next = frame.id + 1;
      seen++;
    }
    if (was_done && bytes == 0) break;
  }
  reader.join();
  EXPECT_EQUAL(seen + tap.lost(), kBursts * kBurst);
}

CASE("FrameTap loses the newest when it is full, and has room again when it is drained") {
  FrameTap tap(4 * sizeof(FrameRecord));
  FrameRecord frames[6] = {};
  for (uint32_t at = 0; at < 6; at++) frames[at].id = at;
  tap.take(frames, 6);
  EXPECT_EQUAL(tap.lost(), 2u);
  FrameRecord out[6];
  const auto drain = [&](size_t count) {
    return tap.drain(reinterpret_cast<uint8_t*>(out), count * sizeof(FrameRecord)) / sizeof(FrameRecord);
  };
  EXPECT_EQUAL(drain(3), 3u);
  EXPECT_EQUAL(out[0].id, 0u);
  EXPECT_EQUAL(out[2].id, 2u);
  tap.take(frames + 4, 2);
  EXPECT_EQUAL(tap.lost(), 2u);
  EXPECT_EQUAL(drain(6), 3u);
  EXPECT_EQUAL(out[0].id, 3u);
  EXPECT_EQUAL(out[1].id, 4u);
  EXPECT_EQUAL(out[2].id, 5u);
  EXPECT_EQUAL(drain(6), 0u);
  EXPECT_EQUAL(drain(0), 0u);
}
