import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['**/*.test.ts'],
    globalSetup: ['support/global-setup.ts'],
    setupFiles: ['support/tidy-up.ts'],
    testTimeout: 90_000,
    // On a shared machine a second try, which the report names; at home a test that wavers is red.
    retry: process.env['CI'] ? 1 : 0,
    hookTimeout: 120_000,
    // One demonstration serves all files, and two cores carry a browser and a server.
    fileParallelism: false,
    // What a phone does takes its way through a gateway, a server and a socket.
    expect: { poll: { timeout: 15_000 } },
  },
})
