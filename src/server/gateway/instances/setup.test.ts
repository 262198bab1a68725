import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { inTransaction } from '#server/platform/database/db.ts'
import { openSecrets, type Secrets } from '#server/platform/secrets.ts'
import type { EvolutionClient } from '#server/gateway/evolution/client/evolution-client.ts'
import { parseWebhook } from '#server/gateway/evolution/parse/webhook.ts'
import { createInboxWriter } from '#server/gateway/inbox/inbox.ts'
import { testDatabase, type TestDatabase } from '#server/testing/test-app.ts'
import { type ConfigRow, findConfig } from './queries.ts'
import { checkConnection, ensureConnection, noteConnection } from './setup.ts'

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
