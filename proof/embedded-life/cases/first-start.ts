import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { query } from '#server/platform/embedded-postgres/testing/testing.ts'
import { type Case, eventually, type CaseEnvironment, real, spread, timed } from '../case.ts'
import { descendantsOf, killIfThere, serversBelow } from '../../support/processes.ts'

/** Times from the start until well after initdb, on a quiet or a busy machine. */
const longestMs = 1200

/** Kills a first start after a time, with or without initdb and its children. The next start must work. */
async function interrupt(at: CaseEnvironment, afterMs: number, alsoChildren: boolean): Promise<number> {
  const dataDir = await at.makeDataDir()
  const program = at.startProgram(dataDir, real)
  await program.next('running')
  await sleep(afterMs)
  const children = alsoChildren ? await descendantsOf(program.pid) : []
  await program.kill('SIGKILL')
  children.forEach(killIfThere)
  const { ms, value } = await timed(() => at.start(dataDir, real))
  assert.deepEqual(await query(value.connection, 'select 1 as one'), [{ one: 1 }])
  await value.stop()
  // An orphaned initdb may continue to write for a moment. A later start removes what it leaves.
  await eventually('an orphaned initdb', async () =>
    (await serversBelow(join(dataDir, 'postgres'))).length === 0 ? true : undefined,
  )
  await (await at.start(dataDir, real)).stop()
  assert.deepEqual(await readdir(join(dataDir, 'postgres')), ['data', 'postgres.log', 'run'])
  return ms
}

async function interruptMany(at: CaseEnvironment, alsoChildren: boolean): Promise<string> {
  const figures: number[] = []
  for (let n = 0; n < at.rounds * 2; n += 1)
    figures.push(await interrupt(at, Math.round(at.random() * longestMs), alsoChildren))
  return `${figures.length} of ${figures.length}, ${spread(figures)}`
}

async function stopsAtPoints(at: CaseEnvironment): Promise<string> {
  const figures: number[] = []
  for (let n = 0; n < 10; n += 1) {
    const dataDir = await at.makeDataDir()
    const program = at.startProgram(dataDir, real)
    await program.next('running')
    await sleep((n * longestMs) / 10)
    const { ms, value } = await timed(() => {
      program.signal('SIGTERM')
      if (n % 2 === 1) program.signal('SIGTERM')
      return program.ended
    })
    assert.equal(value, 0, `code ${value} at point ${n}`)
    assert.deepEqual(await serversBelow(dataDir), [], `a server at point ${n}`)
    figures.push(ms)
  }
  return `10 points, no server, code 0, ${spread(figures)}`
}

export const firstStartCases: Case[] = [
  { name: 'first start: interrupted (kill -9 of the program)', run: (at) => interruptMany(at, false) },
  { name: 'first start: interrupted with initdb and its children', run: (at) => interruptMany(at, true) },
  { name: 'first start: SIGTERM at 10 points, half of them twice', run: stopsAtPoints },
]
