import { randomBytes } from 'node:crypto'
import { field, text } from '#server/gateway/evolution/parse/values.ts'
import { type Caller, type Instance, request } from './request.ts'

// What the gateway's release decides.

type Release = [major: number, minor: number, patch: number]

/** The release of the gateway, such as '2.3.7'; '' when it does not say. @throws when it is not reached */
export async function releaseOf(context: Caller, instance: Instance): Promise<string> {
  const { body } = await request(context, instance, { method: 'GET', endpoint: '/', isGlobal: true })
  return text(field(body, 'version')) ?? ''
}

/**
 * How a release compares with another: below 0 for an earlier one, 0 for the same one or a candidate of it.
 * Undefined for one that is not known.
 */
function compareRelease(release: string, other: Release): number | undefined {
  const parts = /^(\d+)\.(\d+)\.(\d+)/.exec(release)?.slice(1).map(Number)
  const differences = parts?.map((part, n) => part - (other[n] ?? 0))
  return differences && (differences.find((difference) => difference !== 0) ?? 0)
}

/** Whether a release is known to be an earlier one. */
export const isBefore = (release: string, other: Release): boolean =>
  (compareRelease(release, other) ?? 0) < 0

/**
 * Whether the release sends a message under the id that the call gives it. Others ignore the id, and so does
 * this one for voice messages.
 */
export const keepsGivenIds = (release: string): boolean => (compareRelease(release, [2, 4, 0]) ?? -1) >= 0

/**
 * A new id for a message, of the form by which WhatsApp's clients know one that was written on a computer.
 */
export const newMessageId = (): string => `3EB0${randomBytes(9).toString('hex').toUpperCase()}`

/**
 * Whether what answers is Evolution Go, which has another API, and which a missing call or a missing licence
 * does not tell apart: it does not say its release, and answers a call of its own.
 * @throws when it is not reached
 */
export async function isEvolutionGo(context: Caller, instance: Instance): Promise<boolean> {
  if ((await releaseOf(context, instance)) !== '') return false
  const own = await request(context, instance, { method: 'GET', endpoint: '/server/ok', isGlobal: true })
  return own.status === 200 && field(own.body, 'status') === 'ok'
}
