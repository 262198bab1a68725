import { gatewayError } from './gateway-errors.ts'

/** The subset of JSON Schema that Evolution's request schemas use. */
export interface Schema {
  type?: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object'
  enum?: readonly unknown[]
  /** Replaces the validator's own message. */
  description?: string
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
  minLength?: number
  pattern?: string
  items?: Schema
  properties?: Record<string, Schema>
  required?: readonly string[]
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function hasType(value: unknown, type: NonNullable<Schema['type']>): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value)
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    default:
      return typeof value === type
  }
}

function numberProblems(value: unknown, { minimum, maximum }: Schema): string[] {
  if (typeof value !== 'number') return []
  if (minimum !== undefined && value < minimum) return [`must be greater than or equal to ${minimum}`]
  return maximum !== undefined && value > maximum ? [`must be less than or equal to ${maximum}`] : []
}

function ownProblems(value: unknown, schema: Schema): string[] {
  const found: string[] = []
  if (schema.type && !hasType(value, schema.type)) found.push(`is not of a type(s) ${schema.type}`)
  if (schema.enum && !schema.enum.includes(value))
    found.push(`is not one of enum values: ${schema.enum.join(',')}`)
  if (schema.minLength && typeof value === 'string' && value.length < schema.minLength)
    found.push(`does not meet minimum length of ${schema.minLength}`)
  if (schema.pattern && typeof value === 'string' && !new RegExp(schema.pattern, 'u').test(value))
    found.push(`does not match pattern ${JSON.stringify(schema.pattern)}`)
  if (schema.minItems && Array.isArray(value) && value.length < schema.minItems)
    found.push(`does not meet minimum length of ${schema.minItems}`)
  if (schema.maxItems && Array.isArray(value) && value.length > schema.maxItems)
    found.push(`does not meet maximum length of ${schema.maxItems}`)
  found.push(...numberProblems(value, schema))
  return found.map((problem) => schema.description ?? problem)
}

/** The validation errors of a value in the wording of the `jsonschema` package that Evolution uses. */
function problemsOf(value: unknown, schema: Schema, path = 'instance'): string[] {
  if (value === undefined) return []
  const withPath = (problem: string) =>
    problem === schema.description ? problem : `${path} ${problem}`.replace('instance.', '')
  const found = ownProblems(value, schema).map(withPath)
  if (Array.isArray(value) && schema.items)
    for (const [index, item] of value.entries())
      found.push(...problemsOf(item, schema.items, `${path}[${index}]`))
  if (isObject(value)) {
    for (const [name, inner] of Object.entries(schema.properties ?? {}))
      found.push(...problemsOf(value[name], inner, `${path}.${name}`))
    for (const name of schema.required ?? [])
      if (value[name] === undefined) found.push(withPath(`requires property "${name}"`))
  }
  return found
}

/** @throws GatewayError 400 with the errors as a list in a list. */
export function validate(body: unknown, schema: Schema): void {
  const problems = problemsOf(body, schema)
  if (problems.length > 0) throw gatewayError(400, [problems])
}
