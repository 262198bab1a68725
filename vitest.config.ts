import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts', 'walls.test.ts'],
    globalSetup: ['src/server/testing/global-setup.ts'],
    testTimeout: 20_000,
    // On a shared machine a second try, which the report names; at home a test that wavers is red.
    retry: process.env['CI'] ? 1 : 0,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
})
