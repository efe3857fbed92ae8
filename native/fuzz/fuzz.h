// Shared by the fuzz targets: a reader of input bytes, and a check that ends the run.
// Each target is a file `NAME_fuzz.cc` with the entry that libFuzzer calls; `scripts/fuzz.mjs` builds and runs them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define HOLDS(condition)                                                                 \
  do {                                                                                   \
    if (!(condition)) {                                                                  \
      std::fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                      \
    }                                                                                    \
  } while (false)

namespace hub {

// The bytes of an input, followed by endless zeros, so that no input is too short.
class Input {
 public:
  Input(const uint8_t* bytes, size_t length) : at_(bytes), end_(bytes + length) {}

  bool is_empty() const { return at_ == end_; }
  uint8_t byte() { return is_empty() ? 0 : *at_++; }
  void copy(uint8_t* to, size_t count) {
    for (size_t index = 0; index < count; index++) to[index] = byte();
  }

 private:
  const uint8_t* at_;
  const uint8_t* end_;
};

}  // namespace hub

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t length);
