import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['**/*.test.ts'],
    globalSetup: ['support/global-setup.ts'],
    setupFiles: ['support/tidy-up.ts'],
    testTimeout: 90_000,
    hookTimeout: 120_000,
    // Each worker has a demonstration of its own; two cores carry one, with its browser, at a person's pace.
    maxWorkers: 1,
    // What a phone does takes its way through a gateway, a server and a socket.
    expect: { poll: { timeout: 15_000 } },
  },
})
