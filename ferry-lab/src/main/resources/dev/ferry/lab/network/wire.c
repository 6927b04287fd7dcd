/*
 * A wire between two network namespaces, with delay, rate, queue and loss. Linux only.
 *
 *   wire forward DELAY RATE LOSS QUEUE OFFLOAD CONGESTION
 *   wire enter PID client|server COMMAND...
 *
 * "forward" makes the two namespaces, "client" and "server", with a TUN device in each, and passes
 * the packets of each to the other:
 *   DELAY       of one direction, in nanoseconds
 *   RATE        of one direction, in bits of IP packets per second; 0 for no limit
 *   LOSS        of each direction, in packets per million
 *   QUEUE       in bytes: packets that find more than this before them are dropped
 *   OFFLOAD     1 to take segments of TCP together, up to 64 KiB, which costs less CPU; else 0
 *   CONGESTION  the kernel's congestion control by name; "default" for that of the system
 * It prints a line of JSON when it is ready, after each line of its standard input, and at its end,
 * which is the end of its standard input.
 *
 * It also counts hops: the length of the longest chain of messages in which each was sent when the
 * one before had arrived at its end. A message is a segment of TCP that opens a connection or has
 * bytes of one. Two hops are a round trip that a program may have waited for.
 *
 * And it counts the bytes that TCP sent again: those of a segment that stand before the highest that
 * its connection has sent in this direction. A segment counts also if the wire then loses it.
 *
 * The lengths of the chains that ended at the client and at the server, and the bytes that either
 * has sent again, are in a page of memory, so that processes at the ends can read them at any time
 * and without a call.
 *
 * "enter" runs a command at one end of the wire of the process PID.
 *
 * The namespaces have no names. They exist as long as a process is in them or the forwarder runs,
 * and a TUN device exists as long as the forwarder has it open. So nothing remains after any end.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/if_tun.h>
#include <linux/rtnetlink.h>
#include <linux/virtio_net.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define DEVICE "wire"
#define SECOND 1000000000ull
#define MILLION 1000000u
/* A packet is at most 64 KiB, and has a header of virtio if segments are taken together. */
#define PACKET_MAX (65536 + sizeof(struct virtio_net_hdr))
/* Packets that are read in turn before the other direction has its turn. */
#define BATCH 64
/* The kernel's queue before the forwarder. The queue of the wire is the forwarder's own. */
#define DEVICE_QUEUE 10000
/* Room beside the packets under way, and all the room of a wire without a rate. */
#define ROOM (64ull << 20)
/* A sleep without a packet. */
#define IDLE SECOND
/* A later wake-up is a disturbance, and not how long a wake-up takes. On a short wire it is less. */
#define LATE_MAX 200000
/* Weight of the wake-ups before in their mean. */
#define LATE_WEIGHT 16

enum { CLIENT, SERVER };

static const char *const names[] = {"client", "server"};
/* RFC 2544 reserves 198.18.0.0/15 for benchmarks. */
static const char *const addresses[] = {"198.18.0.1", "198.18.0.2"};
/* The descriptors of the namespaces, by which "enter" finds them. */
static const int namespaces[] = {100, 101};
/* The descriptor of the page of counters, by which processes at the ends find it. */
#define PAGE 102
/* One for each port of a client. */
#define FLOWS 65536

/* A packet under way; its bytes follow. */
struct packet {
  uint64_t due;
  uint32_t length;
  uint32_t segments;
  uint64_t hops; /* of the longest chain that ends with it; 0 if it is no message */
};

/* What processes at the ends can read. All of it is indexed by an end. */
struct page {
  volatile uint64_t hops[2];       /* of the longest chain that has ended there */
  volatile uint64_t sent_again[2]; /* bytes of TCP that it sent again */
};

/* A segment of TCP, or several together. */
struct segment {
  uint16_t from, to; /* ports */
  uint32_t sequence; /* of its first byte */
  uint32_t bytes;
  int opens; /* whether it opens the connection */
};

/* One direction of the last connection from a port of a client. */
struct flow {
  uint16_t server; /* the other port; 0 if there was no connection */
  uint32_t end;    /* the sequence number after the highest byte that was sent */
};

/* One direction. The packets are in a ring of bytes; none crosses its end. */
struct direction {
  int from, to;
  struct direction *back;
  volatile uint64_t *hops;       /* of the longest chain that has ended where this one begins */
  volatile uint64_t *sent_again; /* bytes of TCP */
  struct flow *flows;            /* by the client's port */
  unsigned char *ring;
  size_t size, head, tail, wrap; /* bytes from wrap on are unused */
  size_t count;
  uint64_t free_at; /* when the last packet has left the queue */
  uint64_t random;
  uint64_t packets, segments, bytes, lost, overflowed, refused;
};

static uint64_t delay, rate, loss, queue;
/*
 * How long a wake-up takes, in nanoseconds: the mean of those by the timer. A wake-up by a packet
 * takes as long. Sleeps end so much earlier, and packets that end a sleep came so much earlier.
 */
static uint64_t late;
static int offload;
static const char *congestion;

static void fail(const char *format, ...) {
  int error = errno;
  va_list arguments;
  fprintf(stderr, "wire: ");
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fprintf(stderr, ": %s\n", strerror(error));
  exit(1);
}

static uint64_t clock_nanos(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec * SECOND + t.tv_nsec;
}

static uint64_t now(void) { return clock_nanos(CLOCK_MONOTONIC); }

/* Writes a file of /proc. Returns whether that worked. */
static int put(const char *file, const char *text) {
  int f = open(file, O_WRONLY | O_CLOEXEC);
  if (f < 0) return 0;
  int written = write(f, text, strlen(text)) == (ssize_t)strlen(text);
  close(f);
  return written;
}

/* ---- the namespaces ---- */

/* Goes to a new network namespace, in a new user namespace if this user may not make one. */
static void first_namespace(void) {
  char map[64];
  unsigned user = geteuid(), group = getegid();
  if (unshare(CLONE_NEWNET) == 0) return;
  if (errno != EPERM) fail("no network namespace");
  if (unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0) fail("no user namespace");
  put("/proc/self/setgroups", "deny");
  snprintf(map, sizeof map, "0 %u 1", user);
  if (!put("/proc/self/uid_map", map)) fail("no user in the user namespace");
  snprintf(map, sizeof map, "0 %u 1", group);
  if (!put("/proc/self/gid_map", map)) fail("no group in the user namespace");
}

static void keep_namespace(int end) {
  int f = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
  if (f < 0 || dup3(f, namespaces[end], O_CLOEXEC) < 0) fail("no network namespace");
  close(f);
}

static struct ifreq request(const char *device) {
  struct ifreq r;
  memset(&r, 0, sizeof r);
  snprintf(r.ifr_name, sizeof r.ifr_name, "%s", device);
  return r;
}

static void bring_up(int s, const char *device) {
  struct ifreq r = request(device);
  r.ifr_flags = IFF_UP;
  if (ioctl(s, SIOCSIFFLAGS, &r) != 0) fail("%s stays down", device);
}

static void attribute(struct nlmsghdr *message, int type, const void *data, size_t length) {
  struct rtattr *a = (struct rtattr *)((char *)message + NLMSG_ALIGN(message->nlmsg_len));
  a->rta_type = type;
  a->rta_len = RTA_LENGTH(length);
  memcpy(RTA_DATA(a), data, length);
  message->nlmsg_len = NLMSG_ALIGN(message->nlmsg_len) + RTA_ALIGN(a->rta_len);
}

/* Routes to the other end, with the congestion control of its connections. */
static void add_route(int end) {
  struct {
    struct nlmsghdr header;
    struct rtmsg route;
    char attributes[256];
  } m;
  struct in_addr own, other;
  int device = if_nametoindex(DEVICE);
  memset(&m, 0, sizeof m);
  inet_pton(AF_INET, addresses[end], &own);
  inet_pton(AF_INET, addresses[1 - end], &other);
  m.header.nlmsg_len = NLMSG_LENGTH(sizeof m.route);
  m.header.nlmsg_type = RTM_NEWROUTE;
  m.header.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | NLM_F_CREATE;
  m.route.rtm_family = AF_INET;
  m.route.rtm_dst_len = 32;
  m.route.rtm_table = RT_TABLE_MAIN;
  m.route.rtm_protocol = RTPROT_STATIC;
  m.route.rtm_scope = RT_SCOPE_LINK;
  m.route.rtm_type = RTN_UNICAST;
  attribute(&m.header, RTA_DST, &other, sizeof other);
  attribute(&m.header, RTA_PREFSRC, &own, sizeof own);
  attribute(&m.header, RTA_OIF, &device, sizeof device);
  if (strcmp(congestion, "default") != 0) {
    struct {
      struct rtattr head;
      char name[16];
    } metric;
    memset(&metric, 0, sizeof metric);
    metric.head.rta_type = RTAX_CC_ALGO;
    metric.head.rta_len = RTA_LENGTH(snprintf(metric.name, sizeof metric.name, "%s", congestion) + 1);
    attribute(&m.header, RTA_METRICS, &metric, RTA_ALIGN(metric.head.rta_len));
  }
  int s = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
  struct {
    struct nlmsghdr header;
    struct nlmsgerr error;
    char rest[512];
  } answer;
  if (s < 0 || send(s, &m, m.header.nlmsg_len, 0) < 0 || recv(s, &answer, sizeof answer, 0) < 0) {
    fail("no route");
  }
  close(s);
  errno = -answer.error.error;
  if (errno != 0) fail("no route with congestion control %s", congestion);
}

/* Makes the device of an end in the namespace of this process. Returns its descriptor. */
static int open_device(int end) {
  int f = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (f < 0) fail("/dev/net/tun cannot be opened");
  struct ifreq r = request(DEVICE);
  r.ifr_flags = IFF_TUN | IFF_NO_PI | (offload ? IFF_VNET_HDR : 0);
  if (ioctl(f, TUNSETIFF, &r) != 0) fail("no TUN device");
  if (offload && ioctl(f, TUNSETOFFLOAD, TUN_F_CSUM | TUN_F_TSO4) != 0) fail("no offload");
  int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  r = request(DEVICE);
  r.ifr_qlen = DEVICE_QUEUE;
  if (s < 0 || ioctl(s, SIOCSIFTXQLEN, &r) != 0) fail("no queue of the device");
  r = request(DEVICE);
  struct sockaddr_in *address = (struct sockaddr_in *)&r.ifr_addr;
  address->sin_family = AF_INET;
  inet_pton(AF_INET, addresses[end], &address->sin_addr);
  if (ioctl(s, SIOCSIFADDR, &r) != 0) fail("no address");
  r = request(DEVICE);
  address->sin_family = AF_INET;
  inet_pton(AF_INET, "255.255.255.255", &address->sin_addr);
  if (ioctl(s, SIOCSIFNETMASK, &r) != 0) fail("no mask of the address");
  bring_up(s, DEVICE);
  bring_up(s, "lo");
  close(s);
  add_route(end);
  return f;
}

/* ---- what was counted ---- */

/* Returns how often TCP has sent a segment again in a namespace; -1 if that is not known. */
static long long retransmitted(int end) {
  enum { COLUMN = 12 }; /* "Tcp:" is column 0 */
  char line[1024];
  long long result = -1;
  if (setns(namespaces[end], CLONE_NEWNET) != 0) return -1;
  FILE *f = fopen("/proc/thread-self/net/snmp", "re");
  while (f != NULL && fgets(line, sizeof line, f) != NULL) {
    /* The second line of TCP has the numbers, the first their names. */
    char *word = strtok(line, " \n");
    if (word == NULL || strcmp(word, "Tcp:") != 0) continue;
    for (int i = 0; i < COLUMN && word != NULL; i++) word = strtok(NULL, " \n");
    if (word != NULL && word[0] >= '0' && word[0] <= '9') result = atoll(word);
  }
  if (f != NULL) fclose(f);
  return result;
}

static void print_counters(struct direction *directions, uint64_t start) {
  printf("{\"elapsedNanos\":%" PRIu64 ",\"cpuNanos\":%" PRIu64 ",\"wakeUpNanos\":%" PRIu64,
         now() - start, clock_nanos(CLOCK_PROCESS_CPUTIME_ID), late);
  for (int end = CLIENT; end <= SERVER; end++) {
    struct direction *d = &directions[end];
    printf(",\"%s\":{\"packets\":%" PRIu64 ",\"segments\":%" PRIu64 ",\"bytes\":%" PRIu64
           ",\"lost\":%" PRIu64 ",\"overflowed\":%" PRIu64 ",\"refused\":%" PRIu64
           ",\"retransmitted\":%lld}",
           names[end], d->packets, d->segments, d->bytes, d->lost, d->overflowed, d->refused,
           retransmitted(end));
  }
  printf("}\n");
  fflush(stdout);
}

/* Prints which congestion control connections get, and whether they inherit from others. */
static void print_ready(int fresh) {
  char name[64] = "unknown";
  FILE *f = fopen("/proc/sys/net/ipv4/tcp_congestion_control", "re");
  if (f != NULL) {
    if (fgets(name, sizeof name, f) != NULL) name[strcspn(name, "\n")] = 0;
    fclose(f);
  }
  printf("{\"congestion\":\"%s\",\"freshConnections\":%s}\n",
         strcmp(congestion, "default") == 0 ? name : congestion, fresh ? "true" : "false");
  fflush(stdout);
}

/* ---- forwarding ---- */

/* xorshift64* of Vigna: the loss must not repeat within a run. */
static uint32_t random_number(uint64_t *state) {
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return (uint32_t)((*state * 2685821657736338717ull) >> 32);
}

static struct page *open_page(void) {
  size_t size = sizeof(struct page);
  int f = memfd_create("counters", MFD_CLOEXEC);
  if (f < 0 || ftruncate(f, size) != 0 || dup3(f, PAGE, O_CLOEXEC) < 0) fail("no page of counters");
  close(f);
  void *page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, PAGE, 0);
  if (page == MAP_FAILED) fail("no page of counters");
  return page;
}

static uint32_t two_bytes(const unsigned char *b) { return b[0] << 8 | b[1]; }

/* Reads the headers of a packet. Returns whether it is one of TCP. */
static int read_segment(const unsigned char *ip, size_t length, struct segment *s) {
  if (length < 20 || ip[0] >> 4 != 4 || ip[9] != IPPROTO_TCP) return 0;
  size_t header = (ip[0] & 15) * 4;
  if (length < header + 20) return 0;
  const unsigned char *tcp = ip + header;
  size_t begin = header + (tcp[12] >> 4) * 4;
  s->from = two_bytes(tcp);
  s->to = two_bytes(tcp + 2);
  s->sequence = two_bytes(tcp + 4) << 16 | two_bytes(tcp + 6);
  s->bytes = length > begin ? length - begin : 0;
  s->opens = (tcp[13] & 2) != 0;
  return 1;
}

/*
 * Counts the bytes that were sent before. Two connections from one port of the client to different
 * ports of the server share a place, and what they send again may then not be counted.
 */
static void count_sent_again(struct direction *d, const struct segment *s, int from_client) {
  struct flow *f = &d->flows[from_client ? s->from : s->to];
  uint16_t server = from_client ? s->to : s->from;
  /* The byte after an opening segment has the next number. */
  uint32_t end = s->sequence + s->bytes + (s->opens ? 1 : 0);
  if (s->opens || f->server != server) {
    f->server = server;
    f->end = end;
    return;
  }
  /* Sequence numbers begin again after 2^32. */
  int32_t before = f->end - s->sequence;
  if (before > 0) *d->sent_again += (uint32_t)before < s->bytes ? (uint32_t)before : s->bytes;
  if ((int32_t)(end - f->end) > 0) f->end = end;
}

static size_t record_bytes(size_t length) {
  return (sizeof(struct packet) + length + 15) & ~(size_t)15;
}

/* Returns where a packet of the largest size fits; NULL if there is no room. */
static struct packet *room(struct direction *d) {
  size_t wanted = record_bytes(PACKET_MAX);
  if (d->count == 0) {
    /* The same memory again, which is in the processor's cache. */
    d->head = d->tail = 0;
    d->wrap = d->size;
  }
  if (d->head < d->tail || (d->head == d->tail && d->count > 0)) {
    return d->tail - d->head >= wanted ? (struct packet *)(d->ring + d->head) : NULL;
  }
  if (d->size - d->head >= wanted) return (struct packet *)(d->ring + d->head);
  if (d->tail < wanted) return NULL;
  d->wrap = d->head;
  d->head = 0;
  return (struct packet *)d->ring;
}

static struct packet *first(struct direction *d) {
  if (d->count == 0) return NULL;
  if (d->tail == d->wrap) {
    d->tail = 0;
    d->wrap = d->size;
  }
  return (struct packet *)(d->ring + d->tail);
}

/*
 * Reads one packet of an end, which came at this time, and drops it or decides when it is due at
 * the other end. Returns whether there was one.
 */
static int take(struct direction *d, int end, uint64_t t) {
  static unsigned char spill[PACKET_MAX];
  struct packet *p = room(d);
  unsigned char *bytes = p == NULL ? spill : (unsigned char *)(p + 1);
  ssize_t n = read(d->from, bytes, PACKET_MAX);
  if (n <= 0) return 0;
  /* The time of a packet on the wire is that of its segments, each with headers of its own. */
  uint64_t wire_bytes = n, segments = 1;
  size_t ip = offload ? sizeof(struct virtio_net_hdr) : 0;
  if (offload) {
    struct virtio_net_hdr *h = (struct virtio_net_hdr *)bytes;
    /* The kernel sends no such packet, and none could be delivered. */
    if (wire_bytes < sizeof *h) return 1;
    wire_bytes -= sizeof *h;
    if (h->gso_type != VIRTIO_NET_HDR_GSO_NONE && h->gso_size > 0 && h->hdr_len < wire_bytes) {
      segments = (wire_bytes - h->hdr_len + h->gso_size - 1) / h->gso_size;
      wire_bytes += (segments - 1) * h->hdr_len;
    }
  }
  struct segment s;
  int tcp = read_segment(bytes + ip, n - ip, &s);
  if (tcp) count_sent_again(d, &s, end == CLIENT);
  if (loss > 0 && random_number(&d->random) % MILLION < loss) {
    d->lost += segments;
    return 1;
  }
  uint64_t begin = d->free_at > t ? d->free_at : t;
  if (p == NULL || (rate > 0 && (double)(begin - t) * rate / (8.0 * SECOND) > queue)) {
    d->overflowed += segments;
    return 1;
  }
  d->free_at = rate > 0 ? begin + (uint64_t)(wire_bytes * 8.0 * SECOND / rate) : t;
  p->due = d->free_at + delay;
  p->length = n;
  p->segments = segments;
  p->hops = tcp && (s.opens || s.bytes > 0) ? *d->hops + 1 : 0;
  d->head += record_bytes(n);
  d->count++;
  d->packets++;
  d->segments += segments;
  d->bytes += wire_bytes;
  return 1;
}

/* Delivers what is due before the next wake-up. */
static void deliver(struct direction *d) {
  struct packet *p;
  uint64_t t = now() + late;
  while ((p = first(d)) != NULL && p->due <= t) {
    if (p->hops > *d->back->hops) *d->back->hops = p->hops;
    if (write(d->to, p + 1, p->length) < 0) d->refused += p->segments;
    d->tail += record_bytes(p->length);
    d->count--;
  }
}

static void forward(struct direction *directions) {
  uint64_t start = now();
  struct pollfd polled[] = {{directions[CLIENT].from, POLLIN, 0},
                            {directions[SERVER].from, POLLIN, 0},
                            {STDIN_FILENO, POLLIN, 0}};
  uint64_t slept = 0, late_max = delay / 4 < LATE_MAX ? delay / 4 : LATE_MAX;
  for (;;) {
    uint64_t came = now() - slept, next = came + IDLE;
    int more = 0;
    for (int end = CLIENT; end <= SERVER; end++) {
      struct direction *d = &directions[end];
      int taken = 0;
      while (taken < BATCH && take(d, end, came)) taken++;
      more |= taken == BATCH;
      deliver(d);
      struct packet *p = first(d);
      if (p != NULL && p->due < next) next = p->due;
    }
    uint64_t t = now();
    uint64_t wait = more || next <= t + late ? 0 : next - late - t;
    struct timespec timeout = {wait / SECOND, wait % SECOND};
    int events = ppoll(polled, 3, &timeout, NULL);
    if (events < 0 && errno != EINTR) fail("no poll");
    if (events == 0 && wait > 0) {
      uint64_t now_late = now() - t - wait;
      if (now_late > late_max) now_late = late_max;
      late = (late * (LATE_WEIGHT - 1) + now_late) / LATE_WEIGHT;
    }
    slept = wait > 0 ? late : 0;
    if (polled[2].revents != 0) {
      char line[256];
      ssize_t n = read(STDIN_FILENO, line, sizeof line);
      print_counters(directions, start);
      if (n <= 0) return;
    }
  }
}

static uint64_t number(const char *text) { return strtoull(text, NULL, 10); }

static int run_forward(char **arguments) {
  struct direction directions[2];
  int devices[2], fresh = 1;
  delay = number(arguments[0]);
  rate = number(arguments[1]);
  loss = number(arguments[2]);
  queue = number(arguments[3]);
  offload = number(arguments[4]) != 0;
  congestion = arguments[5];
  /* A sleep ends when the packet is due, and not up to 50 us later. */
  prctl(PR_SET_TIMERSLACK, 1);
  /* A wire waits for no processor. Without the right to do this it does at times. */
  if (setpriority(PRIO_PROCESS, 0, -20) != 0) errno = 0;
  for (int end = CLIENT; end <= SERVER; end++) {
    if (end == CLIENT) {
      first_namespace();
    } else if (unshare(CLONE_NEWNET) != 0) {
      fail("no network namespace");
    }
    keep_namespace(end);
    /* What one connection learns of the wire must not help or hinder the next. */
    fresh &= put("/proc/sys/net/ipv4/tcp_no_metrics_save", "1");
    devices[end] = open_device(end);
  }
  memset(directions, 0, sizeof directions);
  struct page *page = open_page();
  for (int end = CLIENT; end <= SERVER; end++) {
    struct direction *d = &directions[end];
    d->from = devices[end];
    d->to = devices[1 - end];
    d->back = &directions[1 - end];
    d->hops = &page->hops[end];
    d->sent_again = &page->sent_again[end];
    d->flows = calloc(FLOWS, sizeof(struct flow));
    d->size = ROOM + queue + (uint64_t)((double)rate * delay / (8.0 * SECOND));
    d->ring = malloc(d->size);
    if (d->ring == NULL || d->flows == NULL) fail("no memory for packets");
    d->random = 88172645463325252ull + end;
  }
  print_ready(fresh);
  forward(directions);
  return 0;
}

/* ---- the ends ---- */

static int same_file(const char *a, const char *b) {
  struct stat x, y;
  return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_ino == y.st_ino && x.st_dev == y.st_dev;
}

static int run_enter(const char *pid, const char *end, char **command) {
  char user[64], net[64];
  snprintf(user, sizeof user, "/proc/%s/ns/user", pid);
  snprintf(net, sizeof net, "/proc/%s/fd/%d", pid,
           namespaces[strcmp(end, names[SERVER]) == 0 ? SERVER : CLIENT]);
  int n = open(net, O_RDONLY | O_CLOEXEC);
  if (n < 0) fail("no wire of the process %s", pid);
  if (!same_file(user, "/proc/self/ns/user")) {
    int u = open(user, O_RDONLY | O_CLOEXEC);
    if (u < 0 || setns(u, CLONE_NEWUSER) != 0) fail("no way into the user namespace");
  }
  if (setns(n, CLONE_NEWNET) != 0) fail("no way into the network namespace");
  execvp(command[0], command);
  fail("%s cannot be started", command[0]);
  return 1;
}

int main(int count, char **arguments) {
  if (count == 8 && strcmp(arguments[1], "forward") == 0) return run_forward(arguments + 2);
  if (count > 4 && strcmp(arguments[1], "enter") == 0) {
    return run_enter(arguments[2], arguments[3], arguments + 4);
  }
  fprintf(stderr, "wire: see the head of wire.c for its arguments\n");
  return 2;
}
