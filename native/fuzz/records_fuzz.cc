// Frame records as they come from a recording, every byte of them any byte: clocks that are no numbers, lengths above
// eight. The books balance, and what comes out are whole packet records.
//
// An input is either records as they lie in memory, or, shorter, what a record can say without spoiling the clock for
// those behind it. Making a reassembly takes longer than hearing a hundred frames, so one serves for all inputs of the
// second kind: each ends with a long silence, after which nothing is open. A finding that its input alone does not show
// has found something left over from before.
#include <cstring>
#include <memory>
#include <vector>

#include "../shared_reassembly.h"
#include "fuzz.h"

using namespace hub;

namespace {

// Proprietary fast packets, and among them one of every length that a guard may have.
constexpr uint32_t kGuarded = 0x1ff00;
constexpr unsigned kSteps = 600;
constexpr size_t kMostDrained = PacketRing::kLeastBytes;

Framing any_framing() {
  Framing framing;
  HOLDS(framing.add(129029, 0) && framing.add(126208, 0));
  // Transport is told by these two, whatever JavaScript says of them.
  HOLDS(framing.add(kIsoControlPgn, 0) && framing.add(kIsoDataPgn, 8));
  for (uint32_t guard = 0; guard <= FastPackets::kLongest; guard++) HOLDS(framing.add(kGuarded + guard, guard));
  return framing;
}

// Of what is no PGN or no length none may be taken.
void check_framing(Input& input) {
  static Framing framing;
  uint8_t word[4];
  input.copy(word, sizeof word);
  const uint32_t pgn = word[0] | word[1] << 8 | word[2] << 16;
  if (!framing.add(pgn, word[3])) return;
  HOLDS(pgn <= kPgnMask && word[3] <= FastPackets::kLongest);
  HOLDS(!is_addressed(pgn) || (pgn & 0xff) == 0);
  HOLDS(!framing.is_single(pgn) && framing.guard(pgn) == word[3]);
}

// Records that lie at an address of any kind, as those in a buffer of JavaScript may.
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
  Player() : reassembly_(PacketRing::kLeastBytes) {
    static const Framing framing = any_framing();
    reassembly_.set_framing(framing);
  }

  // Hears them `portion` at a time, and takes up to `capacity` bytes of packets behind each.
  void play(const Records& records, size_t portion, size_t capacity) {
    heard_ += records.count();
    for (size_t taken = 0; taken < records.count();) {
      const size_t offered = std::min(portion, records.count() - taken);
      const size_t now = reassembly_.take_while_room(records.from(taken), offered);
      HOLDS(now <= offered);
      taken += now;
      // A ring that is empty has room, so that a recording always goes on.
      HOLDS(drain(capacity) > 0 || now > 0 || capacity < kLongestRecord);
      if (now == 0) drain(kMostDrained);
    }
    drain(kMostDrained);
    check_books();
  }

  void be_silent(double until_us) {
    reassembly_.expire(until_us);
    check_books();
    HOLDS(reassembly_.counters().books.open == 0);
  }

 private:
  size_t drain(size_t capacity) {
    const size_t size = reassembly_.drain(drained_, capacity);
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

  void check_books() {
    const Counters counters = reassembly_.counters();
    const Books& books = counters.books;
    HOLDS(counters.lost_ring == 0);
    HOLDS(books.finished + books.discarded + books.repeated + books.control + books.open == counters.frames);
    uint64_t ignored = 0;
    for (const uint64_t kind : counters.ignored) ignored += kind;
    HOLDS(counters.frames + ignored == heard_);
    HOLDS(counters.packets[0] + counters.packets[1] + counters.packets[2] == packets_);
  }

  SharedReassembly reassembly_;
  uint8_t drained_[kMostDrained];
  uint64_t heard_ = 0;
  uint64_t packets_ = 0;
};

// As they lie in memory: the stamps are any bits, after which no clock goes on.
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
      // Up to 760 ms, which is beyond the silence after which a packet is given up, and a little back.
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
  now_us += 2e6;
  player.be_silent(now_us);
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t length) {
  Input input(bytes, length);
  const uint8_t kind = input.byte();
  check_framing(input);
  Records records(kind >> 4 & 7);
  const size_t portion = 1 + input.byte();
  const size_t capacity = input.byte() * size_t{16};
  (kind % 16 == 0 ? play_any : play_paced)(input, records, portion, capacity);
  return 0;
}
