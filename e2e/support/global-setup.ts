import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { quietSettings } from '#server/testing/quiet-settings.ts'
import { Program } from '../../proof/program.ts'
import { Colleague } from './colleague.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    demo: { url: string; password: string; dataDir: string }
  }
}

let program: Program | undefined
let dataDir: string | undefined

/** The demonstration, as `npm run demo` starts it, in a folder of its own. */
export async function setup(project: TestProject): Promise<void> {
  dataDir = mkdtempSync(join(tmpdir(), 'balcao-e2e-'))
  chmodSync(dataDir, 0o755)
  program = await Program.start(dataDir)
  const password = readFileSync(join(dataDir, 'demo', 'demo-password'), 'utf8').trim()
  await quieten(await Colleague.signIn(program.url, 'admin', password))
  project.provide('demo', { url: program.url, password, dataDir })
}

/**
 * Nothing is said by itself, whatever hour it is, and what the demonstration brings is there to the end; what speaks of
 * either switches it on.
 */
async function quieten(admin: Colleague): Promise<void> {
  await admin.call('PATCH', '/api/system-settings', quietSettings)
  for (const { id } of await admin.openConversations())
    await admin.call('PATCH', `/api/conversations/${id}/toggle-auto-close`, { disableAutoClose: true })
}

export async function teardown(): Promise<void> {
  await program?.stop()
  if (dataDir) rmSync(dataDir, { recursive: true, force: true })
}
