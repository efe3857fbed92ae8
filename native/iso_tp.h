// ISO 11783-3 transport protocol, heard by a listener: messages of 9..1785 bytes, to all (BAM) or to one address
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
//                          | 1..255     | 7 bytes                                            |   sender to receiver or
//                          all
//                          +------------+----------------------------------------------------+
//
// A session is known by its source and destination, so one sender may talk to all and to several others at once.
// May assume: the stamps of the frames never step back (`Reassembly` sees to it).
#pragma once

#include <cstdint>
#include <limits>

#include "assembled.h"
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

  // Takes a frame of PGN 60416 or 60160; finished is a message only ever by a data frame.
  Step take(const Frame& frame, Assembled& whole) {
    return frame.pgn == kIsoDataPgn ? take_data(frame, whole) : take_control(frame);
  }

  // Gives up what has been silent for too long.
  void expire(double now_us) {
    if (now_us > earliest_end_) expire_oldest(now_us);
  }

 private:
  static constexpr unsigned kShortest = 9;
  static constexpr unsigned kDataBytes = 7;
  static constexpr uint16_t kNone = 0xffff;

  struct Session {
    double last_us;
    uint32_t pgn;
    uint16_t key;
    uint16_t size;
    uint16_t frames;   // held, the request included
    uint16_t next;     // the packet number that must follow
    uint16_t packets;  // announced
    uint8_t bytes[kLongestPayload];
  };

  static uint16_t key_of(unsigned source, unsigned destination) {
    return static_cast<uint16_t>(source << 8 | destination);
  }

  Step take_control(const Frame& frame);
  Step take_data(const Frame& frame, Assembled& whole);
  void begin(const Frame& frame, uint32_t pgn);
  void clear_to_send(const Frame& frame, uint32_t pgn);
  // Gives up the session of these two about this PGN, if there is one.
  void end(unsigned source, unsigned destination, uint32_t pgn, Discard reason);
  void keep_alive(uint16_t number, double now_us);
  void close(uint16_t number);
  void discard(uint16_t number, Discard reason, unsigned more_frames = 0);
  void expire_oldest(double now_us);

  Counters& counters_;
  // No session ends by silence before this; may be earlier than the true end, never later.
  double earliest_end_ = std::numeric_limits<double>::infinity();
  RecentPool<kMostOpen> recent_;
  KeyTable<4 * kMostOpen> by_key_;
  Session sessions_[kMostOpen];
};

}  // namespace hub
