// floor: the least that a client can do on this kernel. STREAMS connections,
// one epoll, recvmsg with the kernel's receive stamp, a scan for lines; nothing
// is decoded and nothing kept but times. Prints one line of JSON.
//
//   floor STREAMS REQUESTS TOKENS PORT MODEL
//
// A read is taken to end with a line's end: the endpoint writes whole events,
// and whoever runs this holds the number of frames against what was asked.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE_MS = 60000 };

typedef struct {
  int fd;
  double sent, first, last;
} stream;

static char request[1024];
static int request_len, total, issued, finished;
static double *ttft, *gaps;
static long n_ttft, n_gaps, frames, merged;

static double now(int clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec + t.tv_nsec / 1e9;
}

static void die(const char *what) { perror(what); exit(1); }

static void compose(int tokens, const char *model) {
  char body[512];
  int n = snprintf(body, sizeof body,
    "{\"model\":\"%s\",\"stream\":true,\"max_tokens\":%d,\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}", model, tokens);
  request_len = snprintf(request, sizeof request,
    "POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", n, body);
}

static int dial(int port) {
  struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;
  if (fd < 0 || connect(fd, (void *)&a, sizeof a)) die("connect");
  setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &one, sizeof one);
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  fcntl(fd, F_SETFL, O_NONBLOCK);
  return fd;
}

static void ask(stream *s) {
  if (issued == total) return;
  issued++;
  s->first = 0;
  s->sent = now(CLOCK_REALTIME);
  if (write(s->fd, request, request_len) != request_len) die("write");
}

// scan counts the frames with output in what one read brought; done is set at
// an answer's end.
static int scan(char *p, char *end, int *done) {
  int out = 0;
  for (char *nl; p < end; p = nl + 1) {
    if (!(nl = memchr(p, '\n', end - p))) nl = end;
    if (nl - p < 6 || memcmp(p, "data: ", 6)) continue;
    if (nl - p >= 12 && !memcmp(p + 6, "[DONE]", 6)) { *done = 1; continue; }
    char *c = memmem(p, nl - p, "\"content\":\"", 11);
    out += c && c[11] != '"';
  }
  return out;
}

static void take(stream *s, char *buf, ssize_t n, double at) {
  int done = 0, out = scan(buf, buf + n, &done);
  frames += out;
  merged += out > 1 ? out - 1 : 0;
  for (; out > 0; out--, s->last = at) {
    if (s->first) gaps[n_gaps++] = at - s->last;
    else ttft[n_ttft++] = (s->first = at) - s->sent;
  }
  if (done) finished++, ask(s);
}

static void drain(stream *s) {
  static char buf[65536], oob[128];
  for (;;) {
    struct iovec v = {buf, sizeof buf};
    struct msghdr m = {.msg_iov = &v, .msg_iovlen = 1, .msg_control = oob, .msg_controllen = sizeof oob};
    ssize_t n = recvmsg(s->fd, &m, 0);
    if (n < 0 && errno == EAGAIN) return;
    if (n <= 0) die("recvmsg");
    double at = now(CLOCK_REALTIME);
    for (struct cmsghdr *h = CMSG_FIRSTHDR(&m); h; h = CMSG_NXTHDR(&m, h))
      if (h->cmsg_type == SO_TIMESTAMPNS) {
        struct timespec *t = (void *)CMSG_DATA(h);
        at = t->tv_sec + t->tv_nsec / 1e9;
      }
    take(s, buf, n, at);
  }
}

static int order(const void *a, const void *b) {
  double x = *(double *)a, y = *(double *)b;
  return (x > y) - (x < y);
}

// spread prints mean and nearest-rank percentiles, in milliseconds.
static void spread(const char *name, double *v, long n) {
  double sum = 0;
  if (!n) { printf(", \"%s\": null", name); return; }
  qsort(v, n, sizeof *v, order);
  for (long i = 0; i < n; i++) sum += v[i];
  printf(", \"%s\": {\"mean\": %.6f, \"p50\": %.6f, \"p99\": %.6f}", name,
    sum / n * 1e3, v[(n * 50 + 99) / 100 - 1] * 1e3, v[(n * 99 + 99) / 100 - 1] * 1e3);
}

int main(int argc, char **argv) {
  if (argc != 6) { fprintf(stderr, "floor STREAMS REQUESTS TOKENS PORT MODEL\n"); return 2; }
  int n = atoi(argv[1]), tokens = atoi(argv[3]);
  total = atoi(argv[2]);
  compose(tokens, argv[5]);
  ttft = malloc(sizeof *ttft * total);
  gaps = malloc(sizeof *gaps * total * tokens);
  stream *all = calloc(n, sizeof *all);
  int epoll = epoll_create1(0);
  for (int i = 0; i < n; i++) {
    all[i].fd = dial(atoi(argv[4]));
    struct epoll_event e = {.events = EPOLLIN | EPOLLET, .data.ptr = &all[i]};
    epoll_ctl(epoll, EPOLL_CTL_ADD, all[i].fd, &e);
  }
  double start = now(CLOCK_MONOTONIC);
  for (int i = 0; i < n; i++) ask(&all[i]);
  struct epoll_event events[256];
  while (finished < total) {
    int k = epoll_wait(epoll, events, 256, PATIENCE_MS);
    if (k <= 0) { fprintf(stderr, "floor: nothing for %d s, %d of %d done\n", PATIENCE_MS / 1000, finished, total); return 1; }
    for (int j = 0; j < k; j++) drain(events[j].data.ptr);
  }
  printf("{\"wall_s\": %.6f, \"frames\": %ld, \"merged\": %ld", now(CLOCK_MONOTONIC) - start, frames, merged);
  spread("ttft_ms", ttft, n_ttft);
  spread("itl_ms", gaps, n_gaps);
  puts("}");
}
