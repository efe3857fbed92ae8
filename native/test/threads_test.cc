// Two threads; most useful under ThreadSanitizer.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "../bus_reader.h"
#include "../frame_tap.h"
#include "../shared_reassembler.h"
#include "fixture.h"

using namespace hub;

namespace {

int next_descriptor() {
  const int number = open("/dev/null", O_RDONLY);
  close(number);
  return number;
}

// Asleep: the reader counts once a second.
void wait_for(const std::atomic<int>& count, int least) {
  while (count < least) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

}  // namespace

CASE("SharedReassembler passes every packet from one thread to the other, in order") {
  SharedReassembler shared(64 << 10);
  constexpr unsigned kBursts = 2000;
  constexpr unsigned kBurst = 16;
  std::thread reader([&] {
    for (unsigned burst = 0; burst < kBursts; burst++) {
      FrameBurst frames;
      frames.count = kBurst;
      frames.lost_before[0] = 1;
      frames.can_fd_frames = 2;
      for (unsigned at = 0; at < kBurst; at++) {
        frames.frames[at] = frame_of(id_of(Fixture::kSingle, 1), Bytes(8), 0);
        const uint64_t number = burst * kBurst + at;
        std::memcpy(frames.frames[at].data, &number, sizeof number);
      }
      shared.push(frames);
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
  EXPECT_EQUAL(shared.counters().of(Ignored::kCanFd), 2 * kBursts);
}

CASE("SharedReassembler gives a packet up where the kernel has lost its end and the beginning of another") {
  SharedReassembler shared(PacketRing::kLeastBytes);
  FastPacketTable table;
  table.add(Fixture::kFast, 0);
  shared.set_fast_packet_table(table);
  const auto frames = fast_frames(counting(20), 0);
  uint64_t stale = 0;
  for (const uint32_t lost : {1, 2}) {
    // A loss in the middle of a burst counts for the frames behind it.
    FrameBurst burst;
    for (const Bytes& data : frames) burst.frames[burst.count++] = frame_of(id_of(Fixture::kFast, 1), data, 0);
    burst.lost_before[1] = lost;
    shared.push(burst);
    stale += lost == 2;
    EXPECT_EQUAL(shared.counters().of(Discard::kFastStale), stale);
  }
  EXPECT_EQUAL(shared.counters().lost_kernel, 3u);
  EXPECT_EQUAL(shared.counters().packets[static_cast<size_t>(Transport::kFast)], 1u);
}

CASE("BusReader reports an absent interface, keeps looking for it, and stops") {
  std::atomic<int> changes{0};
  std::atomic<int> expiries{0};
  BusReader reader({[](const FrameBurst&) {}, [&] { changes++; }, [] {}, [&](double) { expiries++; }});
  EXPECT(reader.status() == BusStatus{});
  EXPECT(!reader.start("no-such-can"));
  wait_for(expiries, 2);
  const BusStatus status = reader.status();
  EXPECT(status.state == BusState::kAbsent);
  EXPECT(status.error);
  EXPECT_EQUAL(changes.load(), 1);
  reader.stop();
  reader.stop();
  EXPECT(reader.status().state == BusState::kClosed);
}

CASE("BusReader distinguishes an interface that is no CAN interface from a missing one") {
  std::atomic<int> expiries{0};
  BusReader reader({[](const FrameBurst&) {}, [] {}, [] {}, [&](double) { expiries++; }});
  EXPECT(!reader.start("lo"));
  wait_for(expiries, 1);
  EXPECT(reader.status().state == BusState::kAbsent);
  EXPECT_EQUAL(reader.status().error.value(), kNotCan);
  EXPECT_EQUAL(reason_of(reader.status().error), std::string("not a CAN interface"));
}

CASE("BusReader needs no further descriptor to probe its interface") {
  std::atomic<int> expiries{0};
  BusReader reader({[](const FrameBurst&) {}, [] {}, [] {}, [&](double) { expiries++; }});
  EXPECT(!reader.start("lo"));
  wait_for(expiries, 1);
  const uint32_t changes = reader.link_changes();
  rlimit before;
  getrlimit(RLIMIT_NOFILE, &before);
  const rlimit exhausted = {static_cast<rlim_t>(next_descriptor()), before.rlim_max};
  setrlimit(RLIMIT_NOFILE, &exhausted);
  EXPECT_EQUAL(open("/dev/null", O_RDONLY), -1);
  wait_for(expiries, 3);
  EXPECT_EQUAL(reader.status().error.value(), kNotCan);
  EXPECT_EQUAL(reader.link_changes(), changes);
  setrlimit(RLIMIT_NOFILE, &before);
}

CASE("BusReader may be started and stopped many times, and leaves no descriptor open") {
  const int before = next_descriptor();
  for (int round = 0; round < 50; round++) {
    BusReader reader({[](const FrameBurst&) {}, [] {}, [] {}, [](double) {}});
    EXPECT(!reader.start("no-such-can"));
    if (round % 2 == 0) reader.stop();
  }
  EXPECT_EQUAL(next_descriptor(), before);
}

CASE("FrameTap passes every frame from one thread to the other, in order, or counts it as lost") {
  // Not a multiple of the burst, so that bursts wrap around.
  FrameTap tap(301 * sizeof(FrameRecord));
  constexpr uint32_t kBursts = 4000;
  constexpr uint32_t kBurst = 16;
  std::atomic<bool> is_done{false};
  std::thread reader([&] {
    for (uint32_t burst = 0; burst < kBursts; burst++) {
      FrameRecord frames[kBurst] = {};
      for (uint32_t at = 0; at < kBurst; at++) frames[at].id = burst * kBurst + at;
      tap.push(frames, kBurst);
      if (burst % 50 == 0) std::this_thread::yield();
    }
    is_done = true;
  });
  uint32_t next = 0;
  uint64_t seen = 0;
  // Not aligned, and with room for a part of a record.
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
  tap.push(frames, 6);
  EXPECT_EQUAL(tap.lost(), 2u);
  FrameRecord out[6];
  const auto drain = [&](size_t count) {
    return tap.drain(reinterpret_cast<uint8_t*>(out), count * sizeof(FrameRecord)) / sizeof(FrameRecord);
  };
  EXPECT_EQUAL(drain(3), 3u);
  EXPECT_EQUAL(out[0].id, 0u);
  EXPECT_EQUAL(out[2].id, 2u);
  tap.push(frames + 4, 2);
  EXPECT_EQUAL(tap.lost(), 2u);
  EXPECT_EQUAL(drain(6), 3u);
  EXPECT_EQUAL(out[0].id, 3u);
  EXPECT_EQUAL(out[1].id, 4u);
  EXPECT_EQUAL(out[2].id, 5u);
  EXPECT_EQUAL(drain(6), 0u);
  EXPECT_EQUAL(drain(0), 0u);
}
