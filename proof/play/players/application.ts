import { automationJobs, eventHandlers } from '#server/conversations/conversations.ts'
import { type Gateway, type GatewayEvent, startGatewayWatch } from '#server/gateway/gateway.ts'
import { type Database, inTransaction, openDatabase } from '#server/platform/db.ts'
import type { EmbeddedConnection } from '#server/platform/embedded-postgres.ts'
import type { Job } from '#server/platform/jobs.ts'
import { createLog } from '#server/platform/log.ts'
import type { Secrets } from '#server/platform/secrets.ts'

/** The running part of the product, opened again after each restart on the same database. */
export interface Application {
  readonly database: Database
  readonly jobs: readonly Job[]
  /** As the inbox does: the batch path first. */
  receive(event: GatewayEvent): Promise<void>
  /** Checks the state of the connection. */
  lookAtGateway(): Promise<void>
  /** Whether something was put into the outbox since the last call. */
  hasMail(): boolean
  close(): Promise<void>
}

export interface ApplicationParts {
  connection: EmbeddedConnection
  gateway: Gateway
  secrets: Secrets
  instanceId: number
}

const log = createLog(process.env['LOG_LEVEL'] ?? 'silent')

export function openApplication({ connection, gateway, secrets, instanceId }: ApplicationParts): Application {
  const database = openDatabase({ connection, log, poolSize: 4 })
  const watch = startGatewayWatch(database, gateway, secrets, log)
  let hasMail = true
  database.wake.on('outbox', () => void (hasMail = true))
  return {
    database,
    jobs: automationJobs(database),
    receive: (event) =>
      inTransaction(database, async (db) => {
        const [isDone] = await eventHandlers.many(db, instanceId, [event])
        if (!isDone) await eventHandlers.one(db, instanceId, event)
      }),
    lookAtGateway: () => watch.look(),
    hasMail() {
      const had = hasMail
      hasMail = false
      return had
    },
    async close() {
      await watch.stop()
      await database.close()
    },
  }
}
