// The clock for the time-out of fast packets: time passes while any device sends.
//
// A pause of the whole bus counts for at most a quarter of a second, because no frame was sent in it that could be
// missing. If the pause is longer than an outage, all of it counts, and so it does for gateways, by `interrupt`.
#pragma once

#include <algorithm>

namespace hub {

class BusClock {
 public:
  static constexpr double kLongestPauseUs = 250'000;
  static constexpr double kOutageUs = 10'000'000;

  double now_us() const { return now_us_; }

  // The time after a silence of `pause_us`.
  double after(double pause_us) const {
    return now_us_ + (pause_us < kOutageUs ? std::min(pause_us, kLongestPauseUs) : pause_us);
  }

  // A frame has arrived, `pause_us` after the one before.
  void advance(double pause_us) { now_us_ = after(pause_us); }

 private:
  double now_us_ = 0;
};

}  // namespace hub
