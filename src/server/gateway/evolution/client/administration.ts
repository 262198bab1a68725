import { AppError } from '#shared/errors.ts'
import { gatewayTexts } from '#shared/text/text.ts'
import { field, items, text } from '#server/gateway/evolution/parse/values.ts'
import { type ClientContext, type Instance, request } from './request.ts'

export interface InstanceInfo {
  name: string
  connectionStatus: string
  ownerJid: string | null
  number: string | null
  profileName: string | null
  token: string | null
}

export type ConnectionState = 'open' | 'connecting' | 'close' | 'unreachable' | 'unauthorized'

/** The events that every release knows. */
const oldWebhookEvents = [
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
const blocksSince = [2, 3, 7]

export async function connectionState(context: ClientContext, instance: Instance): Promise<ConnectionState> {
  try {
    // Without `onAway`, since this call is made because of it.
    const { status, body } = await request({ http: context.http }, instance, {
      method: 'GET',
      endpoint: '/instance/connectionState',
    })
    if (status === 401 || status === 403) return 'unauthorized'
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
  throwIfRefused(answer)
  // A redirect, or a page of something else, is no gateway.
  if (!Array.isArray(answer.body)) throw refused(gatewayTexts.somethingElse)
  return answer.body.map(instanceInfoOf)
}

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
  const old = events.filter((event) => oldWebhookEvents.some((known) => known === event))
  throwIfRefused(answer.status === 400 ? await write(old) : answer)
}

/** The events to ask of the gateway's release. */
async function eventsFor(context: ClientContext, instance: Instance): Promise<readonly string[]> {
  const mayBlock = !isBefore(await releaseOf(context, instance), blocksSince)
  return webhookEvents.filter((event) => event !== blockingEvent || !mayBlock)
}

/** Whether a release is known to be an earlier one. */
function isBefore(release: string, other: number[]): boolean {
  const parts = /^(\d+)\.(\d+)\.(\d+)/.exec(release)?.slice(1).map(Number)
  const differing = parts?.findIndex((part, n) => part !== other[n]) ?? -1
  return differing >= 0 && (parts?.[differing] ?? 0) < (other[differing] ?? 0)
}

/** The release of the gateway, such as '2.3.7'; '' when it does not say. @throws when it is not reached */
async function releaseOf(context: ClientContext, instance: Instance): Promise<string> {
  const { body } = await request(context, instance, { method: 'GET', endpoint: '/', isGlobal: true })
  return text(field(body, 'version')) ?? ''
}

/**
 * @throws AppError gateway.key_refused, or gateway.unreachable with the status alone: whatever answers at an
 *   address that somebody typed in must not be read through us
 */
export function throwIfRefused({ status }: { status: number }): void {
  if (status === 401 || status === 403) throw new AppError('gateway.key_refused')
  if (status >= 300) throw refused(gatewayTexts.answered.replace('{status}', String(status)))
}

const refused = (reason: string) => new AppError('gateway.unreachable', { values: { reason } })

function instanceInfoOf(row: unknown): InstanceInfo {
  const orNull = (key: string) => text(field(row, key)) ?? null
  return {
    name: text(field(row, 'name')) ?? '',
    connectionStatus: text(field(row, 'connectionStatus')) ?? '',
    ownerJid: orNull('ownerJid'),
    number: orNull('number'),
    profileName: orNull('profileName'),
    token: orNull('token'),
  }
}
