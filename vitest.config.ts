import { defineConfig } from 'vitest/config'

/** They replace modules, which a file that shares its modules with others must not do. */
const withMocks = ['src/server/users/login.test.ts']

/** A machine that does something else beside it is slow, not wrong. */
const patience = { testTimeout: 60_000, hookTimeout: 60_000 }

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'server',
          include: ['src/server/**/*.test.ts', 'scripts/walk.test.ts'],
          exclude: withMocks,
          globalSetup: ['src/server/testing/global-setup.ts'],
          // The files of a worker share what they import, which is nearly the whole server each time.
          isolate: false,
          ...patience,
        },
      },
      {
        test: {
          name: 'server, isolated',
          include: withMocks,
          globalSetup: ['src/server/testing/global-setup.ts'],
          ...patience,
        },
      },
      {
        test: {
          name: 'others',
          include: [
            'src/{shared,simulator,web}/**/*.test.{ts,tsx}',
            'scripts/**/*.test.ts',
            'proof/**/*.test.ts',
            'walls.test.ts',
          ],
          exclude: ['scripts/walk.test.ts'],
          ...patience,
        },
      },
    ],
  },
})
