import { AppError } from '#shared/errors.ts'
import type { ClosedReason } from '#shared/gateway/gateway-link.ts'
import { gatewayTexts } from '#shared/text/text.ts'
import { closedReasonOf } from '#server/gateway/evolution/parse/linking.ts'
import { field, items, text } from '#server/gateway/evolution/parse/values.ts'
import { isUnlicensed } from './answers.ts'
import { isBefore, isEvolutionGo, releaseOf } from './release.ts'
import { type ClientContext, type Instance, request } from './request.ts'

export interface InstanceInfo {
  name: string
  connectionStatus: string
  ownerJid: string | null
  number: string | null
  profileName: string | null
  token: string | null
  /** Why WhatsApp ended its last session. */
  reason: ClosedReason | undefined
}

export type ConnectionState = 'open' | 'connecting' | 'close' | 'unreachable' | 'unauthorized' | 'unlicensed'

/** The events that every release knows. */
const oldWebhookEvents = [
  'QRCODE_UPDATED',
  'CONNECTION_UPDATE',
  'LOGOUT_INSTANCE',
  'MESSAGES_UPSERT',
  'MESSAGES_EDITED',
  'MESSAGES_UPDATE',
  'MESSAGES_DELETE',
  'SEND_MESSAGE',
  'MESSAGES_SET',
  'CALL',
  'PRESENCE_UPDATE',
  'CONTACTS_UPSERT',
] as const
/** Release 2.2 refuses a list that contains the newer ones. */
const webhookEvents = [...oldWebhookEvents, 'SEND_MESSAGE_UPDATE', 'STATUS_INSTANCE'] as const
/**
 * Release 2.3.7 handles nothing until its webhook of this event is answered, and a restart loses what waits.
 * From then on MESSAGES_UPDATE has the new text as well, so only earlier releases are asked for it. Where the
 * release cannot be read, an edit may come as late as the next sweep, but no message is lost.
 */
const blockingEvent = 'MESSAGES_EDITED'
const blocksSince: [number, number, number] = [2, 3, 7]

export async function connectionState(context: ClientContext, instance: Instance): Promise<ConnectionState> {
  try {
    // Without `onAway`, since this call is made because of it.
    const answer = await request({ http: context.http }, instance, {
      method: 'GET',
      endpoint: '/instance/connectionState',
    })
    const { status, body } = answer
    if (status === 401 || status === 403) return 'unauthorized'
    if (isUnlicensed(answer)) return 'unlicensed'
    // What answers is a proxy, or a gateway that says nothing of the number.
    if (status >= 500 || status === 429) return 'unreachable'
    const state = field(field(body, 'instance'), 'state')
    return state === 'open' || state === 'connecting' ? state : 'close'
  } catch {
    // Any failure of the request is itself the answer: the gateway cannot be reached.
    return 'unreachable'
  }
}

export async function fetchInstances(context: ClientContext, instance: Instance): Promise<InstanceInfo[]> {
  const answer = await request(context, instance, {
    method: 'GET',
    endpoint: '/instance/fetchInstances',
    isGlobal: true,
  })
  if (await isAnotherApi(context, instance, answer)) throw new AppError('gateway.other_api')
  throwIfRefused(answer)
  const found = instancesIn(answer.body)
  if (!found) throw refused(gatewayTexts.somethingElse)
  return found
}

/** Whether the refusal to list the instances is that of a server with another API. */
export const isAnotherApi = async (
  context: ClientContext,
  instance: Instance,
  answer: { status: number; body?: unknown },
): Promise<boolean> =>
  (answer.status === 404 || isUnlicensed(answer)) &&
  (await isEvolutionGo({ http: context.http }, instance).catch(() => false))

/** @returns undefined for a redirect, or a page of something else, which is no gateway */
export const instancesIn = (body: unknown): InstanceInfo[] | undefined =>
  Array.isArray(body) ? body.map(instanceInfoOf) : undefined

/** A webhook as the gateway stores it, without its events. */
interface Webhook {
  enabled: boolean
  url: string
  byEvents: boolean
  base64: boolean
  headers: unknown
}

export async function setWebhook(
  context: ClientContext,
  instance: Instance,
  { url, secret }: { url: string; secret: string },
): Promise<void> {
  const headers = { authorization: `Bearer ${secret}` }
  const webhook = { enabled: true, url, byEvents: false, base64: false, headers }
  await writeWebhook(context, instance, webhook, await eventsFor(context, instance))
}

export async function refreshWebhook({ http, times }: ClientContext, instance: Instance): Promise<void> {
  // Without `onAway`, which would wake the caller again.
  const context = { http, times }
  const { status, body } = await request(context, instance, { method: 'GET', endpoint: '/webhook/find' })
  // A gateway that fails is asked again; one that refuses, or has no webhook, would do so again.
  if (status >= 500) throwIfRefused({ status })
  const url = text(field(body, 'url'))
  if (status >= 400 || url === undefined) return
  const wanted = await eventsFor(context, instance)
  const set = items(field(body, 'events'), 100)
  const isSame = wanted.length === set.length && wanted.every((event) => set.includes(event))
  if (isSame) return
  const webhook = {
    enabled: field(body, 'enabled') === true,
    url,
    byEvents: field(body, 'webhookByEvents') === true,
    base64: field(body, 'webhookBase64') === true,
    headers: field(body, 'headers'),
  }
  await writeWebhook(context, instance, webhook, wanted)
}

/** @throws AppError as `throwIfRefused` */
async function writeWebhook(
  context: ClientContext,
  instance: Instance,
  webhook: Webhook,
  events: readonly string[],
): Promise<void> {
  const write = (list: readonly string[]) =>
    request(context, instance, { endpoint: '/webhook/set', body: { webhook: { ...webhook, events: list } } })
  const answer = await write(events)
  throwIfRefused(answer.status === 400 ? await write(oldOf(events)) : answer)
}

/** Those of the events that every release knows. */
export const oldOf = (events: readonly string[]): string[] =>
  events.filter((event) => oldWebhookEvents.some((known) => known === event))

/** The events to ask of the gateway's release. */
export async function eventsFor(context: ClientContext, instance: Instance): Promise<readonly string[]> {
  const mayBlock = !isBefore(await releaseOf(context, instance), blocksSince)
  return webhookEvents.filter((event) => event !== blockingEvent || !mayBlock)
}

/**
 * @throws AppError gateway.key_refused, or gateway.unreachable with the status alone: whatever answers at an
 *   address that somebody typed in must not be read through us
 */
export function throwIfRefused(answer: { status: number; body?: unknown }): void {
  const { status } = answer
  // Of the answer nothing is reported but that it is this one refusal.
  if (isUnlicensed(answer)) throw new AppError('gateway.license')
  if (status === 401 || status === 403) throw new AppError('gateway.key_refused')
  if (status >= 300) throw refused(gatewayTexts.answered.replace('{status}', String(status)))
}

/** @param reason a message, or a status */
export const refused = (reason: string) => new AppError('gateway.unreachable', { values: { reason } })

/** A row of the gateway's table; release 1 puts each into an object, with other names. */
function instanceInfoOf(given: unknown): InstanceInfo {
  const row = field(given, 'instance') ?? given
  const orNull = (...keys: string[]) =>
    keys.map((key) => text(field(row, key))).find((value) => value !== undefined) ?? null
  return {
    name: orNull('name', 'instanceName') ?? '',
    connectionStatus: orNull('connectionStatus', 'status') ?? '',
    ownerJid: orNull('ownerJid', 'owner'),
    number: orNull('number'),
    profileName: orNull('profileName'),
    token: orNull('token', 'apikey'),
    reason: closedReasonOf(field(row, 'disconnectionReasonCode')),
  }
}
