import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#shared/errors.ts'
import type { Database } from '#server/platform/database/db.ts'
import { guesserAddress } from '#server/platform/http/source/guesser-address.ts'
import { limitBodyTime } from '#server/platform/http/bodies/slow-bodies.ts'
import type { Log } from '#server/platform/log.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { coalesce } from '#server/platform/work/coalesce.ts'
import {
  type ConfigRow,
  findConfigsByName,
  findMainConfig,
  listConfigs,
} from '#server/gateway/instances/queries.ts'
import { createRefusalCounter } from './refusals.ts'
import { createUnprovenBodies, type Place, unprovenMs } from './unproven-bodies.ts'
import { bearerIn, isBearerOf, isKeyOf, keyIn } from './webhook-auth.ts'
import { announcedBytes, readProven, readUnproven, refuseLength } from './webhook-body.ts'

/** Judges who posts a webhook, in the order of the request: by its header, its body, its number. */
export interface WebhookSenders {
  /**
   * Judges the sender by the header alone, before anything of the body is read. Without a header few bodies
   * are let in, which have to be read first.
   * @throws AppError 401, 413, 429 or 503
   */
  judgeHeader(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /**
   * Reads the body and parses its JSON. Nothing of it is parsed before one of our keys is in the header, or
   * found in the bytes of the body.
   * @throws AppError 400, 401 or 413
   */
  readBody(request: FastifyRequest, payload: IncomingMessage): Promise<unknown>
  /**
   * Judges the sender by the number that the parsed body names, whose secret or key must be the one given.
   * @returns the number; undefined for one that is not ours, authenticated by our main number's
   * @throws AppError 401
   */
  numberOf(instanceName: string, request: FastifyRequest): Promise<ConfigRow | undefined>
  stop(): Promise<void>
}

const complainEveryMs = 60_000
/**
 * A known number is used for this long, or until it changes. The notification of another instance may be
 * lost, so its change takes effect no later than this.
 */
const knownForMs = 1000

export function createWebhookSenders(given: {
  database: Database
  secrets: Secrets
  log: Log
}): WebhookSenders {
  const { database, secrets, log } = given
  const findConfigs = coalesce((names: string[]) => findConfigsByName(database, names))
  const findAll = coalesce((_calls: undefined[]) => listConfigs(database))
  const known = new Map<string, { config: ConfigRow; untilMs: number }>()
  const off = database.signals.on('gateway', () => known.clear())
  const unproven = createUnprovenBodies()
  const places = new WeakMap<FastifyRequest, Place>()
  const refusals = createRefusalCounter(database, log)
  let refused = 0
  let complainedAt = -complainEveryMs

  /** @returns the error to throw, after counting the refusal */
  const refusal = (instance: string): AppError => {
    refused++
    refusals.count()
    if (performance.now() - complainedAt >= complainEveryMs) {
      complainedAt = performance.now()
      log.warn({ refused, instance: instance.slice(0, 100) }, 'webhook refused: wrong or missing secret')
    }
    return new AppError('auth.required')
  }

  const findConfig = async (name: string): Promise<ConfigRow | undefined> => {
    const config = (await findConfigs(name)).get(name)
    if (config) known.set(name, { config, untilMs: performance.now() + knownForMs })
    else known.delete(name)
    return config
  }

  const isOfAny = async (isOf: (config: ConfigRow) => boolean | Promise<boolean>) => {
    for (const { config } of known.values()) if (await isOf(config)) return true
    for (const config of await findAll(undefined)) if (await isOf(config)) return true
    return false
  }

  return {
    async judgeHeader(request, reply) {
      const bearer = bearerIn(request.headers)
      if (bearer !== undefined) {
        if (await isOfAny((config) => isBearerOf(config, bearer, secrets))) return
        throw refusal('')
      }
      refuseLength(request.raw, false)
      const place = unproven.enter(guesserAddress(request.ip), announcedBytes(request.raw))
      reply.raw.once('close', () => place.leave(reply.raw.statusCode < 500))
      await place.isFree
      places.set(request, place)
      limitBodyTime(request.raw, unprovenMs)
    },

    async readBody(request, payload) {
      const place = places.get(request)
      if (!place) return parseJson(await readProven(payload))
      const json = await readUnproven(payload, async (keys) => {
        if (!(await isOfAny((config) => keys.some((key) => isKeyOf(config, key, secrets))))) throw refusal('')
        place.prove()
      })
      return parseJson(json)
    },

    async numberOf(instanceName, { headers, body }) {
      const bearer = bearerIn(headers)
      const isProvenBy = async (config: ConfigRow) =>
        bearer === undefined ? isKeyOf(config, keyIn(body), secrets) : isBearerOf(config, bearer, secrets)
      const last = known.get(instanceName)
      if (last && performance.now() < last.untilMs && (await isProvenBy(last.config))) return last.config
      // A refused body is lost, so refuse it only by what the database says now.
      const config = await findConfig(instanceName)
      const judge = config ?? (await findMainConfig(database))
      if (judge && (await isProvenBy(judge))) return config
      throw refusal(instanceName)
    },

    async stop() {
      off()
      await refusals.stop()
    },
  }
}

/** @throws AppError 400 for anything but JSON */
function parseJson(json: string): unknown {
  try {
    return JSON.parse(json) as unknown
  } catch {
    throw new AppError('request.invalid')
  }
}
