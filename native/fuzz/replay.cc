// Runs a target on the files named as arguments, without libFuzzer, so that any compiler will do.
#include <fstream>
#include <iterator>
#include <vector>

#include "fuzz.h"

int main(int count, char** paths) {
  for (int at = 1; at < count; at++) {
    std::ifstream file(paths[at], std::ios::binary);
    // On the heap and of the exact size, so that AddressSanitizer finds a read of the next byte.
    const std::vector<char> content{std::istreambuf_iterator<char>(file), {}};
    uint8_t* bytes = new uint8_t[content.size()];
    std::copy(content.begin(), content.end(), bytes);
    LLVMFuzzerTestOneInput(bytes, content.size());
    delete[] bytes;
  }
  std::printf("%d\n", count - 1);
}
