/// The module that the mutated sources import: the switch, as a number that is read from the environment at start.
///
/// In C, so that the reading is inlined into every module, `@inlinable` code included, and needs no lock: the number is
/// written before `main` and only read thereafter.
enum SwitchModule {
    static let name = "CMutants"
    /// The mutant that is switched on.
    static let number = "MUTANT"
    /// A file with one byte for each mutant, and one for number 0, into which a run writes which it has reached.
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

    /// The file is mapped, so that children write into it too, and what a crash ends has been written.
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

    /// What is added to the manifest: the module, and none of what is not mutated and costs a long build.
    static let manifest = """

        package.targets.append(.target(name: "\(name)"))
        let mutated = ["Signals", "SignalRepository", "SignalRepositoryPostgres"]
        for target in package.targets where mutated.contains(target.name) {
            target.dependencies.append("\(name)")
        }
        // Other packages are not fetched, so whatever uses one goes, and whatever uses that.
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
