// Calls the functions of stub_api.ts by the header that is made of it: FILE. Ends with the line of what is wrong.
#include "llvm_rpc.hpp"
#include "stubs.hpp"
#include <cmath>

#define EXPECT(condition)                                                                                              \
  if (!(condition)) return __LINE__

int main(int argc, char **argv) {
  if (argc != 2) return 9;
  Memory memory(argv[1], true, 1, 1);
  rpc::Client client{memory};
  for (int round = 0; round < 3; round++) {
    auto length = tried::hypot(client, 3, 4);
    EXPECT(length.error == 0 && length.value == 5);
    EXPECT(tried::wide(client, true, -5, 250, -30000, 60000, -7, 9).value == -7 + 250 - 30000 + 60000 - 7 + 9);
    auto quotient = tried::divide(client, 17, 5);
    EXPECT(quotient.error == 0 && quotient.value.quotient == 3 && quotient.value.rest.low == 2);
    EXPECT(tried::root(client, 9).value == 3);
    EXPECT(tried::root(client, -1).error == 33);
    double numbers[100];
    double sum = 0;
    for (int index = 0; index < 100; index++) sum += numbers[index] = index / 4.0;
    EXPECT(tried::sum(client, numbers, sizeof numbers, 100).value == sum);
    EXPECT(tried::sum(client, numbers, 8, 100).error == -1); // its length is none of the others'
    char text[300] = "unwritten";
    const char *given = "a text of more than one packet, which is therefore longer than 56 bytes: ä";
    EXPECT(tried::upper(client, given, text, sizeof text).value == strlen(given));
    EXPECT(!strncmp(text, "A TEXT OF MORE THAN ONE PACKET", 30));
    EXPECT(tried::upper(client, nullptr, text, sizeof text).value == 0);
    tried::turn_a0 point{{1, 2, 3}, 7};
    tried::turn_a1 before;
    EXPECT(tried::turn(client, &point, &before).error == 0);
    EXPECT(point.at[0] == 3 && point.at[2] == 1 && point.turns == 8 && before.sum == 6);
    EXPECT(tried::turn(client, nullptr, &before).error == 0 && before.sum == 0);
    auto log = tried::open(client, "log");
    EXPECT(log.error == 0 && log.value != 0);
    EXPECT(tried::write(client, log.value, "twice").value == 5);
    EXPECT(tried::each(client, "twice", 21).value == 42);
    EXPECT(tried::close(client, log.value).error == 0);
    EXPECT(tried::close(client, log.value).error == -1);
    EXPECT(tried::fail(client, given).error == -1);
  }
  return 0;
}
