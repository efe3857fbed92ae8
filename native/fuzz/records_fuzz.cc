// Frame records with any bytes: clocks that are not numbers, lengths above eight. Every frame is accounted for, and the
// output consists of whole packet records.
//
// An input holds either records as they lie in memory, or, shorter, records whose stamps are pauses, which do not break
// the clock of the records after them. Making a reassembler takes longer than pushing a hundred frames, so all inputs
// of the second kind share one: each ends with a long pause, after which no packet is open. A failure that its input
// alone does not reproduce needs state of an earlier one.
#include <cstring>
#include <memory>
#include <vector>

#include "../reassembler.h"
#include "fuzz.h"

using namespace hub;

namespace {

// Proprietary fast packets, and among them one of every length that the table may expect.
constexpr uint32_t kFixedLength = 0x1ff00;
constexpr unsigned kSteps = 600;
constexpr size_t kMostDrained = PacketRing::kLeastBytes;

FastPacketTable any_table() {
  FastPacketTable table;
  HOLDS(table.add(129029, 0) && table.add(126208, 0));
  // ISO TP has its own PGNs, whatever the table says of them.
  HOLDS(table.add(kIsoControlPgn, 0) && table.add(kIsoDataPgn, 8));
  for (uint32_t length = 0; length <= FastPackets::kLongest; length++) HOLDS(table.add(kFixedLength + length, length));
  return table;
}

// An impossible PGN or length is never added.
void check_table(Input& input) {
  static FastPacketTable table;
  uint8_t word[4];
  input.copy(word, sizeof word);
  const uint32_t pgn = word[0] | word[1] << 8 | word[2] << 16;
  if (!table.add(pgn, word[3])) return;
  HOLDS(pgn <= kPgnMask && word[3] <= FastPackets::kLongest);
  HOLDS(!is_addressed(pgn) || (pgn & 0xff) == 0);
  HOLDS(!table.is_single(pgn) && table.expected_length(pgn) == word[3]);
}

// Records at any address, as in a buffer of JavaScript.
class Records {
 public:
  explicit Records(size_t offset) : bytes_(offset), offset_(offset) {}

  void add(const FrameRecord& record) {
    const auto* from = reinterpret_cast<const uint8_t*>(&record);
    bytes_.insert(bytes_.end(), from, from + sizeof record);
  }
  size_t count() const { return (bytes_.size() - offset_) / sizeof(FrameRecord); }
  const uint8_t* from(size_t number) const { return bytes_.data() + offset_ + number * sizeof(FrameRecord); }

 private:
  std::vector<uint8_t> bytes_;
  size_t offset_;
};

class Player {
 public:
  Player() : reassembler_(PacketRing::kLeastBytes) {
    static const FastPacketTable table = any_table();
    reassembler_.set_fast_packet_table(table);
  }

  // Pushes `portion` records at a time, and drains up to `capacity` bytes after each.
  void play(const Records& records, size_t portion, size_t capacity) {
    pushed_ += records.count();
    for (size_t taken = 0; taken < records.count();) {
      const size_t offered = std::min(portion, records.count() - taken);
      const size_t now = reassembler_.push_while_room(records.from(taken), offered);
      HOLDS(now <= offered);
      taken += now;
      // An empty ring has room, so a recording never gets stuck.
      HOLDS(drain(capacity) > 0 || now > 0 || capacity < kLongestRecord);
      if (now == 0) drain(kMostDrained);
    }
    drain(kMostDrained);
    check_accounting();
  }

  void expire(double until_us) {
    reassembler_.expire(until_us);
    check_accounting();
    HOLDS(reassembler_.counters().accounting.open == 0);
  }

 private:
  size_t drain(size_t capacity) {
    const size_t size = reassembler_.drain(drained_, capacity);
    HOLDS(size <= capacity);
    for (size_t at = 0; at < size;) {
      PacketHead head;
      HOLDS(at + sizeof head <= size);
      std::memcpy(&head, &drained_[at], sizeof head);
      HOLDS(head.length <= kLongestPayload && head.pgn <= kPgnMask && head.priority < 8);
      HOLDS(static_cast<size_t>(head.transport) < kTransports);
      HOLDS(!is_addressed(head.pgn) || (head.pgn & 0xff) == 0);
      at += packet_record_bytes(head.length);
      HOLDS(at <= size);
      packets_++;
    }
    return size;
  }

  void check_accounting() {
    const Counters counters = reassembler_.counters();
    const FrameAccounting& accounting = counters.accounting;
    HOLDS(counters.lost_ring == 0);
    HOLDS(accounting.finished + accounting.discarded + accounting.repeated + accounting.control + accounting.open ==
          counters.frames);
    uint64_t ignored = 0;
    for (const uint64_t kind : counters.ignored) ignored += kind;
    HOLDS(counters.frames + ignored == pushed_);
    HOLDS(counters.packets[0] + counters.packets[1] + counters.packets[2] == packets_);
  }

  Reassembler reassembler_;
  uint8_t drained_[kMostDrained];
  uint64_t pushed_ = 0;
  uint64_t packets_ = 0;
};

// Plays the bytes as records: the stamps are any bits, so the clock may never advance again.
void play_any(Input& input, Records& records, size_t portion, size_t capacity) {
  while (!input.is_empty()) {
    FrameRecord record;
    input.copy(reinterpret_cast<uint8_t*>(&record), sizeof record);
    records.add(record);
  }
  std::make_unique<Player>()->play(records, portion, capacity);
}

// A pause, an identifier, a length and the data; played up to four times over.
void play_paced(Input& input, Records& records, size_t portion, size_t capacity) {
  static Player player;
  static double now_us = 0;
  const unsigned rounds = 1 + input.byte() % 4;
  const Input begin = input;
  for (unsigned round = 0; round < rounds; round++) {
    input = begin;
    for (unsigned step = 0; step < kSteps && !input.is_empty(); step++) {
      const uint8_t pause = input.byte();
      // Up to 760 ms, which is more than the time-out, and a little back.
      now_us += pause < 250 ? pause * (pause & 1 ? 4.0 : 3040.0) : -1.0 * pause;
      FrameRecord record = {};
      record.wall_us = 1.7e15 + now_us;
      record.monotonic_us = now_us;
      input.copy(reinterpret_cast<uint8_t*>(&record.id), sizeof record.id);
      record.length = input.byte();
      input.copy(record.data, sizeof record.data);
      records.add(record);
    }
  }
  player.play(records, portion, capacity);
  now_us += 2 * BusClock::kOutageUs;
  player.expire(now_us);
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t length) {
  Input input(bytes, length);
  const uint8_t kind = input.byte();
  check_table(input);
  Records records(kind >> 4 & 7);
  const size_t portion = 1 + input.byte();
  const size_t capacity = input.byte() * size_t{16};
  (kind % 16 == 0 ? play_any : play_paced)(input, records, portion, capacity);
  return 0;
}
