import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts', 'proof/**/*.test.ts', 'walls.test.ts'],
    globalSetup: ['src/server/testing/global-setup.ts'],
    // A machine that does something else beside it is slow, not wrong.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
})
