// The reassembler without any optimisation: maps, searches and copies. The fuzz target compares it with the real one
// after every frame: the same packets, and the same counters.
#pragma once

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <vector>

#include "../reassembler.h"

namespace hub {

class PlainReassembler {
 public:
  struct Packet {
    uint32_t pgn;
    unsigned source, destination, priority;
    Transport transport;
    std::vector<uint8_t> payload;
    unsigned frames;
  };

  // An open packet between two devices: a fast packet has a PGN and a sequence counter, an ISO TP message neither.
  struct Key {
    uint32_t pgn;
    unsigned source, destination, sequence;
    // Keys of one stream are adjacent.
    bool operator<(const Key& other) const { return number() < other.number(); }
    uint64_t number() const { return uint64_t{pgn} << 24 | source << 16 | destination << 8 | sequence; }
  };

  struct Open {
    std::vector<uint8_t> payload;
    size_t length;       // announced
    unsigned next;       // the index that must follow
    unsigned held;       // frames
    unsigned begun = 0;  // bits: sequence counters that have begun since
    double timeout_us;   // when it passes, for fast packets on the bus clock
    uint64_t used;
    uint32_t lost;  // before the last frame
    // State of ISO TP.
    uint32_t message_pgn = 0;
    bool is_to_all = false;
    unsigned block_end = 0;
    std::map<unsigned, std::vector<uint8_t>> packets;
  };

  using Opens = std::map<Key, Open>;

  std::map<uint32_t, unsigned> fast_packets;  // the expected length, 0 for any
  Counters counters;
  Opens fast, iso;

  void expire(double now_us) {
    discard_timed_out(fast, bus_us_after(now_us - now_us_), Discard::kFastTimeout);
    discard_timed_out(iso, now_us, Discard::kIsoTimeout);
  }

  // Up to this many frames may be lost before the next one.
  void lose(uint32_t frames) { lost_ += frames; }

  // Returns the packet that this frame completes.
  std::optional<Packet> push(const FrameRecord& record) {
    if (record.id & kErrorFlag) return ignore(Ignored::kError);
    if (!(record.id & kExtendedFlag)) return ignore(Ignored::kStandard);
    if (record.id & kRemoteFlag) return ignore(Ignored::kRemote);
    Heard heard;
    heard.pgn = record.id >> 8 & 0x3ffff;
    heard.source = record.id & 0xff;
    heard.destination = 255;
    if ((heard.pgn >> 8 & 0xff) < 240) {
      heard.destination = heard.pgn & 0xff;
      heard.pgn -= heard.destination;
    }
    heard.priority = record.id >> 26 & 7;
    heard.data = {record.data, std::min<unsigned>(record.length, 8)};
    if (heard.source >= 254 && heard.pgn != 60928 && heard.pgn != 59904) return ignore(Ignored::kNoAddress);
    counters.frames++;
    // Time-outs pass only when the clock advances.
    if (record.monotonic_us > now_us_) {
      expire(record.monotonic_us);
      bus_us_ = bus_us_after(record.monotonic_us - now_us_);
      now_us_ = record.monotonic_us;
    }
    tick_++;

    if (heard.pgn == 60416) {
      control(heard);
      return {};
    }
    if (heard.pgn == 60160) return data(heard);
    const auto kind = fast_packets.find(heard.pgn);
    if (kind == fast_packets.end()) return single(heard);
    return fast_frame(heard, kind->second);
  }

 private:
  struct Data {
    const uint8_t* bytes;
    size_t length;
    const uint8_t* begin() const { return bytes; }
    const uint8_t* end() const { return bytes + length; }
    size_t size() const { return length; }
    bool empty() const { return length == 0; }
    uint8_t operator[](size_t at) const { return bytes[at]; }
  };

  struct Heard {
    uint32_t pgn;
    unsigned source, destination, priority;
    Data data;
  };

  std::optional<Packet> ignore(Ignored kind) {
    counters.of(kind)++;
    return {};
  }

  std::optional<Packet> count_discarded(Discard reason) {
    counters.discard(reason, 0, 1);
    return {};
  }

  static Packet packet(const Heard& heard, uint32_t pgn, Transport transport, std::vector<uint8_t> payload,
                       unsigned frames) {
    return {pgn, heard.source, heard.destination, heard.priority, transport, std::move(payload), frames};
  }

  std::optional<Packet> single(const Heard& heard) {
    return packet(heard, heard.pgn, Transport::kSingle, {heard.data.begin(), heard.data.end()}, 1);
  }

  Opens::iterator discard(Opens& opens, Opens::iterator which, Discard reason, unsigned more = 0) {
    counters.discard(reason, which->second.held, more);
    return opens.erase(which);
  }

  void discard_timed_out(Opens& opens, double now_us, Discard reason) {
    for (auto at = opens.begin(); at != opens.end();) {
      at = now_us > at->second.timeout_us ? discard(opens, at, reason) : std::next(at);
    }
  }

  // The packet that a frame continues, unless its end may be among the frames that are lost.
  Opens::iterator find(Opens& opens, const Key& key, Discard reason) {
    const auto found = opens.find(key);
    if (found == opens.end() || lost_ - found->second.lost < 2) return found;
    discard(opens, found, reason);
    return opens.end();
  }

  void evict(Opens& opens, size_t most, Discard reason) {
    if (opens.size() < most) return;
    discard(opens,
            std::min_element(opens.begin(), opens.end(),
                             [](const auto& one, const auto& other) { return one.second.used < other.second.used; }),
            reason);
  }

  double bus_us_after(double pause_us) const {
    return bus_us_ + (pause_us >= 10e6 ? pause_us : std::min(pause_us, 250e3));
  }

  void keep_alive(Open& open) {
    open.timeout_us = bus_us_ + 750e3;
    open.used = tick_;
    open.lost = lost_;
  }

  void keep_alive(Open& open, unsigned milliseconds) {
    open.timeout_us = now_us_ + milliseconds * 1e3;
    open.used = tick_;
  }

  std::optional<Packet> fast_frame(const Heard& heard, unsigned expected_length) {
    if (heard.data.empty()) return expected_length ? single(heard) : count_discarded(Discard::kFastLength);
    const unsigned index = heard.data[0] % 32;
    const Key key = {heard.pgn, heard.source, heard.destination, heard.data[0] / 32u};
    if (index == 0 && (!expected_length || (heard.data.size() == 8 && heard.data[1] == expected_length)))
      return first(heard, key);
    const auto found = find(fast, key, Discard::kFastStale);
    if (found == fast.end()) return expected_length ? single(heard) : count_discarded(Discard::kFastOrphan);
    Open& open = found->second;
    if (index == open.next) {
      const size_t needed = std::min<size_t>(open.length - open.payload.size(), 7);
      if (heard.data.size() < 1 + needed) {
        if (expected_length) return single(heard);
        discard(fast, found, Discard::kFastLength, 1);
        return {};
      }
      open.payload.insert(open.payload.end(), heard.data.begin() + 1, heard.data.begin() + 1 + needed);
      open.next++;
      open.held++;
      counters.accounting.open++;
      if (open.payload.size() < open.length) {
        keep_alive(open);
        open.begun = 0;
        return {};
      }
      counters.accounting.open -= open.held;
      Packet whole = packet(heard, heard.pgn, Transport::kFast, std::move(open.payload), open.held);
      fast.erase(found);
      return whole;
    }
    if (index > 0 && index + 1 == open.next && heard.data.size() == 8 &&
        std::equal(heard.data.begin() + 1, heard.data.end(), open.payload.end() - 7)) {
      counters.accounting.repeated++;
      return {};
    }
    if (expected_length) return single(heard);
    discard(fast, found, Discard::kFastOrder, 1);
    return {};
  }

  std::optional<Packet> first(const Heard& heard, const Key& key) {
    const size_t length = heard.data.size() < 2 ? 0 : heard.data[1];
    const size_t held = heard.data.size() < 2 ? 0 : heard.data.size() - 2;
    bool is_repeat = false;
    const auto old = fast.find(key);
    if (old != fast.end()) {
      Open& open = old->second;
      is_repeat = open.next == 1 && open.length == length && held == 6 &&
                  std::equal(open.payload.begin(), open.payload.end(), heard.data.begin() + 2);
      if (is_repeat) {
        keep_alive(open);
        open.begun = 0;
        counters.accounting.repeated++;
      } else {
        discard(fast, old, Discard::kFastRestarted);
      }
    }
    const Key behind = {key.pgn, key.source, key.destination, 8};
    for (auto at = fast.lower_bound({key.pgn, key.source, key.destination, 0});
         at != fast.end() && at->first < behind;) {
      const auto other = at++;
      if (other->first.sequence == key.sequence) continue;
      other->second.begun |= 1u << key.sequence;
      if ((other->second.begun | 1u << other->first.sequence) == 0xff) discard(fast, other, Discard::kFastStale);
    }
    if (is_repeat) return {};
    if (length == 0 || length > 223 || held < std::min<size_t>(length, 6)) return count_discarded(Discard::kFastLength);
    const auto from = heard.data.begin() + 2;
    if (length <= 6) return packet(heard, heard.pgn, Transport::kFast, {from, from + length}, 1);
    evict(fast, 512, Discard::kFastEvicted);
    Open open;
    open.payload.assign(from, from + 6);
    open.length = length;
    open.next = open.held = 1;
    keep_alive(open);
    fast[key] = std::move(open);
    counters.accounting.open++;
    return {};
  }

  void end(unsigned source, unsigned destination, uint32_t pgn, Discard reason) {
    const auto found = iso.find({0, source, destination, 0});
    if (found != iso.end() && found->second.message_pgn == pgn) discard(iso, found, reason);
  }

  void control(const Heard& heard) {
    const unsigned word = heard.data.empty() ? 0 : heard.data[0];
    const bool is_short = heard.data.size() < 8;
    uint32_t pgn = 0;
    if (!is_short) {
      pgn = (heard.data[5] | heard.data[6] << 8 | heard.data[7] << 16) & 0x3ffff;
      if ((pgn >> 8 & 0xff) < 240) pgn -= pgn & 0xff;
    }
    if (word == 16 || word == 32) {
      const auto old = iso.find({0, heard.source, heard.destination, 0});
      if (old != iso.end()) discard(iso, old, Discard::kIsoRestarted);
      const size_t size = is_short ? 0 : heard.data[1] + 256u * heard.data[2];
      if (size < 9 || size > 1785 || heard.data[3] != (size + 6) / 7) {
        count_discarded(Discard::kIsoSize);
        return;
      }
      evict(iso, 64, Discard::kIsoEvicted);
      Open open;
      open.length = size;
      open.next = open.held = 1;
      open.message_pgn = pgn;
      open.is_to_all = word == 32;
      open.lost = lost_;
      keep_alive(open, open.is_to_all ? 750 : 1250);
      iso[{0, heard.source, heard.destination, 0}] = open;
      counters.accounting.open++;
      return;
    }
    counters.accounting.control++;
    if (is_short) return;
    if (word == 17) {
      const auto found = iso.find({0, heard.destination, heard.source, 0});
      if (found == iso.end() || found->second.message_pgn != pgn) return;
      Open& open = found->second;
      const unsigned from = heard.data[2];
      if (open.is_to_all) return;
      if (heard.data[1] == 0) {
        keep_alive(open, 1050);
      } else if (from > 0 && from <= packets_of(open)) {
        open.block_end = std::min(from + heard.data[1] - 1, packets_of(open));
        for (unsigned number = from; number <= open.block_end; number++) open.packets.erase(number);
        if (from < open.next) open.next = from;
        keep_alive(open, 1250);
      }
    } else if (word == 19 || word == 255) {
      const Discard reason = word == 19 ? Discard::kIsoOrder : Discard::kIsoAborted;
      end(heard.destination, heard.source, pgn, reason);
      end(heard.source, heard.destination, pgn, reason);
    }
  }

  std::optional<Packet> data(const Heard& heard) {
    const auto found = find(iso, {0, heard.source, heard.destination, 0}, Discard::kIsoOrder);
    if (found == iso.end()) return count_discarded(Discard::kIsoOrphan);
    Open& open = found->second;
    // An empty frame is too short for the packet that is due.
    const unsigned number = heard.data.empty() ? open.next : heard.data[0];
    const bool is_next = number == open.next || (number > open.next && !open.is_to_all);
    if (is_next && number <= packets_of(open)) {
      const size_t needed = std::min<size_t>(open.length - (number - 1) * 7, 7);
      if (heard.data.size() < 1 + needed) {
        discard(iso, found, Discard::kIsoSize, 1);
        return {};
      }
      open.packets[number].assign(heard.data.begin() + 1, heard.data.begin() + 1 + needed);
      open.next = number + 1;
      open.held++;
      counters.accounting.open++;
      if (open.packets.size() < packets_of(open)) {
        open.lost = lost_;
        keep_alive(open, open.is_to_all || number < open.block_end ? 750 : 1250);
        return {};
      }
      counters.accounting.open -= open.held;
      for (const auto& [_, bytes] : open.packets) open.payload.insert(open.payload.end(), bytes.begin(), bytes.end());
      Packet whole = packet(heard, open.message_pgn, Transport::kIsoTp, std::move(open.payload), open.held);
      iso.erase(found);
      return whole;
    }
    const auto before = open.packets.find(number);
    if (number + 1 == open.next && before != open.packets.end() && heard.data.size() > before->second.size() &&
        std::equal(before->second.begin(), before->second.end(), heard.data.begin() + 1)) {
      counters.accounting.repeated++;
      return {};
    }
    discard(iso, found, Discard::kIsoOrder, 1);
    return {};
  }

  static unsigned packets_of(const Open& open) { return static_cast<unsigned>((open.length + 6) / 7); }

  double now_us_ = 0;
  double bus_us_ = 0;
  uint32_t lost_ = 0;
  uint64_t tick_ = 0;
};

}  // namespace hub
