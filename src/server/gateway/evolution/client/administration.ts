import { AppError } from '#shared/errors.ts'
import { field, text } from '#server/gateway/evolution/parse/values.ts'
import { reasonOf } from './answers.ts'
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
  return (Array.isArray(answer.body) ? answer.body : []).map(instanceInfoOf)
}

export async function setWebhook(
  context: ClientContext,
  instance: Instance,
  { url, secret }: { url: string; secret: string },
): Promise<void> {
  const headers = { authorization: `Bearer ${secret}` }
  const setEvents = (events: readonly string[]) => {
    const webhook = { enabled: true, url, byEvents: false, base64: false, headers, events }
    return request(context, instance, { endpoint: '/webhook/set', body: { webhook } })
  }
  const answer = await setEvents(webhookEvents)
  throwIfRefused(answer.status === 400 ? await setEvents(oldWebhookEvents) : answer)
}

/** @throws AppError gateway.unreachable with the gateway's reason */
function throwIfRefused({ status, body }: { status: number; body: unknown }): void {
  if (status >= 400) throw new AppError('gateway.unreachable', { values: { reason: reasonOf(status, body) } })
}

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
