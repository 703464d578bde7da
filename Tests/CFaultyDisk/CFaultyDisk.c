#include "CFaultyDisk.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

struct faulty_disk {
    char *folder;
    char suffix[16];
    int calls, code, is_torn;
    long first, count, seen, failed;
    void (*callback)(void *context);
    void *context;
    faulty_disk *next;
};

// A file of a disk; the system's own file follows it in memory.
typedef struct {
    sqlite3_file base;
    faulty_disk *disk;
    const char *name;
} faulty_file;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static faulty_disk *disks;
static sqlite3_vfs *real_system;
static sqlite3_vfs layer;

static int ends_with(const char *name, const char *suffix) {
    size_t length = name ? strlen(name) : 0, end = strlen(suffix);
    return length >= end && strcmp(name + length - end, suffix) == 0;
}

// The result that a call is to fail with, or SQLITE_OK when it is to be handed on.
static int fault(faulty_disk *disk, int call, const char *name, int *is_torn) {
    void (*callback)(void *) = 0;
    void *context = 0;
    int code = SQLITE_OK;
    pthread_mutex_lock(&mutex);
    if ((disk->calls & call) && ends_with(name, disk->suffix)) {
        disk->seen++;
        if (disk->seen >= disk->first && disk->seen - disk->first < disk->count) {
            disk->failed++;
            code = disk->code;
            callback = disk->callback;
            context = disk->context;
            if (is_torn) *is_torn = disk->is_torn;
        }
    }
    pthread_mutex_unlock(&mutex);
    if (callback) callback(context);
    return code;
}

static sqlite3_file *real_file(sqlite3_file *file) { return (sqlite3_file *)((faulty_file *)file + 1); }

#define FILE_FAULT(file, call, is_torn) fault(((faulty_file *)(file))->disk, call, ((faulty_file *)(file))->name, is_torn)
#define HAND_ON(file, method, ...) real_file(file)->pMethods->method(real_file(file), ##__VA_ARGS__)

static int close_file(sqlite3_file *file) { return HAND_ON(file, xClose); }

static int read_file(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    int code = FILE_FAULT(file, FAULTY_READ, 0);
    return code ? code : HAND_ON(file, xRead, bytes, count, offset);
}

static int write_file(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    int is_torn = 0, code = FILE_FAULT(file, FAULTY_WRITE, &is_torn);
    if (code && is_torn) HAND_ON(file, xWrite, bytes, count / 2, offset);
    return code ? code : HAND_ON(file, xWrite, bytes, count, offset);
}

static int truncate_file(sqlite3_file *file, sqlite3_int64 size) {
    int code = FILE_FAULT(file, FAULTY_TRUNCATE, 0);
    return code ? code : HAND_ON(file, xTruncate, size);
}

static int sync_file(sqlite3_file *file, int flags) {
    int code = FILE_FAULT(file, FAULTY_SYNC, 0);
    return code ? code : HAND_ON(file, xSync, flags);
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) { return HAND_ON(file, xFileSize, size); }

static int lock_file(sqlite3_file *file, int level) {
    int code = FILE_FAULT(file, FAULTY_LOCK, 0);
    return code ? code : HAND_ON(file, xLock, level);
}

static int unlock_file(sqlite3_file *file, int level) { return HAND_ON(file, xUnlock, level); }

static int check_lock(sqlite3_file *file, int *is_locked) { return HAND_ON(file, xCheckReservedLock, is_locked); }

static int control_file(sqlite3_file *file, int operation, void *argument) {
    return HAND_ON(file, xFileControl, operation, argument);
}

static int sector_size(sqlite3_file *file) { return HAND_ON(file, xSectorSize); }

static int characteristics(sqlite3_file *file) { return HAND_ON(file, xDeviceCharacteristics); }

static int map_memory(sqlite3_file *file, int page, int size, int extends, void volatile **memory) {
    return HAND_ON(file, xShmMap, page, size, extends, memory);
}

static int lock_memory(sqlite3_file *file, int offset, int count, int flags) {
    int is_unlocking = flags & SQLITE_SHM_UNLOCK;
    int code = is_unlocking ? SQLITE_OK : FILE_FAULT(file, FAULTY_SHARED_MEMORY_LOCK, 0);
    return code ? code : HAND_ON(file, xShmLock, offset, count, flags);
}

static void memory_barrier(sqlite3_file *file) { HAND_ON(file, xShmBarrier); }

static int unmap_memory(sqlite3_file *file, int is_last) { return HAND_ON(file, xShmUnmap, is_last); }

static const sqlite3_io_methods methods = {
    2, close_file, read_file, write_file, truncate_file, sync_file, file_size, lock_file, unlock_file, check_lock,
    control_file, sector_size, characteristics, map_memory, lock_memory, memory_barrier, unmap_memory, 0, 0,
};

// The disk whose folder a file is in.
static faulty_disk *disk_of(const char *name) {
    pthread_mutex_lock(&mutex);
    faulty_disk *disk = name ? disks : 0;
    while (disk) {
        size_t length = strlen(disk->folder);
        if (strncmp(name, disk->folder, length) == 0 && name[length] == '/') break;
        disk = disk->next;
    }
    pthread_mutex_unlock(&mutex);
    return disk;
}

static int open_file(sqlite3_vfs *system, const char *name, sqlite3_file *file, int flags, int *flags_out) {
    (void)system;
    faulty_disk *disk = disk_of(name);
    if (!disk) return real_system->xOpen(real_system, name, file, flags, flags_out);
    faulty_file *opened = (faulty_file *)file;
    opened->base.pMethods = 0;
    opened->disk = disk;
    opened->name = name;
    int code = real_system->xOpen(real_system, name, real_file(file), flags, flags_out);
    if (real_file(file)->pMethods) opened->base.pMethods = &methods;
    return code;
}

static int delete_file(sqlite3_vfs *system, const char *name, int is_synced) {
    (void)system;
    faulty_disk *disk = disk_of(name);
    int code = disk ? fault(disk, FAULTY_DELETE, name, 0) : SQLITE_OK;
    return code ? code : real_system->xDelete(real_system, name, is_synced);
}

static void install(void) {
    real_system = sqlite3_vfs_find(0);
    // The calls that are not replaced need nothing of the system's own structure but what is copied here.
    layer = *real_system;
    layer.pNext = 0;
    layer.zName = "faulty";
    layer.szOsFile = (int)sizeof(faulty_file) + real_system->szOsFile;
    layer.xOpen = open_file;
    layer.xDelete = delete_file;
    sqlite3_vfs_register(&layer, 1);
}

faulty_disk *faulty_disk_make(const char *folder) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    sqlite3_initialize();
    pthread_once(&once, install);
    faulty_disk *disk = calloc(1, sizeof *disk);
    if (!disk) return 0;
    disk->folder = strdup(folder);
    pthread_mutex_lock(&mutex);
    disk->next = disks;
    disks = disk;
    pthread_mutex_unlock(&mutex);
    return disk;
}

void faulty_disk_arm(
    faulty_disk *disk, int calls, const char *suffix, long first, long count, int code, int is_torn
) {
    pthread_mutex_lock(&mutex);
    disk->calls = calls;
    disk->suffix[0] = 0;
    strncat(disk->suffix, suffix, sizeof disk->suffix - 1);
    disk->first = first;
    disk->count = count;
    disk->code = code;
    disk->is_torn = is_torn;
    disk->seen = disk->failed = 0;
    pthread_mutex_unlock(&mutex);
}

void faulty_disk_disarm(faulty_disk *disk) {
    pthread_mutex_lock(&mutex);
    disk->count = 0;
    pthread_mutex_unlock(&mutex);
}

long faulty_disk_calls(faulty_disk *disk) {
    pthread_mutex_lock(&mutex);
    long seen = disk->seen;
    pthread_mutex_unlock(&mutex);
    return seen;
}

long faulty_disk_failures(faulty_disk *disk) {
    pthread_mutex_lock(&mutex);
    long failed = disk->failed;
    pthread_mutex_unlock(&mutex);
    return failed;
}

void faulty_disk_on_failure(faulty_disk *disk, void (*callback)(void *context), void *context) {
    pthread_mutex_lock(&mutex);
    disk->callback = callback;
    disk->context = context;
    pthread_mutex_unlock(&mutex);
}

void faulty_disk_free(faulty_disk *disk) {
    pthread_mutex_lock(&mutex);
    faulty_disk **place = &disks;
    while (*place && *place != disk) place = &(*place)->next;
    if (*place) *place = disk->next;
    pthread_mutex_unlock(&mutex);
    free(disk->folder);
    free(disk);
}
