import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
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
const folders: string[] = []

/** Starts a demonstration for each worker, as `npm run demo` does, in separate folders. */
export async function setup(project: TestProject): Promise<void> {
  const files = project.vitest.state.getPaths().length
  const workers = Math.max(1, Math.min(project.config.maxWorkers, files))
  // The first one builds the pages and makes the people and conversations, which takes three times as long as
  // a start. The others begin with a copy of its folder.
  const first = await startDemo(newFolder())
  running.push(first)
  await quieten(await Colleague.signIn(first.url, 'admin', first.password))
  if (workers > 1) {
    await first.program.end()
    const copies = await Promise.all(Array.from({ length: workers - 1 }, () => copyOf(first.dataDir)))
    await Promise.all([
      first.program.restart(),
      ...copies.map(async (folder) => void running.push(await startDemo(folder))),
    ])
  }
  project.provide(
    'demos',
    running.map(({ url, password, agentPort }) => ({ url, password, agentPort })),
  )
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'balcao-e2e-'))
  chmodSync(folder, 0o755)
  folders.push(folder)
  return folder
}

/** Copies a folder with its owners and permissions, on which the embedded database insists. */
async function copyOf(folder: string): Promise<string> {
  const copy = newFolder()
  await promisify(execFile)('cp', ['-a', `${folder}/.`, copy])
  return copy
}

async function startDemo(dataDir: string): Promise<Running> {
  const agentPort = await freePort()
  const program = await Program.start({
    args: ['--demo'],
    // A backup lasts long enough for its screen to be left and come back to.
    env: {
      DATA_DIR: dataDir,
      // One session makes the calls of many tests.
      CALLS_PER_MINUTE: '0',
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
  await Promise.all(running.map(({ program }) => program.stop()))
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}
