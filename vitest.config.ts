import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { mainPath } from './scripts/main-path.ts'

// `npm test` runs the projects `main`, `pure` and `components`. Those of the server run when a change
// concerns them, or by name: `vitest run --project server src/server/reports`. See docs/testing.md.

/** Files that mock modules and therefore cannot share them with other files. */
const withMocks = globSync('src/server/**/*.test.ts', { cwd: import.meta.dirname }).filter((file) =>
  readFileSync(join(import.meta.dirname, file), 'utf8').includes('vi.mock('),
)
/** Tests of `scripts` that use the server's database. */
const onServer = [
  'scripts/walk.test.ts',
  'scripts/merges.test.ts',
  'scripts/reports.test.ts',
  'scripts/hidden-phones.test.ts',
]

/**
 * Loads modules as the programs do. Otherwise each thread of a job reads the package.json of drizzle-orm for
 * every import of it.
 */
const execArgv = ['--import', new URL('scripts/right-node.mjs', import.meta.url).href]
/** Generous, since other work on the machine makes tests slow. */
const patience = { testTimeout: 120_000, hookTimeout: 120_000, expect: { poll: { timeout: 15_000 } } }
// Starting a process and loading its modules takes longer than most files: those of a worker share both.
const isolate = false
const server = {
  globalSetup: ['src/server/testing/servers/global-setup.ts'],
  isolate,
  execArgv,
  ...patience,
}

export default defineConfig({
  test: {
    // Tests of the server wait a lot; but more processes than this cost more than they use, since their
    // caches and page tables push each other out.
    maxWorkers: availableParallelism() + 1,
    projects: [
      { test: { name: 'main', include: [...mainPath], exclude: withMocks, ...server } },
      {
        test: {
          name: 'server',
          include: ['src/server/**/*.test.ts', ...onServer],
          exclude: withMocks,
          ...server,
        },
      },
      { test: { name: 'server-isolated', include: withMocks, ...server, isolate: true } },
      {
        test: {
          name: 'pure',
          include: [
            'src/{shared,simulator,web}/**/*.test.ts',
            'scripts/**/*.test.ts',
            'proof/**/*.test.ts',
            'walls.test.ts',
          ],
          isolate,
          exclude: onServer,
          ...patience,
        },
      },
      {
        test: {
          name: 'components',
          include: ['src/web/**/*.test.tsx'],
          setupFiles: ['src/web/ui/test-patience.ts'],
          isolate,
          ...patience,
        },
      },
    ],
  },
})
