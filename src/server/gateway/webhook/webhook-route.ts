import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#shared/errors.ts'
import type { Config } from '#server/platform/config.ts'
import { coalesce } from '#server/platform/work/coalesce.ts'
import { type Database, inTransaction, isDatabaseDown } from '#server/platform/database/db.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import { guesserAddress } from '#server/platform/http/guesser-address.ts'
import type { Http } from '#server/platform/http/http.ts'
import { limitBodyTime } from '#server/platform/http/bodies/slow-bodies.ts'
import type { Log } from '#server/platform/log.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import type { EvolutionClient } from '#server/gateway/evolution/client/evolution-client.ts'
import { codeUpdateIn } from '#server/gateway/evolution/parse/linking.ts'
import { field } from '#server/gateway/evolution/parse/values.ts'
import { instanceIn, parseWebhook } from '#server/gateway/evolution/parse/webhook.ts'
import type { GatewayEvent } from '#server/gateway/evolution/parse/gateway-events.ts'
import type { InboxWriter } from '#server/gateway/inbox/inbox.ts'
import { storable } from '#server/gateway/inbox/payload.ts'
import { noteCode } from '#server/gateway/instances/links.ts'
import { noteConnection } from '#server/gateway/instances/setup.ts'
import {
  type ConfigRow,
  findConfigsByName,
  findMainConfig,
  listConfigs,
  lockConfig,
} from '#server/gateway/instances/queries.ts'
import { createRefusalCounter } from './refusals.ts'
import { createUnprovenBodies, type Place, unprovenMs } from './unproven-bodies.ts'
import { bearerIn, isAuthentic, isBearerOf, isKeyOf } from './webhook-auth.ts'
import { announcedBytes, bodyLimitBytes, readProven, readUnproven, refuseLength } from './webhook-body.ts'

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
}

const complainEveryMs = 60_000
/**
 * A known number is used for this long, or until it changes. The notification of another instance may be
 * lost, so its change takes effect no later than this.
 */
const knownForMs = 1000

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
 */
export function webhookRoute(http: Http, routes: GatewayRoutes): void {
  const { database, secrets, inbox, log } = routes
  http.serves('POST /api/webhook/evolution')
  const findConfigs = coalesce((names: string[]) => findConfigsByName(database, names))
  let refused = 0
  let complainedAt = -complainEveryMs
  const refusals = createRefusalCounter(database, log)
  http.app.addHook('onClose', () => refusals.stop())

  const complain = (instance: string) => {
    refused++
    refusals.count()
    if (performance.now() - complainedAt < complainEveryMs) return
    complainedAt = performance.now()
    log.warn({ refused, instance: instance.slice(0, 100) }, 'webhook refused: wrong or missing secret')
  }

  const known = new Map<string, { config: ConfigRow; untilMs: number }>()
  const off = database.signals.on('gateway', () => known.clear())
  http.app.addHook('onClose', off)
  const findConfig = async (name: string): Promise<ConfigRow | undefined> => {
    const config = (await findConfigs(name)).get(name)
    if (config) known.set(name, { config, untilMs: performance.now() + knownForMs })
    else known.delete(name)
    return config
  }

  /** @returns the number of the body; undefined for a number that is not ours, authenticated by ours */
  const proveSender = async (
    instanceName: string,
    { headers, body }: FastifyRequest,
  ): Promise<ConfigRow | undefined> => {
    const isProvenBy = (config: ConfigRow) => isAuthentic(config, headers, body, secrets)
    const last = known.get(instanceName)
    if (last && performance.now() < last.untilMs && (await isProvenBy(last.config))) return last.config
    // A refused body is lost, so refuse it only by what the database says now.
    const config = await findConfig(instanceName)
    const judge = config ?? (await findMainConfig(database))
    if (judge && (await isProvenBy(judge))) return config
    complain(instanceName)
    throw new AppError('auth.required')
  }

  const takeCode = async (id: number, update: ReturnType<typeof codeUpdateIn>) => {
    if (update === 'given up')
      await inTransaction(database, async (db) => {
        const number = await lockConfig(db, id)
        // Delivered again, after a phone has scanned a code.
        if (number?.status === 'open') return
        await noteConnection(db, id, { status: 'close', reason: 'codes' })
      })
    else if (update) await noteCode(database, secrets, id, update)
  }

  const take = async (request: FastifyRequest, reply: FastifyReply) => {
    try {
      // Whoever comes so far has a header or a key of ours; this is about the number that the body names.
      const instanceName = instanceIn(request.body)
      const config = await proveSender(instanceName, request)
      const payload = storable(request.body ?? {})
      const { event, dedupeKey, lane, events, eventsByItem } = parseWebhook(payload)
      // A code links a phone to whoever sees it, and is soon replaced: it is not kept with the bodies.
      if (event === 'qrcode.updated') {
        if (config) await takeCode(config.id, codeUpdateIn(field(payload, 'data')))
        return await reply.code(200).send({ received: true })
      }
      // Typing is over before a worker could process it.
      if (events.length > 0 && events.every(isTyping)) {
        if (config) routes.onTyping(config.id, events)
        return await reply.code(200).send({ received: true })
      }
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

  const findAll = coalesce((_calls: undefined[]) => listConfigs(database))
  const isOfAny = async (isOf: (config: ConfigRow) => boolean | Promise<boolean>) => {
    for (const { config } of known.values()) if (await isOf(config)) return true
    for (const config of await findAll(undefined)) if (await isOf(config)) return true
    return false
  }

  const places = new WeakMap<FastifyRequest, Place>()
  const unproven = createUnprovenBodies()
  /** Judges the sender by the header alone, and lets few bodies in that have to be read first. */
  const judgeHeader = async (request: FastifyRequest, reply: FastifyReply) => {
    const bearer = bearerIn(request.headers)
    if (bearer !== undefined) {
      if (await isOfAny((config) => isBearerOf(config, bearer, secrets))) return
      complain('')
      throw new AppError('auth.required')
    }
    refuseLength(request.raw, false)
    const place = unproven.enter(guesserAddress(request.ip), announcedBytes(request.raw))
    reply.raw.once('close', () => place.leave(reply.raw.statusCode < 500))
    await place.isFree
    places.set(request, place)
    limitBodyTime(request.raw, unprovenMs)
  }
  const readBody = (request: FastifyRequest, payload: IncomingMessage) => {
    const place = places.get(request)
    if (!place) return readProven(payload)
    return readUnproven(payload, async (keys) => {
      if (!(await isOfAny((config) => keys.some((key) => isKeyOf(config, key, secrets))))) {
        complain('')
        throw new AppError('auth.required')
      }
      place.prove()
    })
  }

  // This scope has its own parser. Elsewhere a body with keys such as `__proto__` is refused, but a webhook
  // that is refused is lost; here no value is ever assigned by a key of the body.
  void http.app.register(async (scope) => {
    scope.addHook('onRequest', judgeHeader)
    scope.addHook('onSend', async (request, reply) => {
      // What is left of a refused body is not read.
      if (!request.raw.complete) void reply.header('connection', 'close')
    })
    scope.removeContentTypeParser('application/json')
    scope.addContentTypeParser(
      'application/json',
      async (request: FastifyRequest, payload: IncomingMessage) =>
        parseJson(await readBody(request, payload)),
    )
    const summary = 'O gateway conta o que aconteceu'
    scope.post(path, { bodyLimit: bodyLimitBytes, schema: { summary, hide: false } }, take)
    for (const other of otherPaths)
      scope.post(other, { bodyLimit: bodyLimitBytes, schema: { summary, hide: true } }, take)
  })
}

/** @throws AppError 400 for anything but JSON */
function parseJson(json: string): unknown {
  try {
    return JSON.parse(json) as unknown
  } catch {
    throw new AppError('request.invalid')
  }
}
