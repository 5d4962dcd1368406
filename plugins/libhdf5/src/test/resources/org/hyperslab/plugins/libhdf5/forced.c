/* A library to preload: counts what a process forces to storage, and prints the number when it ends. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static int forced;

int fsync(int descriptor) {
  __atomic_add_fetch(&forced, 1, __ATOMIC_SEQ_CST);
  return (int)syscall(SYS_fsync, descriptor);
}

int fdatasync(int descriptor) {
  __atomic_add_fetch(&forced, 1, __ATOMIC_SEQ_CST);
  return (int)syscall(SYS_fdatasync, descriptor);
}

__attribute__((destructor)) static void print(void) {
  fprintf(stderr, "forced %s\n", forced == 0 ? "nothing" : "something");
}
