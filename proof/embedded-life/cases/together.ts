import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { query, serverPid } from '#server/platform/embedded-postgres/testing/testing.ts'
import { type Case, type CaseEnvironment, real, spread, timed } from '../case.ts'
import { killTree, serversBelow } from '../../support/processes.ts'

const many = 30

/** Starts all at once: exactly one must win, and each of the others names it. */
async function race(at: CaseEnvironment, dataDir: string): Promise<string> {
  const programs = Array.from({ length: many }, () => at.startProgram(dataDir, real))
  const results = await Promise.all(programs.map((program) => timed(() => program.next('started', 'error'))))
  const winners = programs.filter((_, index) => results[index]?.value.event === 'started')
  assert.equal(winners.length, 1, `${winners.length} winners`)
  for (const { value } of results)
    if (value.event === 'error') {
      assert.equal(value.reason, 'in_use', value.message)
      assert.ok(value.message?.includes(`processo ${winners[0]?.pid},`), value.message)
    }
  await winners[0]?.stop()
  assert.deepEqual(await serversBelow(dataDir), [])
  assert.deepEqual(await readdir(join(dataDir, 'postgres')), ['data', 'postgres.log', 'run'])
  return `1 of ${many}, ${spread(results.map(({ ms }) => ms))}`
}

async function raceAfterKill(at: CaseEnvironment, alsoServer: boolean): Promise<string> {
  const dataDir = await at.makeDataDir()
  const dead = at.startProgram(dataDir, real)
  await dead.next('started')
  const server = await serverPid(dataDir)
  await dead.kill('SIGKILL')
  if (alsoServer) await killTree(server)
  return race(at, dataDir)
}

async function restartOverlapsStop(at: CaseEnvironment): Promise<string> {
  const dataDir = await at.makeDataDir()
  const figures: number[] = []
  let server = await at.start(dataDir, real)
  for (let n = 0; n < 20; n += 1) {
    const leaving = server.stop()
    await sleep(n * 4)
    const { ms, value } = await timed(() => at.start(dataDir, real))
    await leaving
    assert.deepEqual(await query(value.connection, 'select 1 as one'), [{ one: 1 }])
    figures.push(ms)
    server = value
  }
  await server.stop()
  return `20 of 20, ${spread(figures)}`
}

export const togetherCases: Case[] = [
  {
    name: `together: ${many} starts in an empty folder`,
    run: async (at) => race(at, await at.makeDataDir()),
  },
  { name: `together: ${many} starts with the server alive`, run: (at) => raceAfterKill(at, false) },
  { name: `together: ${many} starts with the server dead`, run: (at) => raceAfterKill(at, true) },
  { name: 'together: restart during a stop (0 to 76 ms)', run: restartOverlapsStop },
]
