/// The module with the switch, which the mutated sources import: a number that is read from the environment at start.
///
/// It is in C, so that every module inlines the check, even in `@inlinable` code. It needs no lock, because the number
/// is written before `main` and only read afterwards.
enum SwitchModule {
    static let name = "CMutants"
    /// The environment variable with the number of the mutant that is switched on.
    static let number = "MUTANT"
    /// The environment variable with the path of a file, in which a run marks the mutants that it reaches.
    ///
    /// The file has one byte for each mutant, and one for number 0.
    static let reached = "MUTANTS_REACHED"

    static let files = ["CMutants.c": source, "include/CMutants.h": header]

    static let header = """
        #pragma once

        #include <stdbool.h>

        extern int mutant_switch;
        extern unsigned char *mutant_notes;

        static inline bool mutant_at(int number) {
            if (mutant_switch == 0) return false;
            if (mutant_switch > 0) return mutant_switch == number;
            mutant_notes[number] = 1;
            return false;
        }

        static inline bool mutant_not(int number, bool value) { return value != mutant_at(number); }

        static inline bool mutant_bool(bool value) { return value; }

        """

    /// The file is mapped, so that child processes write to it, too, and a crash loses nothing.
    static let source = """
        #include "CMutants.h"

        #include <fcntl.h>
        #include <stdlib.h>
        #include <sys/mman.h>
        #include <sys/stat.h>
        #include <unistd.h>

        int mutant_switch = 0;
        unsigned char *mutant_notes = 0;

        __attribute__((constructor)) static void mutant_begin(void) {
            const char *number = getenv("\(number)");
            if (number) mutant_switch = atoi(number);
            const char *path = getenv("\(reached)");
            struct stat file;
            int notes = path ? open(path, O_RDWR) : -1;
            if (notes < 0 || fstat(notes, &file) != 0) return;
            void *bytes = mmap(0, file.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, notes, 0);
            if (bytes != MAP_FAILED) {
                mutant_notes = bytes;
                mutant_switch = -1;
            }
            close(notes);
        }

        """

    /// The addition to the manifest, which adds the module and removes slow targets that are not mutated.
    static let manifest = """

        package.targets.append(.target(name: "\(name)"))
        let mutated = ["Signals", "RepositoryCore", "SignalRepository", "SignalRepositoryPostgres"]
        for target in package.targets where mutated.contains(target.name) {
            target.dependencies.append("\(name)")
        }
        // Other packages are not fetched, so every target that needs one is removed, with its dependents.
        var left: Set = ["TidyTests", "EntityMacros"]
        var count = 0
        while count < left.count {
            count = left.count
            for target in package.targets {
                let needsOther = target.dependencies.contains { dependency in
                    switch dependency {
                    case .productItem: true
                    case .targetItem(let name, _), .byNameItem(let name, _): left.contains(name)
                    @unknown default: false
                    }
                }
                if needsOther { left.insert(target.name) }
            }
        }
        package.targets.removeAll { left.contains($0.name) }
        package.products.removeAll { left.contains($0.name) }
        package.dependencies = []
        package.traits = []

        """
}
