import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { isFull } from './support/full-run.ts'

export default defineConfig({
  test: {
    root: import.meta.dirname,
    // Those of `nightly` are of the full run alone.
    include: isFull ? ['**/*.test.ts'] : ['*.test.ts'],
    globalSetup: ['support/global-setup.ts'],
    setupFiles: ['support/tidy-up.ts'],
    testTimeout: 90_000,
    hookTimeout: 120_000,
    // Each worker has its own demonstration and browser.
    // One more than the cores, since tests wait a third of their time for clocks and lines that come back.
    maxWorkers: Math.min(8, availableParallelism() + 1),
    // The files of a worker share its browser and its sessions. What a file opens is closed after it.
    isolate: false,
    // What a phone does passes through a gateway, a server and a socket.
    expect: { poll: { timeout: 15_000 } },
  },
})
