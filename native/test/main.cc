#include <cstdio>
#include <cstring>

#include "harness.h"

// Runs all cases, or those whose names begin as the argument does.
int main(int count, char** arguments) {
  bool is_good = true;
  for (const harness::Case& test : harness::cases()) {
    if (count > 1 && std::strncmp(test.name, arguments[1], std::strlen(arguments[1])) != 0) continue;
    harness::failures().clear();
    test.run();
    const bool passed = harness::failures().empty();
    std::printf("%s %s\n", passed ? "ok" : "FAILED", test.name);
    for (const std::string& failure : harness::failures()) std::printf("  %s\n", failure.c_str());
    std::fflush(stdout);
    is_good = is_good && passed;
  }
  return is_good ? 0 : 1;
}
