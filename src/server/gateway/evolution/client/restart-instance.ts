import { field } from '#server/gateway/evolution/parse/values.ts'
import { throwIfRefused } from './administration.ts'
import { reasonOf } from './answers.ts'
import { type ClientContext, type Instance, request } from './request.ts'

/**
 * Closes the socket to WhatsApp and opens it again.
 * @returns false when the number is not linked, so that there is none: answered with 200
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
