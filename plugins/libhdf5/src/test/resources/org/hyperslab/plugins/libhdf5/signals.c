/*
 * A program with handlers of its own, installed before libhdf5 is used and after. With the JDK's
 * libjsig.so preloaded those of SIGSEGV are kept too: the program gets its own faults.
 *   signals FILE [faults]
 */
#include "hdf5.h"
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static volatile sig_atomic_t heard[65];
static sigjmp_buf back;

static void hear(int number) { heard[number]++; }

static void fault(int number) {
  heard[number]++;
  siglongjmp(back, 1);
}

static int count(int number) {
  raise(number);
  return heard[number];
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  int faults = argc > 2;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = hear;
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGUSR1, &action, NULL);
  action.sa_handler = fault;
  if (faults) sigaction(SIGSEGV, &action, NULL);
  hid_t file = H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  action.sa_handler = hear;
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGHUP, &action, NULL);
  printf("heard %d %d %d %d\n", count(SIGTERM), count(SIGUSR1), count(SIGINT), count(SIGHUP));
  for (int i = 0; faults && i < 2; i++)
    if (sigsetjmp(back, 1) == 0) *(volatile int *)0x10 = 1;
  printf("faults %d\n", (int)heard[SIGSEGV]);
  hid_t group = H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  printf("made %d\n", group >= 0 && H5Gclose(group) >= 0 && H5Fclose(file) >= 0);
  return 0;
}
