import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, readdirSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { startOwnServer } from '#server/testing/servers/own-server.ts'

// Runs the server's tests on a PostgreSQL installed on this machine instead of the embedded one.

const usage = `npm run test:postgres [-- options] [-- arguments of vitest]
  --version 15     which of the installed ones (15 to 18); absent: the newest
  --bin FOLDER     the folder of its programs, wherever it is
  --superuser      the tests work as a superuser; absent: as a plain role that may create databases
TEST_DATABASE_URL, when it is set, is used as it is, and no server is started.`

interface Installed {
  bin: string
  major: number
}

/** The version of the programs in a folder, unless one is missing or does not run. */
function findPrograms(bin: string): Installed | undefined {
  try {
    for (const program of ['postgres', 'initdb', 'pg_ctl']) accessSync(join(bin, program), constants.X_OK)
    const version = execFileSync(join(bin, 'postgres'), ['--version'], { encoding: 'utf8', stdio: 'pipe' })
    return { bin, major: Number(/ (\d+)/.exec(version)?.[1]) }
  } catch {
    // No PostgreSQL, or none that runs here.
    return undefined
  }
}

function bindirs(): string[] {
  const debian = '/usr/lib/postgresql'
  const found: string[] = []
  try {
    found.push(...readdirSync(debian).map((major) => join(debian, major, 'bin')))
  } catch {
    // Not Debian.
  }
  try {
    found.push(execFileSync('pg_config', ['--bindir'], { encoding: 'utf8', stdio: 'pipe' }).trim())
  } catch {
    // Only development packages contain pg_config.
  }
  return [...found, ...(process.env['PATH'] ?? '').split(delimiter)]
}

/** The newest of the versions 15 to 18, or the requested one. */
function choose(bin: string | undefined, version: string | undefined): Installed | undefined {
  const candidates = [...new Set(bin ? [bin] : bindirs())].flatMap((folder) => findPrograms(folder) ?? [])
  return candidates
    .filter(({ major }) => major >= 15 && major <= 18 && (!version || major === Number(version)))
    .toSorted((a, b) => b.major - a.major)[0]
}

/** Tests of the embedded server, and long series that another PostgreSQL does not change. */
const skipped = [
  'src/server/cli.test.ts',
  'src/server/cli/maintenance/**',
  'src/server/platform/embedded-postgres**',
  'src/server/conversations/messages/versions.test.ts',
  'src/server/conversations/incoming/arrival-order.test.ts',
  'src/server/conversations/media/recorded-media.test.ts',
].map((path) => `--exclude=${path}`)

/** Runs the tests under the Node of this process. @returns their exit code */
async function runTests(args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const root = join(import.meta.dirname, '..')
  const which = args.some((argument) => argument.startsWith('src/'))
    ? args
    : ['src/server', ...skipped, ...args]
  const path = dirname(process.execPath) + delimiter + (process.env['PATH'] ?? '')
  const command = [join('node_modules', '.bin', 'vitest'), 'run', '--project', 'server*', ...which]
  const child = spawn(process.execPath, command, {
    cwd: root,
    env: { ...process.env, PATH: path, ...env },
    stdio: 'inherit',
  })
  // Only the tests are stopped here; `main` then stops the server.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill('SIGTERM'))
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}

const { values, positionals } = parseArgs({
  options: {
    version: { type: 'string' },
    bin: { type: 'string' },
    superuser: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})

async function main(): Promise<number> {
  if (values.help) {
    console.log(usage)
    return 0
  }
  if (process.env['TEST_DATABASE_URL']) return runTests(positionals, {})
  const installed = choose(values.bin, values.version)
  if (!installed) {
    const wanted = values.version ? `PostgreSQL ${values.version}` : 'PostgreSQL 15 to 18'
    console.error(
      `No programs of ${wanted} on this machine (looked in /usr/lib/postgresql, pg_config and PATH): ` +
        'install it, or give --bin FOLDER or TEST_DATABASE_URL.',
    )
    return 2
  }
  const server = await startOwnServer({
    bin: installed.bin,
    settings: { fsync: 'off', full_page_writes: 'off' },
  })
  try {
    await server.query('create role plain login createdb')
    const role = values.superuser ? 'postgres' : 'plain'
    const [row] = await server.query<{ version: string }>('select version()')
    console.log(`${row?.version.split(' on ')[0]} in ${installed.bin}, as the role ${role}`)
    return await runTests(positionals, {
      TEST_DATABASE_URL: `postgres://${role}@localhost:${server.port}/postgres?host=${server.folder}`,
      TEST_POSTGRES_BIN: installed.bin,
    })
  } finally {
    await server.close()
  }
}

process.exitCode = await main()
