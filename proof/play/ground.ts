import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGateway, ensureConnection, type Gateway } from '#server/gateway/gateway.ts'
import type { Who } from '#server/platform/access.ts'
import { readConfig } from '#server/platform/config.ts'
import { type Database, migrateDatabase, openDatabase } from '#server/platform/db.ts'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres.ts'
import { createLog } from '#server/platform/log.ts'
import { createOutgoingHttp } from '#server/platform/outgoing-http.ts'
import { openSecrets } from '#server/platform/secrets.ts'
import { saveSettings } from '#server/settings/settings.ts'
import { createUser } from '#server/users/users.ts'
import { openHouse, type House } from './house.ts'
import { whoIs } from './operators.ts'
import type { DayPlan } from './plan.ts'
import { settingsOf } from './texts.ts'
import type { WhatsApp } from './whatsapp.ts'

/** What a day is played on: a database of its own, with its settings, its operators and its number. */
export interface Ground {
  /** Of the proof's own, to move the clock and to look. */
  database: Database
  people: Who[]
  /** Starts what of the product runs, with these phones behind its gateway. */
  openHouse(whatsapp: WhatsApp): House
  close(): Promise<void>
}

const signals = ['SIGINT', 'SIGTERM'] as const

export async function startGround(plan: DayPlan): Promise<Ground> {
  const dataDir = mkdtempSync(join(tmpdir(), 'balcao-dia-'))
  if (process.getuid?.() === 0) chmodSync(dataDir, 0o711)
  const embedded = await startEmbeddedPostgres({ dataDir, durable: false })
  const { connection } = embedded
  const database = openDatabase({ connection, log: createLog('silent'), poolSize: 2 })
  await migrateDatabase(database)
  const config = readConfig({ DATA_DIR: dataDir }, false)
  const secrets = openSecrets(config.secretKey, dataDir)
  const wanted = {
    instanceName: 'loja1',
    baseUrl: 'http://127.0.0.1:1',
    apiKey: 'chave-da-prova',
    pacePerSecond: 10,
  }
  const { id: instanceId } = await ensureConnection(database, secrets, wanted)
  await saveSettings(database, settingsOf(plan))
  const people: Who[] = []
  for (const { username } of plan.operators) people.push(whoIs(await hire(database, username), username))
  const unconnected = createGateway(createOutgoingHttp([]), secrets)
  let closing: Promise<void> | undefined
  const close = async () => {
    await database.close()
    await embedded.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  const closeOnce = () => (closing ??= close())
  // Whoever ends it early leaves no server behind.
  const endEarly = () => void closeOnce().finally(() => process.exit(1))
  for (const signal of signals) process.once(signal, endEarly)
  return {
    database,
    people,
    openHouse: (whatsapp) =>
      openHouse({ connection, secrets, instanceId, gateway: gatewayTo(whatsapp, unconnected) }),
    close() {
      for (const signal of signals) process.off(signal, endEarly)
      return closeOnce()
    },
  }
}

const hire = (database: Database, username: string) =>
  createUser(database, {
    username,
    email: `${username}@prova.example`,
    name: username,
    password: 'senha-de-prova',
    role: 'operator',
  })

/** All that is asked of it is whether it is there. */
function gatewayTo(whatsapp: WhatsApp, unconnected: Gateway): Gateway {
  const connectionState = () =>
    Promise.resolve(whatsapp.isGatewayAway ? ('unreachable' as const) : ('open' as const))
  return { ...unconnected, client: { ...unconnected.client, connectionState } }
}
