/* Preloaded into a server: a write to a file named ulid.stat waits while the file named by
 * HELD_RECORD_FILE exists, as it would if the disk did not respond. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void wait_where_held(int file)
{
	const char *held = getenv("HELD_RECORD_FILE");
	char link[64], path[1024];
	ssize_t length;

	snprintf(link, sizeof link, "/proc/self/fd/%d", file);
	length = readlink(link, path, sizeof path - 1);
	if (held == NULL || length < 0)
		return;
	path[length] = '\0';
	if (strstr(path, "/ulid.stat") != NULL)
		while (access(held, F_OK) == 0)
			usleep(10000);
}

ssize_t pwrite(int file, const void *data, size_t length, off_t offset)
{
	static ssize_t (*next)(int, const void *, size_t, off_t);
	if (next == NULL)
		*(void **) &next = dlsym(RTLD_NEXT, "pwrite");
	wait_where_held(file);
	return next(file, data, length, offset);
}
