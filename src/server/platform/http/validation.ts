import type { FastifySchemaValidationError } from 'fastify'
import { validatorCompiler as zodCompiler } from 'fastify-type-provider-zod'

type Fault = FastifySchemaValidationError

/**
 * Validates by the schema of a call. An absent text is told what an empty one is told: schemas have words for
 * what people leave empty, and not for what a program leaves out.
 */
export const validatorCompiler: typeof zodCompiler = (route) => {
  const validate = zodCompiler(route) as (data: unknown) => { value: unknown } | { error: Fault[] }
  return (data: unknown) => {
    const result = validate(data)
    if (!('error' in result)) return result
    const faults = result.error
    const absent = faults.filter((fault) => isAbsentText(fault, data))
    if (absent.length === 0) return result
    const filled = structuredClone(data)
    for (const { instancePath } of absent) setBlank(filled, keysOf(instancePath))
    const ofFilled = validate(filled)
    const others = 'error' in ofFilled ? ofFilled.error : []
    const words = new Map(others.map(({ instancePath, message }) => [instancePath, message]))
    for (const fault of absent) {
      const text = words.get(fault.instancePath)
      if (text !== undefined) fault.message = text
    }
    return result
  }
}

const keysOf = (path: string) => path.split('/').filter(Boolean)

function isAbsentText({ keyword, instancePath, params }: Fault, data: unknown): boolean {
  if (keyword !== 'invalid_type' || params['expected'] !== 'string') return false
  let value = data
  for (const key of keysOf(instancePath)) {
    if (typeof value !== 'object' || value === null) return false
    value = Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined
  }
  return value === undefined
}

function setBlank(data: unknown, keys: string[]): void {
  let place = data as Record<string, unknown>
  for (const key of keys.slice(0, -1)) place = place[key] as Record<string, unknown>
  const last = keys.at(-1)
  // defineProperty, because a key may be `__proto__`.
  if (last !== undefined)
    Object.defineProperty(place, last, { value: '', enumerable: true, configurable: true, writable: true })
}
