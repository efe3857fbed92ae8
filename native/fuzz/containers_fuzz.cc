// The containers of the reassembler, compared with those of the standard library.
#include <list>
#include <map>

#include "../key_table.h"
#include "../recent_pool.h"
#include "fuzz.h"

using namespace hub;

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t length) {
  Input input(bytes, length);
  constexpr uint16_t kCount = 32;
  KeyTable<2 * kCount> table;
  RecentPool<kCount> pool;
  std::map<uint64_t, uint16_t> keys;  // each with its number in the pool
  std::list<uint16_t> used;           // the oldest first
  while (!input.is_empty()) {
    const uint8_t step = input.byte();
    // Keys from a small range and from the whole range: with and without collisions.
    const uint64_t key = step & 1 ? input.byte() : uint64_t{input.byte()} << 40 | input.byte();
    const auto found = keys.find(key);
    HOLDS(table.find(key) == (found == keys.end() ? table.kNone : found->second));
    if (step & 2) {
      if (found == keys.end()) continue;
      table.erase(key);
      pool.close(found->second);
      used.remove(found->second);
      keys.erase(found);
    } else if (found != keys.end()) {
      pool.touch(found->second);
      used.remove(found->second);
      used.push_back(found->second);
    } else if (!pool.is_full()) {
      const uint16_t number = pool.open();
      HOLDS(number < kCount);
      for (const uint16_t other : used) HOLDS(other != number);
      table.insert(key, number);
      keys[key] = number;
      used.push_back(number);
    }
    HOLDS(pool.is_full() == (used.size() == kCount));
    HOLDS(pool.oldest() == (used.empty() ? pool.kNone : used.front()));
  }
  for (const auto& [key, number] : keys) HOLDS(table.find(key) == number);
  return 0;
}
