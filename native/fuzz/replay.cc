// Plays inputs into a target without libFuzzer, so that every compiler can do it: the files named as arguments.
#include <fstream>
#include <iterator>
#include <vector>

#include "fuzz.h"

int main(int count, char** paths) {
  for (int at = 1; at < count; at++) {
    std::ifstream file(paths[at], std::ios::binary);
    // On the heap and of the exact size: AddressSanitizer sees the first byte behind it.
    const std::vector<char> content{std::istreambuf_iterator<char>(file), {}};
    uint8_t* bytes = new uint8_t[content.size()];
    std::copy(content.begin(), content.end(), bytes);
    LLVMFuzzerTestOneInput(bytes, content.size());
    delete[] bytes;
  }
  std::printf("%d\n", count - 1);
}
