import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { Endpoint } from '#shared/endpoint.ts'

/**
 * An answer built field by field by a function that the contract types. It is sent without the validation
 * that strips unknown fields from other answers.
 */
export class BuiltAnswer<T> {
  readonly value: T

  constructor(value: T) {
    this.value = value
  }
}

/** In tests and the programs that they start. */
export const areChecked = process.env['VITEST'] !== undefined

/**
 * The serializer of built answers. In tests it first compares the answer with the contract.
 * @throws Error in the serializer, which names the call
 */
export function serializerOf(call: Endpoint, isChecked = areChecked): (value: unknown) => string {
  return (value) => {
    const json = JSON.stringify(value)
    if (isChecked && call.reply) check(call, JSON.parse(json))
    return json
  }
}

function check({ method, path, reply }: Endpoint, answer: unknown): void {
  const { data, error } = z.safeEncode(reply as unknown as z.ZodType, answer)
  if (error) throw new Error(`${method} ${path}: the answer is not the contract's`, { cause: error })
  if (!isDeepStrictEqual(JSON.parse(JSON.stringify(data)), answer))
    throw new Error(`${method} ${path}: the answer has fields that the contract does not have`)
}
