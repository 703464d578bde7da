// Counts the heap allocations of the calling thread, by replacing the C library's allocator.
#ifndef CALLOCATIONS_H
#define CALLOCATIONS_H

#include <stdbool.h>
#include <stdint.h>

/// Whether this platform's allocator is counted.
bool allocations_are_counted(void);

/// How many blocks the calling thread has allocated since it began.
uint64_t allocations_so_far(void);

/// How many bytes all threads hold; 0 if that is not known.
uint64_t allocated_bytes(void);

/// Begins to count the instructions of all threads, when the program runs under Callgrind.
void instructions_begin(void);

/// Stops counting instructions.
void instructions_end(void);

#endif
