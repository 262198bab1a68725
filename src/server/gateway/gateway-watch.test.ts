import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from 'drizzle-orm'
import { createLog } from '#server/platform/log.ts'
import { openSecrets } from '#server/platform/secrets.ts'
import type { EvolutionClient } from '#server/gateway/evolution/client/evolution-client.ts'
import { ensureConnection } from '#server/gateway/instances/setup.ts'
import { eventually, testDatabase, type TestDatabase } from '#server/testing/test-app.ts'
import { createGateway, startGatewayWatch } from './gateway.ts'

let t: TestDatabase

beforeAll(async () => {
  t = await testDatabase()
})
afterAll(() => t.close())

test('a number whose webhook cannot be compared keeps no other from it, and is asked again', async () => {
  const secrets = openSecrets('a'.repeat(64), '/nowhere')
  for (const instanceName of ['loja1', 'loja2', 'loja3'])
    await ensureConnection(t.database, secrets, {
      instanceName,
      baseUrl: 'http://127.0.0.1:1',
      apiKey: 'k',
      pacePerSecond: 10,
    })
  await t.database.execute(sql`update evolution_api_config set webhook_set_at = now()`)
  const asked: string[] = []
  const client: Pick<EvolutionClient, 'connectionState' | 'refreshWebhook'> = {
    connectionState: () => Promise.resolve('open'),
    refreshWebhook({ instanceName }) {
      asked.push(instanceName)
      return instanceName === 'loja2' ? Promise.resolve() : Promise.reject(new Error('gone'))
    },
  }
  const http = {
    fetchJson: () => Promise.reject(new Error('not asked')),
    fetchStream: () => Promise.reject(new Error('not asked')),
    close: () => Promise.resolve(),
  }
  const gateway = createGateway(http, secrets)
  const watched = { ...gateway, client: { ...gateway.client, ...client } }
  const watch = startGatewayWatch(t.database, watched, secrets, createLog('silent'))
  await eventually(
    () => new Set(asked).size,
    (numbers) => numbers === 3,
  )
  t.database.signals.send('connections')
  const countOf = (name: string) => asked.filter((one) => one === name).length
  await eventually(
    () => Math.min(countOf('loja1'), countOf('loja3')),
    (times) => times >= 2,
  )
  await watch.stop()
  expect(countOf('loja2')).toBe(1)
})
