import { sql } from 'drizzle-orm'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { inTransaction } from '#server/platform/database/db.ts'
import { openSecrets, type Secrets } from '#server/platform/secrets.ts'
import type { EvolutionClient } from '#server/gateway/evolution/client/evolution-client.ts'
import { parseWebhook } from '#server/gateway/evolution/parse/webhook.ts'
import { createInboxWriter } from '#server/gateway/inbox/inbox.ts'
import { isBearerOf } from '#server/gateway/webhook/webhook-auth.ts'
import { inTurn } from '#server/testing/database/in-turn.ts'
import { testDatabase, type TestDatabase } from '#server/testing/test-app.ts'
import { linkNumber } from './link-number.ts'
import { type ConfigRow, findConfig } from './queries.ts'
import { checkConnection, ensureConnection, noteConnection, withNewSecret } from './setup.ts'

let t: TestDatabase
let dataDir: string
let secrets: Secrets
let number: ConfigRow

beforeEach(async () => {
  t = await testDatabase()
  dataDir = mkdtempSync(join(tmpdir(), 'balcao-setup-'))
  secrets = openSecrets(undefined, dataDir)
  const wanted = { instanceName: 'loja1', baseUrl: 'http://127.0.0.1:1', apiKey: 'k', pacePerSecond: 10 }
  number = await ensureConnection(t.database, secrets, wanted)
})
afterEach(async () => {
  await t.close()
  rmSync(dataDir, { recursive: true, force: true })
})

type State = Awaited<ReturnType<EvolutionClient['connectionState']>>

let reported = 0

/** The gateway reports that the number is away. */
async function tellAway({ isProcessed }: { isProcessed: boolean }): Promise<void> {
  const payload = {
    event: 'connection.update',
    instance: 'loja1',
    data: { state: 'close', nth: (reported += 1) },
  }
  const { event, dedupeKey, lane, eventsByItem } = parseWebhook(payload)
  const row = { instanceId: number.id, instanceName: 'loja1', event, dedupeKey, lane, payload, eventsByItem }
  await createInboxWriter(t.database).store(row)
  if (isProcessed) await inTransaction(t.database, (db) => noteConnection(db, number.id, { status: 'close' }))
}

/** Asks a gateway that answers after something has happened. */
const check = (answer: State, meanwhile?: () => Promise<void>) =>
  checkConnection(
    t.database,
    {
      async connectionState() {
        await meanwhile?.()
        return answer
      },
    },
    secrets,
    number,
  )
const status = async () => (await findConfig(t.database, number.id))?.status

test('an answer that a webhook has overtaken changes nothing; the next one does', async () => {
  expect(await check('open')).toBe(true)
  expect(await check('open', () => tellAway({ isProcessed: true }))).toBe(false)
  expect(await status()).toBe('close')
  expect(await check('open')).toBe(true)
  expect(await status()).toBe('open')
})

test('a webhook that is not processed yet has overtaken it, too', async () => {
  await check('close')
  expect(await check('open', () => tellAway({ isProcessed: false }))).toBe(false)
  expect(await status()).toBe('close')
})

test('an answer that nothing has overtaken is recorded, whatever came before the question', async () => {
  await tellAway({ isProcessed: true })
  expect(await check('open')).toBe(true)
  expect(await check('unreachable')).toBe(false)
  expect(await status()).toBe('unreachable')
})

/** Gives the gateway a new secret; `answered` is when it answers. */
function registerAnew() {
  const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const done = withNewSecret(t.database, secrets, number, async (secret) => {
    atGateway = secret
    asked.resolve()
    await answered.promise
    return {}
  })
  const answer = async () => {
    answered.resolve()
    await done
  }
  return { asked: asked.promise, answer }
}
let atGateway: string | undefined
const isAccepted = async () => {
  const config = await findConfig(t.database, number.id)
  return config && isBearerOf(config, atGateway ?? '', secrets)
}

test.each(['first', 'second'] as const)(
  'of two who register at once, the %s of whom is answered first, neither locks the gateway out',
  async (which) => {
    const first = registerAnew()
    await first.asked
    const second = registerAnew()
    await second.asked
    for (const each of which === 'first' ? [first, second] : [second, first]) {
      expect(await isAccepted()).toBe(true)
      await each.answer()
    }
    expect(await isAccepted()).toBe(true)
    expect(await findConfig(t.database, number.id)).toMatchObject({ webhookSecretPendingEncrypted: null })
  },
)

test('who registers while another has ended keeps the secrets of both', async () => {
  const first = registerAnew()
  await first.asked
  const second = registerAnew()
  await second.asked
  await second.answer()
  const third = registerAnew()
  await third.asked
  const ofThird = atGateway
  await first.answer()
  expect(await isAccepted()).toBe(true)
  await third.answer()
  expect(await isAccepted()).toBe(true)
  expect(atGateway).toBe(ofThird)
})

test('a scan that is reported while the gateway answers about a code is not overtaken', async () => {
  await inTransaction(t.database, (db) => noteConnection(db, number.id, { status: 'close' }))
  const client = {
    fetchInstances: async () => [{ name: 'loja1' }],
    connectionState: async () => 'open',
    setWebhook: async () => undefined,
    // The code was asked for before it was scanned.
    connect: async () => ({ isOpen: false }),
  } as unknown as EvolutionClient
  const config = { ...number, webhookSetAt: new Date() }
  await inTurn(
    t.database,
    sql`select from evolution_api_config where id = ${number.id} for update`,
    () => inTransaction(t.database, (db) => noteConnection(db, number.id, { status: 'open' })),
    () =>
      linkNumber({ database: t.database, client, secrets }, config, { number: undefined, url: 'http://x' }),
  )
  expect(await status()).toBe('open')
})
