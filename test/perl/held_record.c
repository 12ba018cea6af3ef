/* Preloaded into a server: a write to a file named ulid.stat waits while the file named by
 * HELD_RECORD_FILE exists, as it would if the disk did not respond, takes longer than a reservation while
 * the one named by SLOW_RECORD_FILE exists, and fails while the one named by FULL_RECORD_FILE exists, as on
 * a disk that is full. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int is_record(int file)
{
	char link[64], path[1024];
	ssize_t length;

	snprintf(link, sizeof link, "/proc/self/fd/%d", file);
	length = readlink(link, path, sizeof path - 1);
	if (length < 0)
		return 0;
	path[length] = '\0';
	return strstr(path, "/ulid.stat") != NULL;
}

static int exists(const char *variable)
{
	const char *file = getenv(variable);
	return file != NULL && access(file, F_OK) == 0;
}

/* Whatever signals come, and whatever libfaketime makes of time. */
static void wait_uninterrupted(void)
{
	struct timespec end;

	syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &end);
	end.tv_sec += 2;
	while (syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL) != 0)
		;
}

ssize_t pwrite(int file, const void *data, size_t length, off_t offset)
{
	static ssize_t (*next)(int, const void *, size_t, off_t);
	if (next == NULL)
		*(void **) &next = dlsym(RTLD_NEXT, "pwrite");
	if (is_record(file))
	{
		while (exists("HELD_RECORD_FILE"))
			usleep(10000);
		if (exists("SLOW_RECORD_FILE"))
			wait_uninterrupted();
		if (exists("FULL_RECORD_FILE"))
		{
			errno = ENOSPC;
			return -1;
		}
	}
	return next(file, data, length, offset);
}
