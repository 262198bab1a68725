import { AppError } from '#shared/errors.ts'
import { failureTexts, hindranceTexts } from '#shared/text/text.ts'
import type { Database } from '#server/platform/database/db.ts'
import { typedPhone } from '#server/settings/settings.ts'
import type { SendResult } from '#server/gateway/evolution/client/answers.ts'
import { findConfig, findMainConfig } from '#server/gateway/instances/queries.ts'
import type { Gateway } from './gateway.ts'

/**
 * Sends a text to somebody who is no client: it is in no conversation, and is sent once or not at all, since
 * whoever asks for it waits for the answer.
 * @param to.instanceId the number that it is sent from; undefined: the main one
 * @param to.phone as a person has written it
 * @returns the number that has sent it, and the telephone in its normal form
 * @throws AppError 400 for what is no telephone, 409 without an active number, 502 when it was not sent, or
 *   when that is not known
 */
export async function sendApart(
  database: Database,
  gateway: Pick<Gateway, 'sendText'>,
  to: { instanceId: number | undefined; phone: string; text: string },
): Promise<{ instanceId: number; phone: string }> {
  const phone = await typedPhone(database, to.phone)
  const config = await (to.instanceId === undefined
    ? findMainConfig(database)
    : findConfig(database, to.instanceId))
  if (!config)
    throw new AppError(to.instanceId === undefined ? 'gateway.not_configured' : 'gateway.not_found')
  if (!config.isActive) throw new AppError('gateway.inactive')
  const result = await gateway.sendText(database, config.id, { to: phone, text: to.text, quoted: undefined })
  if (result.kind !== 'sent') throw refusalOf(result)
  return { instanceId: config.id, phone }
}

function refusalOf(result: Exclude<SendResult, { kind: 'sent' }>): AppError {
  if (result.kind === 'unknown') return new AppError('gateway.send_unconfirmed')
  const reason =
    result.kind === 'refused' ? failureTexts[result.reason] : hindranceTexts[result.hindrance ?? 'silent']
  return new AppError('gateway.not_sent', { values: { reason } })
}
