import { automationJobs, conversationJobs, eventHandlers } from '#server/conversations/conversations.ts'
import { checkConnections, type Gateway, type GatewayEvent } from '#server/gateway/gateway.ts'
import { type Database, inTransaction, openDatabase } from '#server/platform/database/db.ts'
import type { EmbeddedConnection } from '#server/platform/embedded-postgres.ts'
import { createLog } from '#server/platform/log.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import type { JobDefinition } from '#server/platform/jobs/job-definition.ts'
import type { PeriodicTask } from '#server/platform/work/periodic.ts'

/** The running product, created again on the same database after each restart. */
export interface Application {
  readonly database: Database
  readonly jobs: readonly PeriodicTask[]
  /** Processes webhooks as the inbox does: as a batch first. */
  receive(event: GatewayEvent): Promise<void>
  /** Checks the state of the gateway connection. */
  lookAtGateway(): Promise<void>
  /** Whether something was added to the outbox since the last call. */
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

/** A scheduled job, called directly since its queue does not use the day's clock. */
function eachMinute({ name, work }: JobDefinition): PeriodicTask {
  return {
    name,
    everyMs: 60_000,
    work: () =>
      work({
        runId: name,
        data: undefined,
        attempt: 1,
        signal: new AbortController().signal,
        isCancelled: () => false,
        progress: () => Promise.resolve(),
      }),
  }
}

export function openApplication({ connection, gateway, secrets, instanceId }: ApplicationParts): Application {
  const database = openDatabase({ connection, log, poolSize: 4 })
  let hasMail = true
  database.signals.on('outbox', () => void (hasMail = true))
  return {
    database,
    jobs: [...automationJobs(database), ...conversationJobs(database).map(eachMinute)],
    receive: (event) =>
      inTransaction(database, async (db) => {
        const [isDone] = await eventHandlers.many(db, instanceId, [event])
        if (!isDone) await eventHandlers.one(db, instanceId, event)
      }),
    async lookAtGateway() {
      await checkConnections(database, gateway, secrets).catch((error: unknown) =>
        log.warn({ err: error }, 'connections not checked'),
      )
    },
    hasMail() {
      const had = hasMail
      hasMail = false
      return had
    },
    close: () => database.close(),
  }
}
