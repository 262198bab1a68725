import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { query } from '#server/platform/embedded-postgres/testing/testing.ts'
import { type Case, type CaseEnvironment, real, spread, timed } from '../case.ts'
import { serversBelow } from '../../support/processes.ts'

async function stopsUnderLoad(at: CaseEnvironment): Promise<string> {
  const figures: number[] = []
  for (let n = 0; n < at.rounds; n += 1) {
    const dataDir = await at.makeDataDir()
    const server = await at.start(dataDir, real)
    const codes: unknown[] = []
    const clients = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const client = new pg.Client(server.connection)
        client.on('error', () => undefined)
        await client.connect()
        return client
      }),
    )
    const long = clients[0]?.query('select pg_sleep(60)').catch((error: unknown) => codes.push(codeOf(error)))
    await clients[1]?.query('begin; create table half (id int)')
    await sleep(50)
    const { ms } = await timed(() => server.stop())
    await long
    assert.deepEqual(codes, ['57P01'])
    assert.ok(ms < 5000, `${ms} ms`)
    assert.deepEqual(await serversBelow(dataDir), [])
    figures.push(ms)
  }
  return spread(figures)
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : error
}

async function signalsTwice(at: CaseEnvironment): Promise<string> {
  const dataDir = await at.makeDataDir()
  const program = at.startProgram(dataDir, real)
  const { connection } = await program.next('started')
  await query(connection!, 'create table kept as select 42 as answer')
  const { ms, value } = await timed(() => {
    program.signal('SIGTERM')
    program.signal('SIGTERM')
    return program.ended
  })
  assert.equal(value, 0)
  assert.deepEqual(await serversBelow(dataDir), [])
  return `code 0, ${ms} ms`
}

export const stopCases: Case[] = [
  { name: 'stop: with open connections and a statement of 60 s', run: stopsUnderLoad },
  { name: 'stop: two signals', run: signalsTwice },
]
