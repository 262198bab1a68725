/** Loaded before the program: collects garbage on a signal, so that live memory can be measured. */
process.on('SIGUSR2', () => globalThis.gc?.())
