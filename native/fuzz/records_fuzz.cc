// Frame records as they come from a recording, every byte of them any byte: clocks that are no numbers, lengths above
// eight. The books balance, and what comes out are whole packet records.
#include <cstring>
#include <vector>

#include "../shared_reassembly.h"
#include "fuzz.h"

using namespace hub;

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t length) {
  Input input(bytes, length);
  SharedReassembly reassembly(PacketRing::kLeastBytes);
  Framing framing;
  // Framings are told by JavaScript; of what is no PGN or no length none may be taken.
  for (unsigned count = input.byte() % 4; count > 0; count--) {
    uint8_t word[4];
    input.copy(word, sizeof word);
    const uint32_t pgn = word[0] | word[1] << 8 | word[2] << 16;
    const bool is_added = framing.add(pgn, word[3]);
    HOLDS(!is_added || (pgn <= kPgnMask && word[3] <= FastPackets::kLongest));
  }
  HOLDS(framing.add(129029, 0));
  reassembly.set_framing(std::move(framing));

  std::vector<uint8_t> records;
  while (!input.is_empty()) records.push_back(input.byte());
  const size_t count = records.size() / sizeof(FrameRecord);
  std::vector<uint8_t> drained(PacketRing::kLeastBytes);
  uint64_t packets = 0;
  for (size_t taken = 0;;) {
    const size_t now = reassembly.take_while_room(records.data() + taken * sizeof(FrameRecord), count - taken);
    HOLDS(now <= count - taken);
    taken += now;
    const size_t size = reassembly.drain(drained.data(), drained.size());
    for (size_t at = 0; at < size;) {
      PacketHead head;
      HOLDS(at + sizeof head <= size);
      std::memcpy(&head, &drained[at], sizeof head);
      HOLDS(head.length <= kLongestPayload && head.pgn <= kPgnMask && head.priority < 8);
      HOLDS(static_cast<size_t>(head.transport) < kTransports);
      HOLDS(!is_addressed(head.pgn) || (head.pgn & 0xff) == 0);
      at += packet_record_bytes(head.length);
      HOLDS(at <= size);
      packets++;
    }
    if (taken == count) break;
    // A ring that is empty has room, so that a recording always goes on.
    HOLDS(now > 0 || size > 0);
  }
  const Counters counters = reassembly.counters();
  const Books& books = counters.books;
  HOLDS(counters.lost_ring == 0);
  HOLDS(books.finished + books.discarded + books.repeated + books.control + books.open == counters.frames);
  uint64_t ignored = 0;
  for (const uint64_t kind : counters.ignored) ignored += kind;
  HOLDS(counters.frames + ignored == count);
  HOLDS(counters.packets[0] + counters.packets[1] + counters.packets[2] == packets);
  return 0;
}
