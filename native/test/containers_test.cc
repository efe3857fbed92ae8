#include <algorithm>
#include <deque>
#include <map>
#include <random>

#include "../key_table.h"
#include "../packet_ring.h"
#include "../recent_pool.h"
#include "fixture.h"

using namespace hub;

CASE("KeyTable finds the same as a std::map, however full") {
  std::mt19937 random(1);
  for (int round = 0; round < 20; round++) {
    KeyTable<64> table;
    std::map<uint64_t, uint16_t> model;
    // Few keys, so that most of them occur again, and half of the table, so that they collide.
    const auto key = [&] { return uint64_t{random() % 60} * 0x10001; };
    for (int step = 0; step < 5000; step++) {
      const uint64_t which = key();
      if (model.count(which)) {
        table.erase(which);
        model.erase(which);
      } else if (model.size() < 32) {
        model[which] = static_cast<uint16_t>(step);
        table.insert(which, static_cast<uint16_t>(step));
      }
      const uint64_t asked = key();
      const auto found = model.find(asked);
      EXPECT_EQUAL(table.find(asked), found == model.end() ? KeyTable<64>::kNone : found->second);
    }
  }
}

CASE("RecentPool has the order of last use of a list") {
  std::mt19937 random(2);
  RecentPool<16> pool;
  std::deque<uint16_t> model;
  for (int step = 0; step < 20000; step++) {
    const unsigned action = random() % 3;
    if (action == 0 && !pool.is_full()) {
      const uint16_t number = pool.open();
      EXPECT(number < 16 && std::count(model.begin(), model.end(), number) == 0);
      model.push_back(number);
    } else if (!model.empty()) {
      const auto place = model.begin() + static_cast<long>(random() % model.size());
      const uint16_t number = *place;
      model.erase(place);
      if (action == 1) {
        pool.touch(number);
        model.push_back(number);
      } else {
        pool.close(number);
      }
    }
    uint16_t number = pool.oldest();
    for (const uint16_t expected : model) {
      EXPECT_EQUAL(number, expected);
      number = pool.newer(number);
    }
    EXPECT_EQUAL(number, pool.kNone);
    EXPECT_EQUAL(pool.is_full(), model.size() == 16);
  }
}

CASE("PacketRing gives back whole records in their order, whatever their sizes and the room to drain into") {
  std::mt19937 random(3);
  PacketRing ring(PacketRing::kLeastBytes + 8 * 7);
  std::deque<Bytes> model;
  unsigned refused = 0;
  for (int step = 0; step < 50000; step++) {
    if (random() % 4 != 0) {
      const uint16_t length =
          static_cast<uint16_t>(random() % 8 == 0 ? random() % (kLongestPayload + 1) : random() % 9);
      const bool has_room = ring.has_room();
      uint8_t* place = ring.append(packet_record_bytes(length));
      EXPECT(place != nullptr || !has_room);
      if (place == nullptr) {
        refused++;
        continue;
      }
      EXPECT_EQUAL(reinterpret_cast<uintptr_t>(place) % 8, 0u);
      Bytes record(packet_record_bytes(length));
      for (uint8_t& byte : record) byte = static_cast<uint8_t>(random());
      std::memcpy(&record[offsetof(PacketHead, length)], &length, sizeof length);
      std::memcpy(place, record.data(), record.size());
      model.push_back(record);
    } else {
      uint8_t into[3 * kLongestRecord];
      // Often a record or two, so that the oldest record lies anywhere in the ring.
      const size_t capacity = random() % 2 ? random() % 256 : random() % sizeof into;
      const size_t drained = ring.drain(into, capacity);
      EXPECT(drained <= capacity);
      EXPECT(drained > 0 || model.empty() || model.front().size() > capacity);
      for (size_t at = 0; at < drained;) {
        if (model.empty()) return harness::fail(__FILE__, __LINE__, "more records than were appended");
        const Bytes& record = model.front();
        EXPECT(at + record.size() <= drained && std::equal(record.begin(), record.end(), into + at));
        at += record.size();
        model.pop_front();
      }
    }
  }
  EXPECT(refused > 100);
}

CASE("PacketRing has room for the longest record when it is empty") {
  PacketRing ring(0);
  for (int round = 0; round < 100; round++) {
    EXPECT(ring.has_room());
    uint8_t* place = ring.append(packet_record_bytes(static_cast<size_t>(round)));
    PacketHead head = {};
    head.length = static_cast<uint16_t>(round);
    std::memcpy(place, &head, sizeof head);
    uint8_t into[kLongestRecord];
    EXPECT_EQUAL(ring.drain(into, sizeof into), packet_record_bytes(static_cast<size_t>(round)));
  }
}

CASE("PacketRing drains records that just fill the room, across its end too") {
  PacketRing ring(0);
  uint8_t into[PacketRing::kLeastBytes];
  const PacketHead empty = {};
  for (int round = 0; round < 60; round++) {
    for (int count = 0; count < 3; count++) std::memcpy(ring.append(sizeof empty), &empty, sizeof empty);
    EXPECT_EQUAL(ring.drain(into, 2 * sizeof empty), 2 * sizeof empty);
  }
  EXPECT_EQUAL(ring.drain(into, sizeof into), 60 * sizeof empty);
}
