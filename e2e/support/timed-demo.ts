import { chmodSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'drizzle-orm'
import { openConfiguredDatabase } from '#server/open-database.ts'
import { readConfig } from '#server/platform/config.ts'
import { type Database, rows } from '#server/platform/database/db.ts'
import { createLog } from '#server/platform/log.ts'
import { movableClock } from '#server/testing/movable-clock.ts'
import type { SimulatorState } from '#simulator/control-views.ts'
import { Program } from '../../proof/support/program.ts'
import { Colleague } from './colleague.ts'

/** A demonstration in a folder of its own, for whom the time is what a test says. */
export interface TimedDemo {
  url: string
  password: string
  database: Database
  /**
   * Lets the time pass until then, or until so many milliseconds from now. Whatever was written before has
   * come in, and what answers it has gone out.
   */
  goTo(at: Date | number): Promise<void>
  /** Until one of the product's jobs has looked anew, from its beginning to its end. */
  lookedAnew(job: 'queue' | 'silence'): Promise<void>
  close(): Promise<void>
}

/**
 * What is not worked off for a minute counts as an outage, after which nobody is closed for half an hour: no
 * step is longer, and before each one everything that has come is worked off and everything that is to go has
 * gone.
 */
const stepMs = 50_000
const quietWithinMs = 120_000

/**
 * The product's clock, which is the database's, and that of the machine, by which the gateway and the phones
 * live, go together: a phone whose clock is behind the product's would write what came late.
 * @param at when the demonstration begins; later than now by more than an hour
 */
export async function startTimedDemo(at: Date): Promise<TimedDemo> {
  const folder = mkdtempSync(join(tmpdir(), 'balcao-e2e-timed-'))
  chmodSync(folder, 0o755)
  const aheadFile = join(folder, 'ahead')
  // Whole at every moment at which it is read.
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
    async lookedAnew(job) {
      const doneAt = async () => (await rows<{ at: string }>(database, doneAtOf(job)))[0]?.at
      // The first to end may have begun before.
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

/** What the demonstration brings is there to the end, whatever the hour. */
async function keepOpen(admin: Colleague): Promise<void> {
  for (const { id } of await admin.openConversations())
    await admin.call('PATCH', `/api/conversations/${id}/toggle-auto-close`, { disableAutoClose: true })
}
