#include "CAllocations.h"

#include <stddef.h>

#if defined(__GLIBC__)

#include <malloc.h>

// The program's definition takes precedence over the C library's. It adds one thread-local increment, to every form.
static _Thread_local uint64_t allocations = 0;

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
    allocations += 1;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    allocations += 1;
    return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
    allocations += 1;
    return __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    allocations += 1;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    allocations += 1;
    *block = __libc_memalign(alignment, size);
    return *block == NULL ? 12 : 0;
}

bool allocations_are_counted(void) { return true; }

uint64_t allocations_so_far(void) { return allocations; }

uint64_t allocated_bytes(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

#else

bool allocations_are_counted(void) { return false; }

uint64_t allocations_so_far(void) { return 0; }

uint64_t allocated_bytes(void) { return 0; }

#endif

#if defined(__has_include)
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#endif
#endif

#if defined(CALLGRIND_START_INSTRUMENTATION)

void instructions_begin(void) { CALLGRIND_START_INSTRUMENTATION; }

void instructions_end(void) { CALLGRIND_STOP_INSTRUMENTATION; }

#else

void instructions_begin(void) {}

void instructions_end(void) {}

#endif
