// ISO 11783-3 transport protocol as heard by a listener: messages of 9..1785 bytes, to all (BAM) or to one address
// (RTS/CTS).
//
//     control, PGN 60416   byte 0        1..2            3         4          5..7
//                          +------------+---------------+---------+----------+---------------+
//                          | 16 request | size in bytes | packets | at most  | PGN           |   sender to receiver
//                          | 17 clear   | packets, from | ff        ff       | PGN           |   receiver to sender
//                          | 19 ended   | size in bytes | packets | ff       | PGN           |   receiver to sender
//                          | 32 to all  | size in bytes | packets | ff       | PGN           |   sender to all
//                          | 255 abort  | reason  ff      ff        ff       | PGN           |   either way
//                          +------------+---------------+---------+----------+---------------+
//     data, PGN 60160      byte 0        1..7
//                          +------------+----------------------------------------------------+
//                          | 1..255     | 7 bytes                                            |   sender to receiver, to
//                          all
//                          +------------+----------------------------------------------------+
//
// A session is identified by its source and destination, so one sender may send to all and to several others at once.
//
// The receiver of RTS/CTS may request packets again that it has missed; a listener may have missed the same ones. So a
// gap in such a message stays open until the packets come again, its time-out passes, or the receiver ends it. A packet
// that was not asked for again is accepted only in ascending order. Messages to all cannot be repaired.
//
// May assume: the stamps of the frames never step back (`Reassembler` ensures that).
#pragma once

#include <bitset>
#include <cstdint>
#include <limits>

#include "assembled_packet.h"
#include "counters.h"
#include "frame_record.h"
#include "key_table.h"
#include "packet_record.h"
#include "recent_pool.h"

namespace hub {

constexpr uint32_t kIsoControlPgn = 60416;
constexpr uint32_t kIsoDataPgn = 60160;

class IsoTp {
 public:
  static constexpr uint16_t kMostOpen = 64;

  explicit IsoTp(Counters& counters) : counters_(counters) {}
  IsoTp(const IsoTp&) = delete;
  IsoTp& operator=(const IsoTp&) = delete;

  // For frames of PGN 60416 or 60160. Only a data frame completes a message.
  FrameResult push(const Frame& frame, AssembledPacket& packet) {
    return frame.pgn == kIsoDataPgn ? push_data(frame, packet) : push_control(frame);
  }

  // Discards messages whose time-out has passed.
  void expire(double now_us) {
    if (now_us > earliest_timeout_us_) discard_expired(now_us);
  }

 private:
  static constexpr unsigned kShortest = 9;
  static constexpr unsigned kDataBytes = 7;
  static constexpr uint16_t kNone = 0xffff;

  // Time-outs T1 to T4 of ISO 11783-3:2018, the same as those of SAE J1939-21.
  static constexpr double kDataUs = 750'000;           // T1: between packets of a block, or of a message to all
  static constexpr double kClearedDataUs = 1'250'000;  // T2: from clear to send to the first packet
  static constexpr double kReplyUs = 1'250'000;        // T3: from the request or the end of a block to the reply
  static constexpr double kHoldUs = 1'050'000;         // T4: from a hold, clear to send 0 packets, to the next reply

  struct Session {
    double timeout_us;  // when it passes
    uint32_t pgn;
    uint32_t frames;  // held, the request included
    uint32_t lost;    // `Frame::lost` of the last of them
    uint16_t key;
    uint16_t size;
    uint16_t next;       // the packet number that follows
    uint16_t packets;    // as announced
    uint16_t missing;    // packets that are not held
    uint16_t block_end;  // the last packet that was cleared to send, 0 while none was
    bool is_to_all;
    std::bitset<256> held;  // by packet number
    uint8_t bytes[kLongestPayload];
  };

  static uint16_t key_of(unsigned source, unsigned destination) {
    return static_cast<uint16_t>(source << 8 | destination);
  }

  FrameResult push_control(const Frame& frame);
  FrameResult push_data(const Frame& frame, AssembledPacket& packet);
  void begin(const Frame& frame, uint32_t pgn);
  void clear_to_send(const Frame& frame, uint32_t pgn);
  bool is_repeat(const Session& session, unsigned sequence, const Frame& frame) const;
  // Discards the session between these two addresses, if it is about this PGN.
  void end(unsigned source, unsigned destination, uint32_t pgn, Discard reason);
  void start_timeout(uint16_t number, double now_us, double duration_us);
  void close(uint16_t number);
  void discard(uint16_t number, Discard reason, unsigned more_frames = 0);
  void discard_expired(double now_us);

  Counters& counters_;
  // No time-out passes before this moment; it may be too early, never too late.
  double earliest_timeout_us_ = std::numeric_limits<double>::infinity();
  RecentPool<kMostOpen> recent_;
  KeyTable<4 * kMostOpen> by_key_;
  Session sessions_[kMostOpen];
};

}  // namespace hub
