import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createLog } from '#server/platform/log.ts'
import { openSecrets } from '#server/platform/secrets.ts'
import type { EvolutionClient } from '#server/gateway/evolution/client/evolution-client.ts'
import { listActiveConfigs } from '#server/gateway/instances/queries.ts'
import { ensureConnection } from '#server/gateway/instances/setup.ts'
import { above, eventually, forAllTests, testDatabase } from '#server/testing/test-app.ts'
import { createGateway, startGatewayWatch } from './gateway.ts'

const secrets = openSecrets('a'.repeat(64), '/nowhere')
const deadHttp = {
  fetchJson: () => Promise.reject(new Error('nobody answers')),
  fetchStream: () => Promise.reject(new Error('nobody answers')),
  close: () => Promise.resolve(),
}

const t = forAllTests(testDatabase)

const add = (instanceName: string) => {
  const number = { instanceName, baseUrl: 'http://127.0.0.1:1', apiKey: 'k', pacePerSecond: 10 }
  return ensureConnection(t.database, secrets, number)
}
/** Watches the numbers by this client. */
function startWatch(client: Partial<EvolutionClient>) {
  const gateway = createGateway(deadHttp, secrets)
  const watched = { ...gateway, client: { ...gateway.client, ...client } }
  return startGatewayWatch(t.database, watched, secrets, createLog('silent'))
}

test('a number whose webhook cannot be compared keeps no other from it, and is asked again', async () => {
  for (const name of ['loja1', 'loja2', 'loja3']) await add(name)
  await t.sql`update evolution_api_config set webhook_set_at = now()`
  const asked: string[] = []
  const watch = startWatch({
    connectionState: () => Promise.resolve('open'),
    refreshWebhook({ instanceName }) {
      asked.push(instanceName)
      return instanceName === 'loja2' ? Promise.resolve() : Promise.reject(new Error('gone'))
    },
  })
  await eventually(() => new Set(asked).size, 3)
  t.database.signals.send('connections')
  const countOf = (name: string) => asked.filter((one) => one === name).length
  await eventually(() => Math.min(countOf('loja1'), countOf('loja3')), above(1))
  await watch.stop()
  expect(countOf('loja2')).toBe(1)
})

test('numbers are asked about once a second, however many calls of one of them fail', async () => {
  const asked: number[] = []
  const numbers = (await listActiveConfigs(t.database)).length
  const startedAt = performance.now()
  const watch = startWatch({
    connectionState() {
      asked.push(performance.now())
      return Promise.resolve('open')
    },
  })
  // The last signal is heeded too, although nothing else wakes the watch before its 20 seconds are over.
  let lastSignalAt = 0
  for (let n = 0; n < 150; n++) {
    await sleep(10)
    lastSignalAt = performance.now()
    t.database.signals.send('connections')
  }
  await eventually(
    () => asked.filter((at) => at > lastSignalAt).length,
    (later) => later >= numbers,
    15_000,
  )
  await watch.stop()
  const rounds = 2 + Math.floor((performance.now() - startedAt) / 1000)
  expect(asked.length).toBeLessThanOrEqual(rounds * numbers)
})

test('the release of a gateway is noted while we run, and what follows from it', async () => {
  await t.sql`update evolution_api_config set is_active = instance_name = 'loja1'`
  let release: string | undefined = '2.3.7'
  const watch = startWatch({
    connectionState: () => Promise.resolve('open'),
    release: () => (release === undefined ? Promise.reject(new Error('silent')) : Promise.resolve(release)),
  })
  const becomes = async (told: string | undefined, noted: { release: string; keepsIds: boolean }) => {
    release = told
    await eventually(
      () => {
        t.database.signals.send('connections')
        return t.sql`select release, keeps_ids as "keepsIds" from evolution_api_config where is_active`
      },
      { 0: noted },
    )
  }
  await becomes('2.3.7', { release: '2.3.7', keepsIds: false })
  await becomes('2.4.0', { release: '2.4.0', keepsIds: true })
  await becomes(undefined, { release: '2.4.0', keepsIds: true })
  await becomes('2.3.7', { release: '2.3.7', keepsIds: false })
  // A proxy may hide it.
  await becomes('', { release: '', keepsIds: false })
  await watch.stop()
})

test.each([
  ['open', 'connecting', null],
  ['close', 'close', 'timed_out'],
] as const)(
  'a number that is closed, and %s in the table, is %s',
  async (connectionStatus, status, reason) => {
    await t.sql`update evolution_api_config set is_active = instance_name = 'loja1', status = 'open',
                     closed_reason = null`
    const row = {
      name: 'loja1',
      connectionStatus,
      ownerJid: null,
      number: null,
      profileName: null,
      token: null,
    }
    let isAsked = false
    const watch = startWatch({
      connectionState: () => {
        if (isAsked) return Promise.resolve('connecting')
        isAsked = true
        return Promise.resolve('close')
      },
      fetchInstances: () => Promise.resolve([{ ...row, reason: 'timed_out' }]),
      release: () => Promise.resolve('2.4.0'),
    })
    await eventually(
      () => t.sql`select status, closed_reason as reason from evolution_api_config where is_active`,
      { 0: { status, reason } },
    )
    await watch.stop()
  },
)

test('a picture that finds the gateway away says so, as every other call does', async () => {
  const { id } = await add('loja1')
  let times = 0
  const gateway = createGateway(deadHttp, secrets, { onAway: () => void times++ })
  const take = () => Promise.resolve()
  await expect(gateway.fetchPicture(t.database, id, '5511', take)).rejects.toThrow('nobody answers')
  expect(times).toBe(1)
})
