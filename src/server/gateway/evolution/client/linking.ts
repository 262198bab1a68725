import { AppError } from '#shared/errors.ts'
import { gatewayTexts } from '#shared/text/text.ts'
import { type LinkCode, linkCodeIn } from '#server/gateway/evolution/parse/linking.ts'
import { field, text } from '#server/gateway/evolution/parse/values.ts'
import { eventsFor, oldOf, refused, throwIfRefused } from './administration.ts'
import { isSocketClosed, reasonOf } from './answers.ts'
import { type ClientContext, defaultTimeoutMs, type Instance, request } from './request.ts'

// Linking a number to a phone. The gateway answers `connect` and `restart` with 200 also when they fail.

/** What asking for a code has brought; without a code it may still come. */
export interface LinkAnswer {
  isOpen: boolean
  code: LinkCode | undefined
}

export interface CreatedInstance extends LinkAnswer {
  /** The instance's own key, where the gateway shows it. */
  token: string | undefined
}

/** The gateway waits for five seconds for the first code. */
const createMs = 30_000
const connectMs = 20_000

/**
 * Creates the instance, with our webhook and its first code in one call.
 * @param number digits with country code, for a pairing code
 * @returns undefined when the gateway has one of that name
 * @throws AppError as `throwIfRefused`; gateway.key_of_instance for a key that may not create any
 */
export async function createInstance(
  context: ClientContext,
  instance: Instance,
  { webhook, number }: { webhook: { url: string; secret: string }; number: string | undefined },
): Promise<CreatedInstance | undefined> {
  const headers = { authorization: `Bearer ${webhook.secret}` }
  const create = (events: readonly string[]) =>
    request(context, instance, {
      endpoint: '/instance/create',
      isGlobal: true,
      timeoutMs: createMs,
      body: {
        instanceName: instance.instanceName,
        // Required, although its schema says otherwise.
        integration: 'WHATSAPP-BAILEYS',
        qrcode: true,
        ...(number !== undefined && { number }),
        groupsIgnore: true,
        // Without the list of events it would be refused, and the instance deleted again.
        webhook: { enabled: true, url: webhook.url, byEvents: false, base64: false, headers, events },
      },
    })
  const events = await eventsFor(context, instance)
  let answer = await create(events)
  if (answer.status === 400) answer = await create(oldOf(events))
  if (answer.status === 403 && reasonOf(answer.status, answer.body).includes('already in use'))
    return undefined
  if (answer.status === 401 || answer.status === 403) throw new AppError('gateway.key_of_instance')
  throwIfRefused(answer)
  const hash = field(answer.body, 'hash')
  return {
    // Release 1 puts it into an object.
    token: text(hash) ?? text(field(hash, 'apikey')),
    isOpen: false,
    code: linkCodeIn(field(answer.body, 'qrcode')),
  }
}

/**
 * Asks for the code that links a phone, and begins linking where nothing is under way.
 * @throws AppError as `throwIfRefused`
 */
export async function connectInstance(
  context: ClientContext,
  instance: Instance,
  number?: string,
): Promise<LinkAnswer> {
  const query = number === undefined ? '' : `?number=${encodeURIComponent(number)}`
  const answer = await request(context, instance, {
    method: 'GET',
    endpoint: '/instance/connect',
    query,
    timeoutMs: connectMs,
  })
  throwIfFailed(answer)
  const isOpen = field(field(answer.body, 'instance'), 'state') === 'open'
  return { isOpen, code: linkCodeIn(answer.body) }
}

/**
 * Closes the socket to WhatsApp and opens it again.
 * @returns false when the number is not linked, so that there is none
 * @throws AppError as `throwIfRefused`
 */
export async function restartInstance(context: ClientContext, instance: Instance): Promise<boolean> {
  const call = (method: 'POST' | 'PUT') =>
    request(context, instance, { method, endpoint: '/instance/restart' })
  let answer = await call('POST')
  // Release 1 knows the call by another method.
  if (answer.status === 404 && reasonOf(404, answer.body).includes('Cannot POST')) answer = await call('PUT')
  throwIfRefused(answer)
  return field(answer.body, 'error') !== true
}

/**
 * Ends the session at WhatsApp. One that has ended before is no error.
 * @throws AppError as `throwIfRefused`
 */
export async function logOutInstance(context: ClientContext, instance: Instance): Promise<void> {
  const answer = await request(context, instance, {
    method: 'DELETE',
    endpoint: '/instance/logout',
    timeoutMs: 2 * defaultTimeoutMs,
  })
  const reason = reasonOf(answer.status, answer.body)
  if (answer.status === 400 && reason.includes('not connected')) return
  if (isSocketClosed(answer)) throw refused(gatewayTexts.socketClosed)
  throwIfFailed(answer)
}

/** @throws AppError as `throwIfRefused`, also for a failure that is answered with 200 */
function throwIfFailed(answer: { status: number; body: unknown }): void {
  throwIfRefused(answer)
  if (field(answer.body, 'error') === true) throw refused(gatewayTexts.failedAtGateway)
}
