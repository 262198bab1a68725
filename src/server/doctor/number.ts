import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '#shared/errors.ts'
import type { Finding } from '#shared/doctor/doctor.ts'
import type { Config } from '#server/platform/config.ts'
import type { Database } from '#server/platform/database/db.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import {
  auditedUrl,
  type ConfigRow,
  webhookTripSeconds,
  errorWords,
  type EvolutionClient,
  findRefusals,
  measureWebhookTrip,
  installWebhook,
  instanceOf,
  isBearerOf,
  type Reached,
} from '#server/gateway/gateway.ts'
import { type CauseName, found } from './causes.ts'
import { fetchRecentMedia } from './media-trip.ts'

export interface NumberParts {
  database: Database
  secrets: Secrets
  client: EvolutionClient
  config: Config
  /** Our webhook's address; undefined where only a browser would know it. */
  ownUrl: string | undefined
  /** Called for a webhook that was registered. */
  onWebhookSet(number: ConfigRow, url: string): Promise<void>
}

/** What one number's examination has found, and what is compared with it. */
export interface NumberExamined {
  findings: Finding[]
  /** How far the gateway's clock is ahead of ours, in milliseconds, where it reports it. */
  aheadMs: number | undefined
}

/**
 * Looks at a number from here to WhatsApp and back, until something is at fault. A webhook that is ours to
 * set is set.
 */
export async function examineNumber(parts: NumberParts, number: ConfigRow): Promise<NumberExamined> {
  const findings: Finding[] = []
  const tell = (name: CauseName, values?: Record<string, string | number>) => {
    findings.push(found(name, values, number.instanceName))
    return findings.at(-1)?.state !== 'fault'
  }
  let aheadMs: number | undefined
  const look = async () => {
    if (!number.isActive) return void tell('gateway_inactive')
    const instance = opened(number, parts.secrets)
    if (!instance) return void tell('gateway_sealed')
    const reached = await parts.client.reach(instance)
    if (reached.kind !== 'gateway') return void tell(...refusalOf(reached, number))
    ;({ aheadMs } = reached)
    tell('gateway_right', { release: reached.release, ms: reached.tookMs })
    const isKnown = reached.instances.some(({ name }) => name === number.instanceName)
    if (!isKnown) return void tell('instance_unknown', { name: number.instanceName })
    tell('instance_right')
    const state = await parts.client.connectionState(instance)
    const isOpen = tell(
      state === 'open' ? 'number_open' : state === 'connecting' ? 'number_connecting' : 'number_closed',
    )
    // A webhook is looked at and set without a connection, too: it also brings the codes.
    const url = await examineWebhook(parts, number, tell)
    if (url === undefined) return undefined
    if (!isOpen) return void tell('echo_waits')
    await examineEcho(parts, number, { tell, url })
    const media = await fetchRecentMedia(parts, number)
    tell(media.cause, media.values)
  }
  await look()
  return { findings, aheadMs }
}

/** @returns undefined for a key that was sealed with another secret */
function opened(number: ConfigRow, secrets: Secrets): ReturnType<typeof instanceOf> | undefined {
  try {
    return instanceOf(number, secrets)
  } catch {
    return undefined
  }
}

const hostOf = ({ baseUrl }: ConfigRow) => (URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl)

type Tell = (name: CauseName, values?: Record<string, string | number>) => boolean

function refusalOf(
  reached: Exclude<Reached, { kind: 'gateway' }>,
  number: ConfigRow,
): [CauseName, Record<string, string | number>] {
  const { kind, ...values } = reached
  return [`gateway_${kind}`, { host: hostOf(number), ...values }]
}

/** @returns the address at which the gateway now posts to us; undefined when it does not */
async function examineWebhook(
  parts: NumberParts,
  number: ConfigRow,
  tell: Tell,
): Promise<string | undefined> {
  const { client, secrets, database } = parts
  const asked = await client.findWebhook(instanceOf(number, secrets)).then(
    (webhook) => ({ webhook }),
    (error: unknown) => ({ code: errorWords(error) }),
  )
  if ('code' in asked) {
    tell('gateway_silent', { host: hostOf(number), code: asked.code })
    return undefined
  }
  const stored = asked.webhook
  const own = number.webhookUrl ?? parts.ownUrl
  // Without knowing our own address, one that ends like it is taken for ours.
  const url =
    own ?? (stored && placeOf(stored.url).endsWith('/api/webhook/evolution') ? stored.url : undefined)
  if (url === undefined) {
    if (!stored) tell('webhook_addressless')
    else tell('webhook_elsewhere', { theirs: auditedUrl(stored.url), url: 'este servidor' })
    return undefined
  }
  const shown = auditedUrl(url)
  if (stored && placeOf(stored.url) !== placeOf(url)) {
    tell('webhook_elsewhere', { theirs: auditedUrl(stored.url), url: shown })
    return undefined
  }
  let cause: CauseName = 'webhook_right'
  if (!stored) cause = 'webhook_absent'
  else if (!stored.isEnabled) cause = 'webhook_off'
  else if (!(await isOurs(stored.authorization, number, secrets))) cause = 'webhook_secret'
  else if (stored.missing.length > 0) cause = 'webhook_events'
  if (cause !== 'webhook_right') {
    try {
      await installWebhook(database, client, secrets, number, url)
      await parts.onWebhookSet(number, url)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      tell('webhook_unset', { reason: error.message })
      return undefined
    }
  }
  tell(cause, { url: shown, events: stored?.missing.join(', ') ?? '' })
  return url
}

/**
 * Where a webhook's address leads: its end does not matter, nor that it names its events, nor by which name
 * this machine is called.
 */
const placeOf = (url: string): string =>
  (URL.canParse(url) ? new URL(url).href : url)
    .replace(/^(https?:\/\/)(?:localhost|\[::1\])(?=[:/])/, (_whole, scheme: string) => `${scheme}127.0.0.1`)
    .replace(/(\/api\/webhook\/evolution)\/.*$/, '$1')
    .replace(/(?<!\/)\/+$/, '')

/** Without a header the gateway's key in the body proves the sender. */
async function isOurs(
  authorization: string | undefined,
  number: ConfigRow,
  secrets: Secrets,
): Promise<boolean> {
  if (authorization === undefined) return true
  const bearer = /^Bearer (\S+)$/.exec(authorization)?.[1]
  return bearer !== undefined && isBearerOf(number, bearer, secrets)
}

/** Refused webhooks are counted with a delay of at most a second. */
const countedWithinMs = 1200

async function examineEcho(
  { database, secrets, client, config }: NumberParts,
  number: ConfigRow,
  { tell, url }: { tell: Tell; url: string },
): Promise<void> {
  const refusedBefore = (await findRefusals(database))?.count ?? 0
  let tookMs: number | undefined
  try {
    tookMs = await measureWebhookTrip({ database, client, secrets }, number)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return void tell('echo_failed')
  }
  if (tookMs !== undefined) return void tell('echo_right', { ms: tookMs })
  await delay(countedWithinMs)
  const refusals = await findRefusals(database)
  if ((refusals?.count ?? 0) > refusedBefore) tell('echo_refused')
  else if (!(await answersHere(config))) tell('echo_nobody')
  else tell('echo_unheard', { seconds: webhookTripSeconds, url: auditedUrl(url) })
}

/** Whether the server answers on this machine: a command examines without it. */
async function answersHere({ host, port }: Config): Promise<boolean> {
  // The port of a server that chose its own is not known; it is this process.
  if (port === 0) return true
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  const at = `http://${name.includes(':') ? `[${name}]` : name}:${port}/healthz`
  return fetch(at, { signal: AbortSignal.timeout(3000) }).then(
    ({ ok }) => ok,
    () => false,
  )
}
