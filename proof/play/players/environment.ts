import { createGateway, ensureConnection, type Gateway } from '#server/gateway/gateway.ts'
import type { Who } from '#server/platform/http/access.ts'
import { readConfig } from '#server/platform/config.ts'
import { type Database, migrateDatabase } from '#server/platform/database/db.ts'
import { createOutgoingHttp } from '#server/platform/http/outgoing-http.ts'
import { openSecrets } from '#server/platform/secrets.ts'
import { saveSettings } from '#server/settings/settings.ts'
import { createUser } from '#server/users/users.ts'
import { startThrowawayDatabase } from '../../support/throwaway-database.ts'
import { openApplication, type Application } from './application.ts'
import { whoIs } from './operators.ts'
import type { DayPlan } from '../plan/plan.ts'
import { settingsOf } from '../plan/texts.ts'
import type { WhatsApp } from './whatsapp.ts'

/** A database with the day's settings, operators and gateway connection. */
export interface Environment {
  /** A connection separate from the application's, for the clock and for reading. */
  database: Database
  people: Who[]
  /** Creates the application, with these phones behind its gateway. */
  openApplication(whatsapp: WhatsApp): Application
  close(): Promise<void>
}

export async function startEnvironment(plan: DayPlan): Promise<Environment> {
  const { dataDir, connection, database, close } = await startThrowawayDatabase('day', 2)
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
  return {
    database,
    people,
    openApplication: (whatsapp) =>
      openApplication({ connection, secrets, instanceId, gateway: gatewayTo(whatsapp, unconnected) }),
    close,
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

/** Only its connection state is used. */
function gatewayTo(whatsapp: WhatsApp, unconnected: Gateway): Gateway {
  const connectionState = () =>
    Promise.resolve(whatsapp.isGatewayAway ? ('unreachable' as const) : ('open' as const))
  return { ...unconnected, client: { ...unconnected.client, connectionState } }
}
