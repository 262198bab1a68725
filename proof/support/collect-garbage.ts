/**
 * Loaded before the program: it collects its garbage when it is told to, so that what it holds can be
 * measured.
 */
process.on('SIGUSR2', () => globalThis.gc?.())
