/* Preloaded into a server: OpenSSL's random source fails while the file named by
 * FAILING_RANDOM_FILE exists. pg_strong_random() draws from RAND_bytes(). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

int RAND_bytes(unsigned char *buffer, int length)
{
	static int (*next)(unsigned char *, int);
	const char *file = getenv("FAILING_RANDOM_FILE");
	if (file != NULL && access(file, F_OK) == 0)
		return 0;
	if (next == NULL)
		*(void **) &next = dlsym(RTLD_NEXT, "RAND_bytes");
	return next(buffer, length);
}
