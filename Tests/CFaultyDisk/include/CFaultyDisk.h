// A disk that fails when a test says so, for the files of one folder.
//
// The first disk registers a layer under SQLite that hands every call on to the system's own. Files of folders without a
// disk do not pass by it, so that tests beside this one are not disturbed.
#ifndef FAULTY_DISK_H
#define FAULTY_DISK_H

typedef struct faulty_disk faulty_disk;

// The calls that can fail, to be added up.
enum {
    FAULTY_READ = 1,
    FAULTY_WRITE = 2,
    FAULTY_TRUNCATE = 4,
    FAULTY_SYNC = 8,
    FAULTY_DELETE = 16,
    FAULTY_LOCK = 32,
    FAULTY_SHARED_MEMORY_LOCK = 64,
};

// Makes a disk for the files in `folder`, an absolute path without links; null when there is no memory.
faulty_disk *faulty_disk_make(const char *folder);

// Makes calls fail, and counts anew: from call `first` on (1 is the next), `count` of them, with the result `code`.
// With `suffix`, only calls on files that end with it matter. With `is_torn`, a write that fails leaves its first half.
void faulty_disk_arm(
    faulty_disk *disk, int calls, const char *suffix, long first, long count, int code, int is_torn
);

// Makes every call succeed again.
void faulty_disk_disarm(faulty_disk *disk);

// How many calls of the kinds that were named last there were since then, and how many of them failed.
long faulty_disk_calls(faulty_disk *disk);
long faulty_disk_failures(faulty_disk *disk);

// Calls back after each failure, on the thread of the call; `callback` must not use the disk's files.
void faulty_disk_on_failure(faulty_disk *disk, void (*callback)(void *context), void *context);

// Forgets a disk; no file of its folder may be open.
void faulty_disk_free(faulty_disk *disk);

#endif
