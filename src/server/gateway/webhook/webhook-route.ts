import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#shared/errors.ts'
import type { Config } from '#server/platform/config.ts'
import { type Database, inTransaction, isDatabaseDown, type Tx } from '#server/platform/database/db.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import type { Http } from '#server/platform/http/http.ts'
import type { Log } from '#server/platform/log.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import type { EvolutionClient } from '#server/gateway/evolution/client/evolution-client.ts'
import { isInvitation } from '#server/gateway/evolution/parse/changes.ts'
import { codeUpdateIn } from '#server/gateway/evolution/parse/linking.ts'
import { field } from '#server/gateway/evolution/parse/values.ts'
import { instanceIn, parseWebhook } from '#server/gateway/evolution/parse/webhook.ts'
import type { GatewayEvent } from '#server/gateway/evolution/parse/gateway-events.ts'
import type { InboxWriter } from '#server/gateway/inbox/inbox.ts'
import { storable } from '#server/gateway/inbox/payload.ts'
import { noteCode } from '#server/gateway/instances/links.ts'
import { noteConnection } from '#server/gateway/instances/setup.ts'
import { lockConfig } from '#server/gateway/instances/queries.ts'
import { bodyLimitBytes } from './webhook-body.ts'
import { createWebhookSenders } from './webhook-senders.ts'

export type Typing = Extract<GatewayEvent, { kind: 'typing' }>
const isTyping = (event: GatewayEvent): event is Typing => event.kind === 'typing'

/** What the gateway's routes need; the caller that assembles the server provides it. */
export interface GatewayRoutes {
  database: Database
  config: Config
  secrets: Secrets
  client: EvolutionClient
  inbox: InboxWriter
  log: Log
  /** Called when clients start or stop typing. Not awaited and not stored. */
  onTyping(instanceId: number, typing: Typing[]): void
  /** What else changes with a number's own settings, in the same transaction. */
  onNumberSettings(db: Tx): Promise<void>
}

const path = '/api/webhook/evolution'
/**
 * A webhook registered 'by events' appends the event's name; one that was set up by hand may end in a slash.
 */
const otherPaths = [`${path}/`, `${path}/:event`, `${path}/:event/`]

/**
 * POST /api/webhook/evolution: authenticates the sender, by the header before anything of the body is read,
 * commits the body under its key, and answers 200.
 * What cannot be stored is answered with 503 and never 4xx: the gateway repeats the former and drops the
 * latter for good.
 *
 * A stored body is processed by `inbox/inbox-worker.ts`, which parses it again and passes its events through
 * `ignoreAnonymized` of `maintenance` to the handlers of `conversations`; `app-work.ts` puts these together.
 */
export function webhookRoute(http: Http, routes: GatewayRoutes): void {
  const { inbox, log } = routes
  const senders = createWebhookSenders(routes)
  http.app.addHook('onClose', () => senders.stop())

  const receive = async (request: FastifyRequest, reply: FastifyReply) => {
    try {
      // Whoever comes so far has a header or one of our keys; this is about the number that the body names.
      const instanceName = instanceIn(request.body)
      const config = await senders.numberOf(instanceName, request)
      const payload = storable(request.body ?? {})
      // For the key and the lane. What the body brings about is parsed when it is processed: only then is the
      // time of its arrival known, and a body that has waited may have been erased, or be read by a newer
      // version.
      const { event, dedupeKey, lane, events, eventsByItem } = parseWebhook(payload)
      // A code links a phone to whoever sees it, and is soon replaced: it is not kept with the bodies.
      if (event === 'qrcode.updated') {
        if (config) await takeCode(routes, config.id, codeUpdateIn(field(payload, 'data')))
        return await reply.code(200).send({ received: true })
      }
      // Typing is over before a worker could process it.
      if (events.length > 0 && events.every(isTyping)) {
        if (config) routes.onTyping(config.id, events)
        return await reply.code(200).send({ received: true })
      }
      if (events.length > 0 && events.every(isInvitation))
        return await reply.code(200).send({ received: true })
      const instanceId = config?.id ?? null
      await inbox.store({ instanceId, instanceName, event, dedupeKey, lane, payload, eventsByItem })
      await reply.code(200).send({ received: true })
      await failpoint('inbox.answered')
      return reply
    } catch (error) {
      if (error instanceof AppError) throw error
      log[isDatabaseDown(error) ? 'warn' : 'error']({ err: error }, 'webhook not stored')
      throw new AppError('request.unavailable', { retryAfterSeconds: 2 })
    }
  }

  // This scope has its own parser. Elsewhere a body with keys such as `__proto__` is refused, but a webhook
  // that is refused is lost; here no value is ever assigned by a key of the body.
  void http.app.register(async (scope) => {
    scope.addHook('onRequest', senders.judgeHeader)
    scope.addHook('onSend', async (request, reply) => {
      // What is left of a refused body is not read.
      if (!request.raw.complete) void reply.header('connection', 'close')
    })
    scope.removeContentTypeParser('application/json')
    scope.addContentTypeParser('application/json', senders.readBody)
    const summary = 'O gateway conta o que aconteceu'
    scope.post(path, { bodyLimit: bodyLimitBytes, schema: { summary, hide: false } }, receive)
    for (const other of otherPaths)
      scope.post(other, { bodyLimit: bodyLimitBytes, schema: { summary, hide: true } }, receive)
  })
}

async function takeCode(
  { database, secrets }: Pick<GatewayRoutes, 'database' | 'secrets'>,
  id: number,
  update: ReturnType<typeof codeUpdateIn>,
): Promise<void> {
  if (update !== 'given up') {
    if (update) await noteCode(database, secrets, id, update)
    return
  }
  await inTransaction(database, async (db) => {
    const number = await lockConfig(db, id)
    // Delivered again, after a phone has scanned a code.
    if (number?.status === 'open') return
    await noteConnection(db, id, { status: 'close', reason: 'codes' })
  })
}
