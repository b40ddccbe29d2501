/* A client (FILE call COUNT) and a server (FILE serve COUNT) by the header of a channel: each lane plus one. */
#include "channel.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void rest(unsigned round) {
  if (round % 1024 == 1023) usleep(50);
}

static int call(portlab_side *side, uint32_t value) {
  int32_t port;
  int wrong = 0;
  for (unsigned round = 0; (port = portlab_client_open(side, 40000, PORTLAB_ALL_LANES)) < 0; round++) rest(round);
  for (uint32_t lane = 0; lane < PORTLAB_LANE_COUNT; lane++) portlab_lane(side, port, lane)[0] = value + lane;
  portlab_client_send(side, port);
  for (unsigned round = 0; !portlab_client_owns(side, port); round++) {
    rest(round);
    if (!portlab_is_running(side)) return 1;
  }
  wrong += portlab_client_status(side, port) != 0;
  for (uint32_t lane = 0; lane < PORTLAB_LANE_COUNT; lane++)
    wrong += portlab_lane(side, port, lane)[0] != value + lane + 1;
  portlab_client_close(side, port);
  return wrong;
}

int main(int argc, char **argv) {
  portlab_side side;
  if (argc != 4 || portlab_open(&side, argv[1])) return 9;
  puts("ready");
  fflush(stdout);
  uint32_t count = atol(argv[3]);
  int wrong = 0;
  if (!strcmp(argv[2], "call")) {
    for (uint32_t value = 0; value < count; value++) wrong += call(&side, value);
    return wrong > 8 ? 8 : wrong;
  }
  for (unsigned round = 0; count > 0; round++) {
    int32_t port = portlab_server_open(&side);
    if (port < 0) {
      rest(round);
      continue;
    }
    uint64_t mask = portlab_mask(&side, port);
    int known = portlab_server_opcode(&side, port) == 40000;
    for (uint32_t lane = 0; known && lane < PORTLAB_LANE_COUNT; lane++)
      if (mask >> lane & 1) portlab_lane(&side, port, lane)[0]++;
    portlab_server_close(&side, port, known ? 0 : 1);
    count--;
  }
  return 0;
}
