/*
 * Lets every write to a database of Tillgate fail while the file that FAILING_DISK names is there, and every read
 * while that of FAILING_READS is.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int fails_by(const char *variable, int file) {
  const char *flag = getenv(variable);
  char link[64], name[4096];
  if (flag == NULL || access(flag, F_OK) != 0) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, name, sizeof name - 1);
  if (length < 0) return 0;
  name[length] = 0;
  if (strstr(name, "tillgate.db") == NULL) return 0;
  errno = EIO;
  return 1;
}

static int fails(int file) { return fails_by("FAILING_DISK", file); }

#define REAL(type, name, ...)                                  \
  static type (*real)(__VA_ARGS__);                            \
  if (real == NULL) real = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

ssize_t pwrite(int file, const void *bytes, size_t count, off_t at) {
  REAL(ssize_t, "pwrite", int, const void *, size_t, off_t);
  return fails(file) ? -1 : real(file, bytes, count, at);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at) {
  REAL(ssize_t, "pwrite64", int, const void *, size_t, off64_t);
  return fails(file) ? -1 : real(file, bytes, count, at);
}

ssize_t write(int file, const void *bytes, size_t count) {
  REAL(ssize_t, "write", int, const void *, size_t);
  return fails(file) ? -1 : real(file, bytes, count);
}

int fsync(int file) {
  REAL(int, "fsync", int);
  return fails(file) ? -1 : real(file);
}

int fdatasync(int file) {
  REAL(int, "fdatasync", int);
  return fails(file) ? -1 : real(file);
}

ssize_t pread(int file, void *bytes, size_t count, off_t at) {
  REAL(ssize_t, "pread", int, void *, size_t, off_t);
  return fails_by("FAILING_READS", file) ? -1 : real(file, bytes, count, at);
}

ssize_t pread64(int file, void *bytes, size_t count, off64_t at) {
  REAL(ssize_t, "pread64", int, void *, size_t, off64_t);
  return fails_by("FAILING_READS", file) ? -1 : real(file, bytes, count, at);
}

ssize_t read(int file, void *bytes, size_t count) {
  REAL(ssize_t, "read", int, void *, size_t);
  return fails_by("FAILING_READS", file) ? -1 : real(file, bytes, count);
}
