import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { quietSettings } from '#server/testing/quiet-settings.ts'
import { Program } from '../../proof/support/program.ts'
import { Colleague } from './colleague.ts'
import type { Demo } from './demo.ts'

interface Running extends Demo {
  program: Program
  dataDir: string
}

const running: Running[] = []

/** A demonstration for each worker, as `npm run demo` starts it, in a folder of its own. */
export async function setup(project: TestProject): Promise<void> {
  // One after the other: the first builds the pages.
  while (running.length < project.config.maxWorkers) {
    const demo = await startDemo()
    running.push(demo)
    await quieten(await Colleague.signIn(demo.url, 'admin', demo.password))
  }
  project.provide(
    'demos',
    running.map(({ url, password }) => ({ url, password })),
  )
}

async function startDemo(): Promise<Running> {
  const dataDir = mkdtempSync(join(tmpdir(), 'balcao-e2e-'))
  chmodSync(dataDir, 0o755)
  const program = await Program.start(dataDir)
  const password = readFileSync(join(dataDir, 'demo', 'demo-password'), 'utf8').trim()
  return { program, url: program.url, password, dataDir }
}

/**
 * Nothing is said by itself, whatever hour it is, and what the demonstration brings is there to the end; what
 * speaks of either switches it on.
 */
async function quieten(admin: Colleague): Promise<void> {
  await admin.call('PATCH', '/api/system-settings', quietSettings)
  for (const { id } of await admin.openConversations())
    await admin.call('PATCH', `/api/conversations/${id}/toggle-auto-close`, { disableAutoClose: true })
}

export async function teardown(): Promise<void> {
  for (const { program, dataDir } of running) {
    await program.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
