/* replay PLATFORM FLOWS --cfg=…: the times at which flows end on SimGrid's platform, one a line, in
 * seconds. A line of FLOWS has the start in seconds, the numbers of two hosts, and the bytes. */
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/mailbox.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_FLOWS = 100000 };

struct flow {
  double start, bytes, end;
  int number;
};

static struct flow flows[MOST_FLOWS];

static struct flow *flow_of(char *argv[]) { return &flows[atoi(argv[1])]; }

static sg_mailbox_t mailbox(const struct flow *flow) {
  char name[32];
  snprintf(name, sizeof name, "f%d", flow->number);
  return sg_mailbox_by_name(name);
}

static void sender(int argc, char *argv[]) {
  (void)argc;
  static int token;
  const struct flow *flow = flow_of(argv);
  sg_actor_sleep_for(flow->start);
  sg_mailbox_put(mailbox(flow), &token, (long)flow->bytes);
}

static void receiver(int argc, char *argv[]) {
  (void)argc;
  struct flow *flow = flow_of(argv);
  sg_mailbox_get(mailbox(flow));
  flow->end = simgrid_get_clock();
}

static void start(const char *what, int host, int number, xbt_main_func_t code) {
  char name[32], argument[32];
  snprintf(name, sizeof name, "h%d", host);
  snprintf(argument, sizeof argument, "%d", number);
  const char *argv[] = {what, argument, NULL};
  sg_actor_t actor = sg_actor_init(what, sg_host_by_name(name));
  sg_actor_start_(actor, code, 2, argv);
}

int main(int argc, char *argv[]) {
  simgrid_init(&argc, argv);
  FILE *in = argc == 3 ? fopen(argv[2], "r") : NULL;
  if (!in) {
    return 2;
  }
  simgrid_load_platform(argv[1]);
  int count = 0, from, to;
  struct flow *next = flows;
  while (count < MOST_FLOWS && fscanf(in, "%lf %d %d %lf", &next->start, &from, &to, &next->bytes) == 4) {
    next->number = count;
    start("sender", from, count, sender);
    start("receiver", to, count, receiver);
    next = &flows[++count];
  }
  simgrid_run();
  for (int i = 0; i < count; i++) {
    printf("%.9e\n", flows[i].end);
  }
  return count > 0 ? 0 : 1;
}
