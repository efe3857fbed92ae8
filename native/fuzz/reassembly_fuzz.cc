// Any frames at any times, into the real reassembler and into the plain one: both have to give the same packets and
// counters. An input is a list of steps; some of them continue an open packet, by one frame or by many, so that short
// inputs reach the end of the longest packets.
//
// Making a reassembler takes longer than most inputs, so all inputs of a run share one: each input ends with a long
// pause, after which no packet is open. A failure that its input alone does not reproduce needs state of an earlier
// one.
#include "fuzz.h"
#include "plain_reassembler.h"

using namespace hub;

namespace {

constexpr uint32_t kPgns[] = {129029, 126208, 127747, 127250, kIsoControlPgn, kIsoDataPgn, 60928, 129038};
constexpr uint32_t kFast = 129029;
constexpr uint32_t kFastAddressed = 126208;
constexpr uint32_t kFixedLength = 127747;
constexpr unsigned kExpectedLength = 15;
constexpr uint8_t kSources[] = {1, 2, 3, 4, 17, 253, 254, 255};
constexpr uint8_t kDestinations[] = {255, 1, 2, 0};
// More than can be open at once.
constexpr unsigned kMostFrames = 640;
// Around the time-outs and the limits of a pause; a clock may also step back.
constexpr double kPauses[] = {0,       1,       1000,      250'000,   749'999,   750'000,   750'001,   -1000,
                              249'999, 250'001, 1'050'000, 1'050'001, 1'250'000, 1'250'001, 9'999'999, 10'000'000};

uint32_t id_of(uint32_t pgn, unsigned source, unsigned destination, unsigned priority) {
  return kExtendedFlag | priority << 26 | (is_addressed(pgn) ? pgn | destination : pgn) << 8 | source;
}

class Comparison {
 public:
  explicit Comparison(size_t ring_bytes) : real_(ring_bytes) {
    FastPacketTable table;
    HOLDS(table.add(kFast, 0) && table.add(kFastAddressed, 0) && table.add(kFixedLength, kExpectedLength));
    real_.set_fast_packet_table(table);
    plain_.fast_packets = {{kFast, 0}, {kFastAddressed, 0}, {kFixedLength, kExpectedLength}};
  }

  void pause(double microseconds) {
    now_us_ += microseconds;
    latest_us_ = std::max(latest_us_, now_us_);
  }

  void interrupt() {
    real_.interrupt();
    plain_.lose(kFewestLost);
  }

  void lose(uint32_t frames) {
    real_.count_lost(frames);
    plain_.lose(frames);
  }

  void push(uint32_t id, const uint8_t* data, uint8_t length) {
    FrameRecord record = {};
    record.wall_us = 1.7e15 + now_us_;
    record.monotonic_us = now_us_;
    record.id = id;
    record.length = length;
    std::memcpy(record.data, data, sizeof record.data);
    pushed_++;
    const uint64_t lost = real_.counters().lost_ring;
    real_.push(record);
    auto packet = plain_.push(record);
    const uint64_t lost_now = real_.counters().lost_ring - lost;
    if (!packet) {
      HOLDS(lost_now == 0);
    } else if (lost_now > 0) {
      HOLDS(lost_now == packet->frames);
      plain_.counters.lost_ring += packet->frames;
    } else {
      plain_.counters.packets[static_cast<size_t>(packet->transport)]++;
      plain_.counters.accounting.finished += packet->frames;
      waiting_.push_back({std::move(*packet), record});
    }
    check_counters();
  }

  // Continues one of the open packets as its sender would, with a frame of any data.
  void continue_packet(Input& input) {
    uint8_t data[8];
    const auto key = open_key(input.byte());
    input.copy(data, sizeof data);
    if (key) push_next(*key, data);
  }

  // The same with up to `count` frames, until the packet is complete.
  void continue_long(Input& input, unsigned count) {
    const auto key = open_key(input.byte());
    const uint8_t fill = input.byte();
    for (; key && count > 0 && is_open(*key); count--) {
      uint8_t data[8];
      for (unsigned at = 0; at < sizeof data; at++) data[at] = static_cast<uint8_t>(fill * at + count);
      push_next(*key, data);
    }
  }

  uint64_t pushed() const { return pushed_; }

  void drain(size_t capacity) {
    const std::vector<uint8_t>& bytes = drained_;
    const size_t drained = real_.drain(drained_.data(), capacity);
    HOLDS(drained <= capacity && drained % 8 == 0);
    size_t seen = 0;
    for (size_t at = 0; at < drained; seen++) {
      HOLDS(seen < waiting_.size());
      const auto& [packet, record] = waiting_[seen];
      PacketHead head;
      std::memcpy(&head, &bytes[at], sizeof head);
      HOLDS(head.wall_us == record.wall_us && head.monotonic_us == record.monotonic_us);
      HOLDS(head.pgn == packet.pgn && head.source == packet.source && head.destination == packet.destination);
      HOLDS(head.priority == packet.priority && head.transport == packet.transport);
      HOLDS(head.length == packet.payload.size() && head.length <= kLongestPayload);
      HOLDS(std::equal(packet.payload.begin(), packet.payload.end(), bytes.begin() + at + sizeof head));
      const size_t end = at + packet_record_bytes(head.length);
      HOLDS(std::all_of(&bytes[at] + sizeof head + head.length, &bytes[at] + (end - at),
                        [](uint8_t b) { return b == 0; }));
      at = end;
    }
    // Every record that fitted was drained.
    HOLDS(seen == waiting_.size() || drained + packet_record_bytes(waiting_[seen].packet.payload.size()) > capacity);
    waiting_.erase(waiting_.begin(), waiting_.begin() + seen);
  }

  void end() {
    drain(drained_.size());
    HOLDS(waiting_.empty());
    // After the latest stamp, even if the clock has stepped back.
    now_us_ = latest_us_ += 2 * BusClock::kOutageUs;
    real_.expire(now_us_);
    plain_.expire(now_us_);
    check_counters();
    HOLDS(real_.counters().accounting.open == 0);
  }

 private:
  struct Waiting {
    PlainReassembler::Packet packet;
    FrameRecord record;
  };

  using Key = PlainReassembler::Key;

  // Keys of ISO messages have no PGN.
  PlainReassembler::Opens& opens_of(const Key& key) { return key.pgn == 0 ? plain_.iso : plain_.fast; }
  bool is_open(const Key& key) { return opens_of(key).count(key) > 0; }

  std::optional<Key> open_key(unsigned choice) const {
    const size_t open = plain_.fast.size() + plain_.iso.size();
    if (open == 0) return {};
    const size_t which = choice % open;
    const bool is_fast = which < plain_.fast.size();
    return is_fast ? std::next(plain_.fast.begin(), which)->first
                   : std::next(plain_.iso.begin(), which - plain_.fast.size())->first;
  }

  void push_next(const Key& key, uint8_t (&data)[8]) {
    data[0] = static_cast<uint8_t>(key.sequence << 5 | opens_of(key).at(key).next);
    push(id_of(key.pgn == 0 ? kIsoDataPgn : key.pgn, key.source, key.destination, 3), data, 8);
  }

  void check_counters() const {
    const Counters& real = real_.counters();
    const Counters& plain = plain_.counters;
    HOLDS(std::equal(std::begin(real.ignored), std::end(real.ignored), plain.ignored));
    HOLDS(std::equal(std::begin(real.packets), std::end(real.packets), plain.packets));
    HOLDS(std::equal(std::begin(real.discarded), std::end(real.discarded), plain.discarded));
    HOLDS(real.frames == plain.frames && real.lost_ring == plain.lost_ring);
    const FrameAccounting& accounting = real.accounting;
    HOLDS(accounting.finished == plain.accounting.finished && accounting.discarded == plain.accounting.discarded);
    HOLDS(accounting.repeated == plain.accounting.repeated && accounting.control == plain.accounting.control);
    HOLDS(accounting.open == plain.accounting.open);
    // Every frame is accounted for exactly once.
    HOLDS(accounting.finished + accounting.discarded + accounting.repeated + accounting.control + accounting.open +
              real.lost_ring ==
          real.frames);
    uint64_t ignored = 0;
    for (const uint64_t count : real.ignored) ignored += count;
    HOLDS(real.frames + ignored == pushed_);
    HOLDS(plain_.fast.size() <= FastPackets::kMostOpen && plain_.iso.size() <= IsoTp::kMostOpen);
  }

  Reassembler real_;
  PlainReassembler plain_;
  std::vector<Waiting> waiting_;
  std::vector<uint8_t> drained_ = std::vector<uint8_t>(64 << 10);
  double now_us_ = 1;
  double latest_us_ = 1;
  uint64_t pushed_ = 0;
};

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t length) {
  Input input(bytes, length);
  static Comparison narrow(PacketRing::kLeastBytes);
  static Comparison wide(64 << 10);
  Comparison& comparison = input.byte() % 4 == 0 ? narrow : wide;
  uint8_t data[8];
  const uint64_t enough = comparison.pushed() + kMostFrames;
  while (!input.is_empty() && comparison.pushed() < enough) {
    const uint8_t step = input.byte();
    const uint8_t detail = step >> 3;
    switch (step & 7) {
      case 0:
        comparison.pause(kPauses[detail & 15]);
        if (detail & 16) comparison.interrupt();
        break;
      case 1:
      case 2: {  // a frame of the usual kind
        const uint8_t from = input.byte();
        const uint32_t id = id_of(kPgns[detail & 7], kSources[from & 7], kDestinations[from >> 3 & 3], from >> 5);
        const uint8_t size = (step & 7) == 1 ? 8 : input.byte() % 16;
        input.copy(data, sizeof data);
        comparison.push(id, data, size);
        break;
      }
      case 3: {  // a frame of any kind
        uint8_t id[4];
        input.copy(id, sizeof id);
        input.copy(data, sizeof data);
        comparison.push(id[0] | id[1] << 8 | id[2] << 16 | static_cast<uint32_t>(id[3]) << 24, data, detail);
        break;
      }
      case 4:
        comparison.continue_packet(input);
        break;
      case 5:
        comparison.continue_long(input, 8 * (detail + 1));
        break;
      case 6: {  // many devices begin at once, up to more than can be open
        const unsigned count = detail < 28 ? 1 + detail % 4 : 62 * (detail - 27);
        const uint8_t first = input.byte();
        const bool is_fast = input.byte() % 2 == 0;
        const uint8_t begin[2][8] = {{static_cast<uint8_t>(first << 5), 14, 1, 2, 3, 4, 5, 6},
                                     {32, 9, 0, 2, 255, 0, 1, 0}};
        for (unsigned device = 0; device < count; device++) {
          const unsigned source = (first + device) % 250;
          comparison.push(id_of(is_fast ? kFast : kIsoControlPgn, source, 255, 7), begin[is_fast ? 0 : 1], 8);
        }
        break;
      }
      case 7:
        if (detail < 4) comparison.lose(detail);
        comparison.drain(detail * 100);
        break;
    }
  }
  comparison.end();
  return 0;
}
