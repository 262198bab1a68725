import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** Files that mock modules and therefore cannot share them with other files. */
const withMocks = globSync('src/server/**/*.test.ts', { cwd: import.meta.dirname }).filter((file) =>
  readFileSync(join(import.meta.dirname, file), 'utf8').includes('vi.mock('),
)

/**
 * Loads modules as the programs do. Otherwise each thread of a job reads the package.json of drizzle-orm for
 * every import of it.
 */
const execArgv = ['--import', new URL('scripts/right-node.mjs', import.meta.url).href]
/** Generous, since other work on the machine makes tests slow. */
const patience = { testTimeout: 120_000, hookTimeout: 120_000, expect: { poll: { timeout: 15_000 } } }

export default defineConfig({
  test: {
    // For a machine of two cores. Tests of the server wait a lot, but more processes than this cost more than
    // they use: their caches and page tables push each other out.
    maxWorkers: 3,
    projects: [
      {
        test: {
          name: 'server',
          include: [
            'src/server/**/*.test.ts',
            'scripts/walk.test.ts',
            'scripts/merges.test.ts',
            'scripts/reports.test.ts',
          ],
          exclude: withMocks,
          globalSetup: ['src/server/testing/servers/global-setup.ts'],
          // The files of a worker share their modules, since nearly each of them imports the whole server.
          isolate: false,
          execArgv,
          ...patience,
        },
      },
      {
        test: {
          name: 'server, isolated',
          include: withMocks,
          execArgv,
          globalSetup: ['src/server/testing/servers/global-setup.ts'],
          ...patience,
        },
      },
      {
        test: {
          name: 'others',
          include: [
            'src/{shared,simulator,web}/**/*.test.ts',
            'scripts/**/*.test.ts',
            'proof/**/*.test.ts',
            'walls.test.ts',
          ],
          // Starting a process and loading its modules takes longer than most of these files.
          isolate: false,
          exclude: ['scripts/walk.test.ts', 'scripts/merges.test.ts', 'scripts/reports.test.ts'],
          ...patience,
        },
      },
      {
        test: {
          name: 'components',
          include: ['src/web/**/*.test.tsx'],
          setupFiles: ['src/web/ui/test-patience.ts'],
          ...patience,
        },
      },
    ],
  },
})
