import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { freePort } from '#server/testing/servers/free-port.ts'
import { quietSettings } from '#server/testing/quiet-settings.ts'
import { Program } from '../../proof/support/program.ts'
import { Colleague } from './colleague.ts'
import type { Demo } from './demo.ts'

interface Running extends Demo {
  program: Program
  dataDir: string
}

const running: Running[] = []

/** Starts a demonstration for each worker, as `npm run demo` does, in separate folders. */
export async function setup(project: TestProject): Promise<void> {
  const add = async () => void running.push(await startDemo())
  // The first one builds the pages, which the others find built.
  await add()
  await Promise.all(Array.from({ length: project.config.maxWorkers - 1 }, add))
  await Promise.all(
    running.map(async ({ url, password }) => quieten(await Colleague.signIn(url, 'admin', password))),
  )
  project.provide(
    'demos',
    running.map(({ url, password, agentPort }) => ({ url, password, agentPort })),
  )
}

async function startDemo(): Promise<Running> {
  const dataDir = mkdtempSync(join(tmpdir(), 'balcao-e2e-'))
  chmodSync(dataDir, 0o755)
  const agentPort = await freePort()
  const program = await Program.start({
    args: ['--demo'],
    // A backup lasts long enough for its screen to be left and come back to.
    env: {
      DATA_DIR: dataDir,
      FAILPOINTS: 'backup.files=sleep:4000',
      // A test starts the servers of the AI there.
      GPT_MAKER_URL: `http://127.0.0.1:${agentPort}`,
      GATEWAY_ALLOWED_HOSTS: `127.0.0.1:${agentPort}`,
    },
  })
  const password = readFileSync(join(dataDir, 'demo', 'demo-password'), 'utf8').trim()
  return { program, url: program.url, password, dataDir, agentPort }
}

/**
 * Switches automatic texts and auto-close off, so that tests do not depend on the time of day. Tests of these
 * switch them on.
 */
async function quieten(admin: Colleague): Promise<void> {
  await admin.call('PATCH', '/api/system-settings', quietSettings)
  for (const { id } of await admin.openConversations())
    await admin.call('PATCH', `/api/conversations/${id}/toggle-auto-close`, { disableAutoClose: true })
}

export async function teardown(): Promise<void> {
  await Promise.all(
    running.map(async ({ program, dataDir }) => {
      await program.stop()
      rmSync(dataDir, { recursive: true, force: true })
    }),
  )
}
