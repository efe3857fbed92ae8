/*
 * Loaded before libc: lets one call on files below a folder fail with EIO. The control file holds the number of calls until then,
 * and from its eighth byte the name of the call that has failed.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static int *control;
static const char *folder;

__attribute__((constructor)) static void init(void) {
  const char *file = getenv("IO_ERRORS_CONTROL");
  folder = getenv("IO_ERRORS_FOLDER");
  if (file == NULL || folder == NULL) return;
  int fd = open(file, O_RDWR);
  if (fd < 0) return;
  void *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (shared != MAP_FAILED) control = shared;
}

static int isInside(const char *path) {
  return control != NULL && *control > 0 && path != NULL && strncmp(path, folder, strlen(folder)) == 0;
}

static int isOpenInside(int fd) {
  if (control == NULL || *control <= 0) return 0;
  char link[64], path[512];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  int before = errno;
  ssize_t length = readlink(link, path, sizeof path - 1);
  errno = before;
  if (length < 0) return 0;
  path[length] = 0;
  return isInside(path);
}

static int fails(const char *name) {
  if (__sync_sub_and_fetch(control, 1) != 0) return 0;
  strncpy((char *)&control[2], name, 50);
  errno = EIO;
  return 1;
}

#define BY_PATH(result, name, parameters, arguments, path, error)               \
  result name parameters {                                                      \
    static result(*real) parameters;                                            \
    if (real == NULL) real = (result(*) parameters)dlsym(RTLD_NEXT, #name);     \
    return isInside(path) && fails(#name) ? error : real arguments;             \
  }
#define BY_DESCRIPTOR(result, name, parameters, arguments)                      \
  result name parameters {                                                      \
    static result(*real) parameters;                                            \
    if (real == NULL) real = (result(*) parameters)dlsym(RTLD_NEXT, #name);     \
    return isOpenInside(fd) && fails(#name) ? -1 : real arguments;              \
  }
#define OPEN(name)                                                              \
  int name(const char *path, int flags, ...) {                                  \
    static int (*real)(const char *, int, ...);                                 \
    if (real == NULL) real = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, #name); \
    va_list rest;                                                               \
    va_start(rest, flags);                                                      \
    int mode = va_arg(rest, int);                                               \
    va_end(rest);                                                               \
    return isInside(path) && fails("open") ? -1 : real(path, flags, mode);      \
  }

OPEN(open)
OPEN(open64)
BY_DESCRIPTOR(ssize_t, read, (int fd, void *bytes, size_t size), (fd, bytes, size))
BY_DESCRIPTOR(ssize_t, pread64, (int fd, void *bytes, size_t size, off64_t at), (fd, bytes, size, at))
BY_DESCRIPTOR(ssize_t, write, (int fd, const void *bytes, size_t size), (fd, bytes, size))
BY_DESCRIPTOR(ssize_t, writev, (int fd, const struct iovec *parts, int count), (fd, parts, count))
BY_DESCRIPTOR(ssize_t, pwrite64, (int fd, const void *bytes, size_t size, off64_t at), (fd, bytes, size, at))
BY_DESCRIPTOR(int, fsync, (int fd), (fd))
BY_DESCRIPTOR(int, fdatasync, (int fd), (fd))
BY_DESCRIPTOR(int, fchmod, (int fd, mode_t mode), (fd, mode))
BY_PATH(int, rename, (const char *path, const char *to), (path, to), path, -1)
BY_PATH(int, unlink, (const char *path), (path), path, -1)
BY_PATH(int, mkdir, (const char *path, mode_t mode), (path, mode), path, -1)
BY_PATH(int, link, (const char *path, const char *to), (path, to), path, -1)
BY_PATH(int, symlink, (const char *target, const char *path), (target, path), path, -1)
BY_PATH(DIR *, opendir, (const char *path), (path), path, NULL)
typedef int (*Select)(const struct dirent64 *);
typedef int (*Compare)(const struct dirent64 **, const struct dirent64 **);
BY_PATH(int, scandir64, (const char *path, struct dirent64 ***list, Select select, Compare compare),
        (path, list, select, compare), path, -1)
