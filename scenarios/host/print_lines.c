/* Lines by C's printf, for comparison. The file is a stream of the library, with the buffer that C
   gives it. */
#include <stdio.h>

#define REWIND_BYTES (1 << 24)

void *lines_open(const char *path) { return fopen(path, "w"); }

int lines_close(void *file) { return fclose(file); }

static double print_turn(FILE *file, unsigned waves, unsigned lanes, unsigned lines) {
  double bytes = 0;
  for (unsigned wave = 0; wave < waves; wave++)
    for (unsigned lane = 0; lane < lanes; lane++)
      for (unsigned line = 0; line < lines; line++)
        bytes += fprintf(file, "wave %u lane %u: line %u, %f\n", wave, lane, line, line * 0.25);
  return bytes;
}

/* Prints all lines as often as told; returns their bytes, or -1. They have reached the system then. */
double lines_print(void *file, unsigned turns, unsigned waves, unsigned lanes, unsigned lines) {
  double bytes = 0;
  for (unsigned turn = 0; turn < turns; turn++) {
    if (ftell(file) > REWIND_BYTES) rewind(file);
    bytes += print_turn(file, waves, lanes, lines);
  }
  return fflush(file) == 0 ? bytes : -1;
}
