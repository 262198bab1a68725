import { expect, test } from 'vitest'
import { openSecrets } from '#server/platform/secrets.ts'
import { eventually, forAllTests, testDatabase } from '#server/testing/test-app.ts'
import type { Hindrance } from '#shared/text/text.ts'
import { createChangesInTurn } from './changes-in-turn.ts'
import type { ChangeResult, ConfigRow } from './gateway.ts'
import { ensureConnection } from '#server/gateway/instances/setup.ts'

const t = forAllTests(testDatabase)
const secrets = openSecrets('a'.repeat(64), '/nowhere')

async function numberIn(status: ConfigRow['status']): Promise<{ instanceId: number; waId: string }> {
  const wanted = { instanceName: 'loja1', baseUrl: 'http://127.0.0.1:1', apiKey: 'k', pacePerSecond: 10 }
  const { id } = await ensureConnection(t.database, secrets, wanted)
  await t.sql`update evolution_api_config set status = ${status} where id = ${id}`
  return { instanceId: id, waId: 'A' }
}

const done: ChangeResult = { kind: 'done', atMs: 1 }
const hindered = (hindrance: Hindrance): ChangeResult => ({ kind: 'not_changed', detail: 'x', hindrance })

test.each<Hindrance>(['socket', 'silent', 'busy'])(
  'a change waits for a gateway that is hindered for a moment (%s)',
  async (hindrance) => {
    const message = await numberIn('connecting')
    let asked = 0
    const ask = () => Promise.resolve(++asked < 3 ? hindered(hindrance) : done)
    expect(await createChangesInTurn(5000)(t.database, message, ask)).toBe(done)
    expect(asked).toBe(3)
  },
)

test.each<Hindrance>(['key', 'license', 'no_instance'])(
  'a change does not wait for what only a person ends (%s)',
  async (hindrance) => {
    const message = await numberIn('open')
    let asked = 0
    const ask = () => Promise.resolve((asked++, hindered(hindrance)))
    expect(await createChangesInTurn(5000)(t.database, message, ask)).toMatchObject({ hindrance })
    expect(asked).toBe(1)
  },
)

test.each<ConfigRow['status']>(['close', 'unauthorized', 'unlicensed'])(
  'a change stops waiting once the number is known to be away for longer (%s)',
  async (status) => {
    const message = await numberIn(status)
    const startedAt = performance.now()
    const result = await createChangesInTurn(20_000)(t.database, message, () =>
      Promise.resolve(hindered('socket')),
    )
    expect(result).toMatchObject({ hindrance: 'socket' })
    expect(performance.now() - startedAt).toBeLessThan(5000)
  },
)

test('changes of a message are made in the order in which they were asked for', async () => {
  const message = await numberIn('connecting')
  const inTurn = createChangesInTurn(5000)
  const made: string[] = []
  let isAway = true
  const change = (name: string, waId = 'A') =>
    inTurn(t.database, { ...message, waId }, () => {
      if (isAway && waId === 'A') return Promise.resolve(hindered('socket'))
      made.push(name)
      return Promise.resolve(done)
    })
  const all = [change('primeira'), change('segunda'), change('outra', 'B')]
  await eventually(() => Promise.resolve(made), { length: 1 })
  expect(made).toEqual(['outra'])
  isAway = false
  await Promise.all(all)
  expect(made).toEqual(['outra', 'primeira', 'segunda'])
})

test('a change that throws keeps no later one from being made', async () => {
  const message = await numberIn('open')
  const inTurn = createChangesInTurn(1000)
  const failed = inTurn(t.database, message, () => Promise.reject<ChangeResult>(new Error('boom')))
  const next = inTurn(t.database, message, () => Promise.resolve(done))
  await expect(failed).rejects.toThrow('boom')
  expect(await next).toBe(done)
})
