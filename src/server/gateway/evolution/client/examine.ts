import { AppError } from '#shared/errors.ts'
import { errorCode, errorWords, field, items, text } from '#server/gateway/evolution/parse/values.ts'
import { eventsFor, type InstanceInfo, instancesIn, isAnotherApi } from './administration.ts'
import { isUnlicensed } from './answers.ts'
import { machineMs } from '#server/platform/clock.ts'
import { releaseOf } from './release.ts'
import { type ClientContext, type Instance, request } from './request.ts'

// What a person needs to know of a gateway with which something is wrong. Of what answers at an address that
// somebody typed in, only the status is reported.

/** What answers at the address of a gateway. */
export type Reached =
  | {
      kind: 'gateway'
      instances: InstanceInfo[]
      /** Such as '2.3.7'; '' when it does not say. */
      release: string
      tookMs: number
      /** How far its clock is ahead of ours, to a second; undefined when it does not say. */
      aheadMs: number | undefined
    }
  | { kind: 'key_refused' | 'license' | 'address_refused' | 'other_api' }
  | { kind: 'unknown_name' | 'bad_certificate' | 'silent'; code: string }
  | { kind: 'redirects' | 'failing' | 'something_else'; status: number }

/** Asks a gateway for its instances, and reports what exactly is wrong when it does not list them. */
export async function reach({ http, times }: ClientContext, instance: Instance): Promise<Reached> {
  // Without `onAway`: whoever asks knows of the answer.
  const caller = { http, times }
  const startedMs = performance.now()
  let answer: Awaited<ReturnType<typeof request>>
  try {
    answer = await request(caller, instance, {
      method: 'GET',
      endpoint: '/instance/fetchInstances',
      isGlobal: true,
    })
  } catch (error) {
    return failureOf(error)
  }
  const tookMs = Math.round(performance.now() - startedMs)
  const { status, body, dateMs } = answer
  if (await isAnotherApi(caller, instance, answer)) return { kind: 'other_api' }
  if (isUnlicensed(answer)) return { kind: 'license' }
  if (status === 401 || status === 403) return { kind: 'key_refused' }
  if (status >= 300 && status < 400) return { kind: 'redirects', status }
  if (status >= 500) return { kind: 'failing', status }
  const instances = status < 300 ? instancesIn(body) : undefined
  if (!instances) return { kind: 'something_else', status }
  // The header has whole seconds, and was written about half-way.
  const aheadMs = dateMs === undefined ? undefined : dateMs + 500 - (machineMs() - tookMs / 2)
  const release = await releaseOf(caller, instance).catch(() => '')
  return { kind: 'gateway', instances, release, tookMs, aheadMs }
}

function failureOf(error: unknown): Reached {
  if (error instanceof AppError)
    return { kind: error.code === 'gateway.bad_key' ? 'key_refused' : 'address_refused' }
  const code = errorCode(error)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return { kind: 'unknown_name', code }
  if (/CERT|SIGNATURE|SELF_SIGNED|ERR_TLS|ERR_SSL|EPROTO/.test(code)) return { kind: 'bad_certificate', code }
  return { kind: 'silent', code: errorWords(error) }
}

/** A webhook as the gateway has it. */
export interface StoredWebhook {
  isEnabled: boolean
  url: string
  /** Its Authorization header; undefined for none, which release 1 never shows. */
  authorization: string | undefined
  /** Those of the events that we need, and it does not post. */
  missing: string[]
}

/** @returns undefined when the instance has none. @throws when the gateway cannot be asked */
export async function findWebhook(
  context: ClientContext,
  instance: Instance,
): Promise<StoredWebhook | undefined> {
  const { status, body } = await request({ http: context.http }, instance, {
    method: 'GET',
    endpoint: '/webhook/find',
  })
  // Release 1 puts it into two objects.
  const row = field(field(body, 'webhook'), 'webhook') ?? body
  const url = text(field(row, 'url'))
  if (status >= 400 || !url) return undefined
  const set = items(field(row, 'events'), 100)
  const wanted = await eventsFor(context, instance)
  return {
    isEnabled: field(row, 'enabled') === true,
    url,
    authorization: text(field(field(row, 'headers'), 'authorization')),
    missing: wanted.filter((event) => !set.includes(event)),
  }
}
