import type { FastifyReply } from 'fastify'
import type { Endpoint } from '#shared/endpoint.ts'

/** The status of a successful answer; parts of a file, and what the asker has already, have others. */
export function successStatusOf({ reply, status, sendsFile }: Endpoint): 200 | 201 | 204 {
  if (reply) return status ?? 200
  return sendsFile ? 200 : 204
}

/**
 * For tests: compares a successful answer with what the description of the API says of it.
 * @throws Error which names the call
 */
export function checkStatus(call: Endpoint, { statusCode }: FastifyReply): void {
  if (statusCode >= 300) return
  const described = successStatusOf(call)
  if (statusCode === described || (call.sendsFile && statusCode === 206)) return
  throw new Error(`${call.method} ${call.path}: answered with ${statusCode}, described with ${described}`)
}
