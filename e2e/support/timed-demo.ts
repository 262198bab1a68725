import { chmodSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'drizzle-orm'
import { openConfiguredDatabase } from '#server/open-database.ts'
import { readConfig } from '#server/platform/config.ts'
import { type Database, rows } from '#server/platform/database/db.ts'
import { createLog } from '#server/platform/log.ts'
import { movableClock } from '#server/testing/database/movable-clock.ts'
import type { SimulatorState } from '#simulator/control-views.ts'
import { Program } from '../../proof/support/program.ts'
import { Colleague } from './colleague.ts'

/** A demonstration with a clock that the test controls, in a separate folder. */
export interface TimedDemo {
  url: string
  password: string
  database: Database
  /**
   * Advances the clock to a time, or by milliseconds. Messages written before are processed first, and the
   * answers sent.
   */
  goTo(at: Date | number): Promise<void>
  /** Waits for a complete run of one of the product's jobs. */
  waitForRun(job: 'queue' | 'inactivity'): Promise<void>
  close(): Promise<void>
}

/**
 * Shorter than a minute: a backlog of a minute counts as an outage, after which auto-close pauses for half an
 * hour. Before each step, inbox and outbox must be empty.
 */
const stepMs = 50_000
const quietWithinMs = 120_000

/**
 * Starts a demonstration at another time. The product's clock (that of the database) and the process's clock,
 * which the gateway and the phones use, are moved together: messages of phones behind the product's clock
 * would count as late.
 * @param at the initial time, more than an hour in the future
 */
export async function startTimedDemo(at: Date): Promise<TimedDemo> {
  const folder = mkdtempSync(join(tmpdir(), 'balcao-e2e-timed-'))
  chmodSync(folder, 0o755)
  const aheadFile = join(folder, 'ahead')
  // Renamed into place, so that a reader never sees a partial file.
  const setMachine = (aheadMs: number) => {
    writeFileSync(`${aheadFile}.new`, String(aheadMs))
    renameSync(`${aheadFile}.new`, aheadFile)
  }
  setMachine(at.getTime() - Date.now())
  const preload = pathToFileURL(join(import.meta.dirname, 'machine-clock.ts')).href
  const program = await Program.start({
    args: ['--demo'],
    env: {
      DATA_DIR: folder,
      MACHINE_AHEAD_FILE: aheadFile,
      NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import=${preload}`,
    },
  })
  const end = async () => {
    await program.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    return await timed(program, { at, folder, setMachine, end })
  } catch (error) {
    await end()
    throw error
  }
}

interface Begun {
  at: Date
  folder: string
  setMachine: (aheadMs: number) => void
  end: () => Promise<void>
}

async function timed(program: Program, { at, folder, setMachine, end }: Begun): Promise<TimedDemo> {
  const config = readConfig({ DATA_DIR: folder }, true)
  const { database, close } = await openConfiguredDatabase(config, createLog('silent'), { attachOnly: true })
  const clock = await movableClock(database)
  await clock.set(at)
  const gateway = async () =>
    (await (await fetch(`${program.url}/simulador/api/state`)).json()) as SimulatorState
  const password = readFileSync(join(folder, 'demo', 'demo-password'), 'utf8').trim()
  await keepOpen(await Colleague.signIn(program.url, 'admin', password))
  return {
    url: program.url,
    password,
    database,
    async goTo(to) {
      await until(
        async () => (await gateway()).counters.pendingWebhooks === 0,
        'the gateway has always something to tell',
      )
      const target = typeof to === 'number' ? (await clock.now()).getTime() + to : to.getTime()
      for (;;) {
        const leftMs = target - (await clock.now()).getTime()
        if (leftMs <= 0) break
        await step(database, Math.min(leftMs, stepMs))
        setMachine((await clock.now()).getTime() - Date.now())
      }
      await until(
        async () => Date.parse((await gateway()).now) >= target - 1000,
        'the machine’s clock has not moved',
      )
    },
    async waitForRun(job) {
      const doneAt = async () => (await rows<{ at: string }>(database, doneAtOf(job)))[0]?.at
      // The first run to end may have begun before the call.
      for (let ended = 0; ended < 2; ended++) {
        const before = await doneAt()
        await until(async () => (await doneAt()) !== before, `${job} has not run`)
      }
    },
    async close() {
      await close()
      await end()
    },
  }
}

const doneAtOf = (job: string) => sql`select done_at::text as at from jobs where name = ${job}`

async function step(database: Database, ms: number): Promise<void> {
  await until(async () => {
    const { rowCount } = await database.execute(
      sql`update test_clock set ahead = ahead + ${ms} * interval '1 millisecond'
           where not exists (select from webhook_inbox where processed_at is null and dead_reason is null)
             and not exists (select from outbox where state in ('pending', 'sending', 'unknown'))`,
    )
    return rowCount === 1
  }, 'there is always something under way')
}

async function until(isSo: () => Promise<boolean>, otherwise: string): Promise<void> {
  const deadline = performance.now() + quietWithinMs
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(otherwise)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Switches auto-close off for the demonstration's conversations, so that they stay open at any time. */
async function keepOpen(admin: Colleague): Promise<void> {
  for (const { id } of await admin.openConversations())
    await admin.call('PATCH', `/api/conversations/${id}/toggle-auto-close`, { disableAutoClose: true })
}
