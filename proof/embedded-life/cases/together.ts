import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { query, serverPid } from '#server/platform/embedded-postgres/testing.ts'
import { type Case, type CaseEnvironment, real, refusal, spread, timed } from '../case.ts'
import { killTree, serversBelow } from '../../support/processes.ts'

async function refusesSecond(at: CaseEnvironment): Promise<string> {
  const dataDir = await at.makeDataDir()
  const first = at.startProgram(dataDir, { ...real, program: 'balcao-servidor' })
  await first.next('started')
  const figures: number[] = []
  for (let n = 0; n < 5; n += 1) {
    const { ms, value } = await timed(() => refusal(at.start(dataDir, real)))
    assert.match(value, new RegExp(`balcao-servidor, processo ${first.pid}, máquina ${hostname()}`))
    assert.ok(ms < 1000, `só depois de ${ms} ms`)
    figures.push(ms)
  }
  await first.stop()
  return spread(figures)
}

async function commandsAttach(at: CaseEnvironment): Promise<string> {
  const dataDir = await at.makeDataDir()
  const command = { ...real, attachOnly: true, program: 'balcao-comando' }
  const alone = await timed(() => at.start(dataDir, command))
  await alone.value.stop()
  assert.deepEqual(await serversBelow(dataDir), [], 'o comando deixou o servidor')
  const server = at.startProgram(dataDir, real)
  await server.next('started')
  const beside = await timed(() => at.start(dataDir, command))
  assert.deepEqual(await query(beside.value.connection, 'select current_user as me'), [{ me: 'balcao' }])
  await beside.value.stop()
  await serverPid(dataDir)
  await server.stop()
  return `sozinho ${alone.ms} ms, ao lado ${beside.ms} ms`
}

const many = 30

/** Starts all at once: exactly one may win, and every other one names it. */
async function race(at: CaseEnvironment, dataDir: string): Promise<string> {
  const programs = Array.from({ length: many }, () => at.startProgram(dataDir, real))
  const results = await Promise.all(programs.map((program) => timed(() => program.next('started', 'error'))))
  const winners = programs.filter((_, index) => results[index]?.value.event === 'started')
  assert.equal(winners.length, 1, `${winners.length} vencedores`)
  for (const { value } of results)
    if (value.event === 'error') {
      assert.equal(value.reason, 'in_use', value.message)
      assert.ok(value.message?.includes(`processo ${winners[0]?.pid},`), value.message)
    }
  await winners[0]?.stop()
  assert.deepEqual(await serversBelow(dataDir), [])
  assert.deepEqual(await readdir(join(dataDir, 'postgres')), ['data', 'postgres.log', 'run'])
  return `1 de ${many}, ${spread(results.map(({ ms }) => ms))}`
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
  return `20 de 20, ${spread(figures)}`
}

/** The old one was asked to stop and drains for a while; the new one waits for it longer than for one that works. */
async function restartOverlapsDrain(at: CaseEnvironment): Promise<string> {
  const dataDir = await at.makeDataDir()
  let isLeaving = false
  const old = await at.start(dataDir, { ...real, stopRequested: () => isLeaving })
  isLeaving = true
  const next = timed(() => at.start(dataDir, real))
  await sleep(2500)
  assert.deepEqual(await query(old.connection, 'select 1 as one'), [{ one: 1 }])
  await old.stop()
  const { ms, value } = await next
  await value.stop()
  return `esperou ${ms} ms por 2500 ms de encerramento`
}

export const togetherCases: Case[] = [
  { name: 'juntos: um segundo é recusado em menos de 1 s, com o nome do primeiro', run: refusesSecond },
  { name: 'juntos: comandos ao lado de um servidor, e sozinhos', run: commandsAttach },
  {
    name: `juntos: ${many} inícios em pasta vazia`,
    run: async (at) => race(at, await at.makeDataDir()),
  },
  { name: `juntos: ${many} inícios com o servidor vivo`, run: (at) => raceAfterKill(at, false) },
  { name: `juntos: ${many} inícios com o servidor morto`, run: (at) => raceAfterKill(at, true) },
  { name: 'juntos: reinício sobre uma parada (0 a 76 ms)', run: restartOverlapsStop },
  { name: 'juntos: reinício sobre um encerramento de 2,5 s', run: restartOverlapsDrain },
]
