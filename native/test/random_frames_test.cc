// Properties of any frames. The seeds are fixed; `test/adapters/node/can/can-bus-laws.test.ts` tries others.
#include <algorithm>
#include <random>
#include <set>

#include "fixture.h"

using namespace hub;

namespace {

struct Sent {
  uint32_t id;
  Bytes data;
  double at_ms;
};

// Fast packets of several senders, each byte of which identifies its packet, on a bus that drops, repeats and swaps
// frames. Packets of one stream are 110 ms apart, so a sequence counter is used again after 880 ms, when the time-out
// of 750 ms has passed. Another device sends all the time, so no loss looks like a pause of the whole bus.
std::vector<Sent> lossy_bus(std::mt19937& random, std::set<Bytes>& payloads) {
  std::vector<Sent> frames;
  for (unsigned source = 0; source < 4; source++) {
    unsigned sequence = random() % 8;
    for (unsigned message = 0; message < 60; message++) {
      Bytes payload(1 + random() % 60);
      for (size_t at = 0; at < payload.size(); at++) payload[at] = static_cast<uint8_t>(source << 6 | message);
      payloads.insert(payload);
      double at_ms = 110.0 * message + random() % 3;
      for (const Bytes& frame : fast_frames(payload, sequence++ % 8)) {
        frames.push_back({id_of(Fixture::kFast, source), frame, at_ms});
        at_ms += random() % 5;
      }
    }
  }
  for (double at_ms = 0; at_ms < 110 * 60; at_ms += 50) frames.push_back({id_of(kIsoControlPgn, 98, 99), {}, at_ms});
  std::stable_sort(frames.begin(), frames.end(), [](const Sent& a, const Sent& b) { return a.at_ms < b.at_ms; });
  std::vector<Sent> heard;
  for (const Sent& frame : frames) {
    const unsigned fate = frame.data.empty() ? 3 : random() % 20;
    if (fate == 0) continue;
    heard.push_back(frame);
    if (fate == 1) heard.push_back(frame);
    if (fate == 2 && heard.size() > 1) {
      std::swap(heard.back(), heard[heard.size() - 2]);
      std::swap(heard.back().at_ms, heard[heard.size() - 2].at_ms);
    }
  }
  return heard;
}

}  // namespace

CASE("Reassembler never glues two fast packets of a lossy bus") {
  size_t finished = 0;
  uint64_t discarded = 0;
  for (unsigned seed = 1; seed <= 40; seed++) {
    std::mt19937 random(seed);
    std::set<Bytes> payloads;
    Fixture fixture;
    for (const Sent& frame : lossy_bus(random, payloads)) fixture.push(frame.id, frame.data, frame.at_ms);
    for (const Bytes& payload : fixture.payloads()) {
      EXPECT(payloads.count(payload) == 1);
      finished++;
    }
    discarded += fixture.discarded();
  }
  EXPECT(finished > 2000);
  EXPECT(discarded > 2000);
}

CASE("Reassembler accounts for any frames") {
  for (unsigned seed = 1; seed <= 40; seed++) {
    std::mt19937 random(seed);
    Fixture fixture(seed % 2 == 0 ? 1 << 20 : PacketRing::kLeastBytes);
    const uint32_t pgns[] = {
        Fixture::kFast, Fixture::kFastAddressed, Fixture::kFixedLength, Fixture::kSingle, kIsoControlPgn, kIsoDataPgn,
        60928};
    const uint8_t controls[] = {16, 17, 19, 32, 255, 99};
    double at_ms = 0;
    for (int step = 0; step < 5000; step++) {
      const uint32_t pgn = pgns[random() % 7];
      const unsigned source = random() % 16 == 0 ? 254 + random() % 2 : random() % 3;
      Bytes data(random() % 4 == 0 ? random() % 9 : 8);
      for (uint8_t& byte : data) byte = static_cast<uint8_t>(random() % 4 == 0 ? random() : random() % 4);
      // Some valid bytes, so that packets get beyond their first frame.
      if (pgn == kIsoControlPgn && data.size() == 8 && random() % 2 == 0) {
        const unsigned size = 9 + random() % 20;
        data = {
            controls[random() % 6], static_cast<uint8_t>(size), 0, static_cast<uint8_t>((size + 6) / 7), 1, 1, 2, 0};
      }
      if ((pgn == Fixture::kFast || pgn == Fixture::kFixedLength) && data.size() > 1 && data[0] % 32 == 0) data[1] = 15;
      const uint32_t flags = random() % 50 == 0 ? kRemoteFlag : random() % 50 == 0 ? kErrorFlag : 0;
      fixture.push((id_of(pgn, source, random() % 3) | flags) & (random() % 50 == 0 ? ~kExtendedFlag : ~0u), data,
                   at_ms);
      at_ms += random() % 100 == 0 ? 800 : random() % 20;
    }
    for (const Packet& packet : fixture.packets()) EXPECT(packet.payload.size() <= kLongestPayload);
    fixture.reassembler.expire(1e18);
    EXPECT_EQUAL(fixture.accounting().open, 0u);
    EXPECT(fixture.accounting().finished > 100);
  }
}
