import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { z } from 'zod'
import { conditionOf } from '#shared/acts.ts'
import type { Audited, Endpoint, Row, Schema } from '#shared/endpoint.ts'
import { type Flag, type Role, roles } from '#shared/permissions.ts'

const folder = join(import.meta.dirname, '..', '..', 'shared')

/** What `shared` exports, found by scanning it: what is declared anew is included automatically. */
async function allExports(): Promise<unknown[]> {
  const files = readdirSync(folder, { encoding: 'utf8', recursive: true }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  )
  const modules = await Promise.all(
    files.map((file) => import(pathToFileURL(join(folder, file)).href) as Promise<Record<string, unknown>>),
  )
  return modules.flatMap((module) => Object.values(module))
}

export async function allCalls(): Promise<Endpoint[]> {
  return (await allExports()).filter(isEndpoint)
}

/** A row of the permission table, of a call or of something that is none, such as what sockets are sent. */
export interface DeclaredRow {
  id: string
  method: string
  /** With `{name}` for parameters. */
  path: string
  ceiling: readonly Role[]
  /** Every group must hold, and one flag of a group is enough. */
  flags: readonly (readonly Flag[])[]
  public: boolean
  audit: Audited
  /** Whether the password is asked for again; or the fields of the body for which it is. */
  sensitive: true | readonly string[] | undefined
  /** The declaration, as the server asks it. */
  row: Row
}

/** The rows of everything that `shared` declares, by path and method. */
export async function allRows(): Promise<DeclaredRow[]> {
  const declared = await allExports()
  const ofCalls = declared
    .filter(isEndpoint)
    .flatMap(({ method, path, rows, isSensitive }) =>
      Object.values(rows).map((row) => describe(row, method, path.replace(/:(\w+)/g, '{$1}'), isSensitive)),
    )
  const others = declared
    .flatMap((value) => (isRow(value) ? [value] : Object.values(value ?? {}).filter(isRow)))
    .map((row) => {
      const [method = '', ...path] = row.id.split(' ')
      return describe(row, method, path.join(' '))
    })
  return [...ofCalls, ...others].toSorted((a, b) => compare(placeOf(a), placeOf(b)))
}

function describe(row: Row, method: string, path: string, sensitive?: DeclaredRow['sensitive']): DeclaredRow {
  const { requires, roles: some = roles } = conditionOf(row)
  const flags = requires.map((group) => [group].flat())
  return {
    id: row.id,
    method,
    path,
    ceiling: some,
    flags,
    public: row.isPublic === true,
    audit: row.audit,
    sensitive,
    row,
  }
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'WS']
const placeOf = ({ method, path }: DeclaredRow) => `${path} ${methods.indexOf(method)}`
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && 'id' in value && 'audit' in value

function isEndpoint(value: unknown): value is Endpoint {
  return (
    typeof value === 'object' && value !== null && 'method' in value && 'rows' in value && 'path' in value
  )
}

interface JsonSchema {
  type?: string | string[]
  format?: string
  pattern?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
}

/**
 * Random values that the schema accepts.
 * @param urls used where a URL is expected, so that no other host is called
 * @throws Error when the schema uses a feature that is not supported here
 */
export function validValues(schema: Schema, seed: number, count: number, urls: string[]): unknown[] {
  const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  const candidates = fc.sample(arbitraryOf(described, urls), { seed, numRuns: count * 60 })
  const valid = candidates.filter((value) => z.safeParse(schema, value).success)
  if (valid.length === 0) throw new Error(`nothing valid was made from ${JSON.stringify(described)}`)
  return valid.slice(0, count)
}

function arbitraryOf(schema: JsonSchema, urls: string[]): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const either = schema.anyOf ?? schema.oneOf
  if (either) return fc.oneof(...either.map((one) => arbitraryOf(one, urls)))
  if (Array.isArray(schema.type))
    return fc.oneof(...schema.type.map((type) => arbitraryOf({ ...schema, type }, urls)))
  switch (schema.type) {
    case 'string':
      return textOf(schema, urls)
    case 'integer':
    case 'number':
      return numberOf(schema)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(arbitraryOf(schema.items ?? {}, urls), { maxLength: 4 })
    case 'object':
      return objectOf(schema, urls)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

/** Mostly small numbers, because they are ids of existing rows. */
function numberOf({ minimum = 0, maximum = 2_147_483_647 }: JsonSchema): fc.Arbitrary<unknown> {
  const first = Math.max(minimum, 0)
  const few = fc.integer({ min: first, max: Math.min(maximum, first + 60) })
  return fc.oneof(
    { weight: 4, arbitrary: few },
    { weight: 1, arbitrary: fc.integer({ min: minimum, max: maximum }) },
  )
}

function textOf(schema: JsonSchema, urls: string[]): fc.Arbitrary<unknown> {
  const { format, pattern, minLength = 0, maxLength = 200 } = schema
  if (format === 'uri') return fc.constantFrom(...urls)
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString())
  if (format === 'date') {
    const day = (from: string, to: string) =>
      fc
        .date({ min: new Date(from), max: new Date(to), noInvalidDate: true })
        .map((date) => date.toISOString().slice(0, 10))
    // Mostly near each other: of two days the first is often before the second, and not too far.
    return fc.oneof(
      { weight: 4, arbitrary: day('2025-01-01', '2027-12-31') },
      { weight: 1, arbitrary: day('0001-01-01', '9999-12-31') },
    )
  }
  if (pattern !== undefined) {
    const expression = new RegExp(pattern)
    const small = fc.integer({ min: 1, max: 60 }).map(String)
    const any = fc.stringMatching(expression)
    return expression.test('7') && expression.test('42') ? fc.oneof(small, small, any) : any
  }
  const most = Math.min(maxLength, 120)
  const words = fc.string({ unit: 'grapheme', minLength: Math.min(minLength, most), maxLength: most })
  // Not every schema says that a text must be a URL; a caller that needs one picks it from the values.
  return maxLength >= 100 ? fc.oneof(words, words, fc.constantFrom(...urls)) : words
}

function objectOf({ properties = {}, required = [] }: JsonSchema, urls: string[]): fc.Arbitrary<unknown> {
  const fields = Object.entries(properties).map(([name, inner]) => [name, arbitraryOf(inner, urls)] as const)
  return fc.record(Object.fromEntries(fields), { requiredKeys: required })
}
