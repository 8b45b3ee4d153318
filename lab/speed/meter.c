// meter: runs a command and writes what it used, as JSON, to a file. A process
// of its own, since a child's peak of memory counts from the fork: from a large
// parent it would be the parent's.
//
//   meter FILE COMMAND…
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static double seconds(struct timeval t) { return t.tv_sec + t.tv_usec / 1e6; }

int main(int argc, char **argv) {
  if (argc < 3) { fprintf(stderr, "meter FILE COMMAND…\n"); return 2; }
  pid_t child = fork();
  if (child < 0) { perror("fork"); return 1; }
  if (child == 0) {
    execvp(argv[2], argv + 2);
    perror(argv[2]);
    _exit(127);
  }
  int status;
  struct rusage use;
  if (wait4(child, &status, 0, &use) < 0) { perror("wait4"); return 1; }
  int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  FILE *f = fopen(argv[1], "w");
  if (!f) { perror(argv[1]); return 1; }
  fprintf(f, "{\"exit\": %d, \"cpu_s\": %.6f, \"peak_kib\": %ld}\n", code, seconds(use.ru_utime) + seconds(use.ru_stime), use.ru_maxrss);
  fclose(f);
  return code;
}
