import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Backup, MaintenanceRun, MaintenanceStats } from '#shared/maintenance/maintenance.ts'
import { projectFolder } from '../../scripts/start-line.ts'
import { ask, insist, type Place } from './place.ts'

/** How a run, or a command, ended. */
export interface Ended {
  kind: 'restore' | 'backup' | 'command'
  /** `refused`: it was not begun. `waits`: it goes on once the database is back. */
  state: 'done' | 'failed' | 'refused' | 'waits'
  /** A text that says why it failed. */
  error: string
}

const whole = { restoreComplete: true, restoreSettings: true }
export const path = (rest: string): string => `/api/maintenance/${rest}`

/**
 * The queue lets go of a run a moment after its end; when the database went down in between, once it has
 * missed its heartbeat, which takes 15 s.
 */
const letsGoWithinMs = 25_000

/** Begins a run, once the one before is over for the queue, too. */
async function begin(place: Place, kind: 'restore' | 'backup', base: Backup | undefined) {
  const deadline = performance.now() + letsGoWithinMs
  for (;;) {
    const begun =
      kind === 'restore'
        ? await ask(place, 'POST', path(`restore/${base?.id}`), whole)
        : await ask(place, 'POST', path('backup'), { name: 'Na prova', type: 'complete' })
    if (begun.body.code !== 'maintenance.busy' || performance.now() > deadline) return begun
    await sleep(200)
  }
}

/** Begins a run and waits for its end. @param patienceMs how long; then it waits for the database */
export async function runToEnd(
  place: Place,
  kind: 'restore' | 'backup',
  base: Backup | undefined,
  patienceMs: number,
): Promise<Ended> {
  const begun = await begin(place, kind, base)
  if (begun.body.code === 'maintenance.busy')
    return { kind, state: 'failed', error: 'the queue never lets go of the run before' }
  if (!begun.isOk) return { kind, state: 'refused', error: '' }
  const run = await untilIdle(place, kind, patienceMs)
  if (!run) return { kind, state: 'waits', error: '' }
  return { kind, state: run.state === 'done' ? 'done' : 'failed', error: run.error ?? '' }
}

/** The last run of the kind, once none waits or works. @returns undefined when that takes too long */
export async function untilIdle(
  place: Place,
  kind: MaintenanceRun['kind'],
  patienceMs: number,
): Promise<MaintenanceRun | undefined> {
  const deadline = performance.now() + patienceMs
  while (performance.now() < deadline) {
    const { isOk, body } = await ask<MaintenanceStats>(place, 'GET', path('stats'))
    if (isOk && body.runs.every(({ state }) => state !== 'queued' && state !== 'running'))
      return body.runs.find((run) => run.kind === kind)
    await sleep(100)
  }
  return undefined
}

export const listBackups = (place: Place): Promise<Backup[]> =>
  insist<Backup[]>(place, 'GET', path('backups'))

/** Brings a downloaded backup in, as somebody does at the terminal. */
export async function importFile({ env }: Place, file: string): Promise<Ended> {
  const command = join(projectFolder, 'src', 'server', 'cli.ts')
  const child = spawn(process.execPath, [command, 'backup', 'import', file], {
    cwd: projectFolder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stderr, stdout] = await Promise.all([text(child.stderr), text(child.stdout), once(child, 'exit')])
  const isDone = child.exitCode === 0 && stdout.includes('Tudo confere')
  const last = stderr.trim().split('\n').at(-1) ?? ''
  return { kind: 'command', state: isDone ? 'done' : 'failed', error: isDone ? '' : last }
}

const said = [
  /^O disco está cheio\.?$/,
  /^O disco não comporta a (conferência do backup|restauração): libere espaço e tente de novo\.?$/,
]
/** What is said where the database is on the disk, and has gone down. */
const saidOfDatabase = [
  /^O servidor parou antes do fim$/,
  /^O banco de dados não responde: /,
  /^O PostgreSQL não /,
]

/** Whether a failure is reported by a sentence that says what to do, or what has happened. */
export const isReported = ({ hasDatabase }: Place, { state, error }: Ended): boolean =>
  state !== 'failed' || [...said, ...(hasDatabase ? saidOfDatabase : [])].some((form) => form.test(error))
