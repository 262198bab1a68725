import { sql } from 'drizzle-orm'
import { type Database, rows } from '#server/platform/database/db.ts'
import type { Target } from '../access/recipe.ts'

/** A column of the schema, as a body would name it, with a value that no call gives it. */
export interface Extra {
  name: string
  value: unknown
}

/** Told from everything else, wherever it is stored. */
export const marks = { text: 'atribuido-de-fora', number: 1_234_567, year: '2001-02-03' } as const

/** Words of the product, which a column with a check would take. */
const words: Readonly<Record<string, string>> = {
  role: 'admin',
  status: 'completed',
  sub_status: 'OPERADOR',
  waiting_for: 'client',
  priority: 'low',
  initiated_by: 'operator',
  sender_type: 'contact',
  message_type: 'view_tracking',
  delivery_status: 'read',
  state: 'sent',
}

const camel = (name: string) => name.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase())

/**
 * Every column of the database in both spellings.
 * @param isOn the value of those that are true or false
 */
export async function listExtras(database: Database, isOn: boolean): Promise<Extra[]> {
  const columns = await rows<{ name: string; type: string }>(
    database,
    sql`select distinct column_name as name, data_type as type from information_schema.columns
         where table_schema = 'public' order by 1`,
  )
  const valueOf = ({ name, type }: { name: string; type: string }): unknown => {
    if (words[name] !== undefined) return words[name]
    if (type === 'boolean') return isOn
    if (/int|double|numeric/.test(type)) return marks.number
    if (/timestamp|date/.test(type)) return `${marks.year}T04:05:06.000Z`
    if (type === 'jsonb') return { [marks.text]: true }
    return type === 'ARRAY' ? [marks.text] : marks.text
  }
  const extras = new Map<string, unknown>()
  for (const column of columns)
    for (const name of [column.name, camel(column.name)]) extras.set(name, valueOf(column))
  return [...extras].map(([name, value]) => ({ name, value }))
}

/** Bodies of calls that take none are limited to 16 KiB. */
const mostBytes = 10_000
/** Forms may have twenty fields. */
const mostFields = 12

/** The extras in parts that a call takes at once. */
export function partsOf(extras: readonly Extra[], target: Target): Extra[][] {
  const parts: Extra[][] = [[]]
  let size = 0
  for (const extra of extras) {
    const length = JSON.stringify(extra).length
    const isFull = target.form ? (parts.at(-1)?.length ?? 0) >= mostFields : size + length > mostBytes
    if (isFull) {
      parts.push([])
      size = 0
    }
    size += length
    parts.at(-1)?.push(extra)
  }
  return parts
}

/** The call with extras beside what it has: what it names itself keeps its value. */
export function stuffed(target: Target, extras: readonly Extra[]): Target {
  if (target.form) return { ...target, form: stuffedForm(target.form, extras) }
  const own = (target.body ?? {}) as Record<string, unknown>
  return {
    ...target,
    body: { ...Object.fromEntries(extras.map(({ name, value }) => [name, value])), ...own },
  }
}

/** The fields come before the others, of which the last of a name counts. */
function stuffedForm({ type, bytes }: NonNullable<Target['form']>, extras: readonly Extra[]): Target['form'] {
  const boundary = type.slice(type.indexOf('boundary=') + 'boundary='.length)
  const fields = extras.map(({ name, value }) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`
  })
  return { type, bytes: Buffer.concat([Buffer.from(fields.join('')), bytes]) }
}

/** Bodies that reach for the prototype, as text: no object has them. */
export const poisoned = (target: Target): string[] => {
  const own = JSON.stringify(target.body ?? {}).slice(1)
  const rest = own === '}' ? '}' : `,${own}`
  return [
    '{"__proto__":{"role":"admin","isPermitted":true}',
    '{"constructor":{"prototype":{"role":"admin"}}',
  ].map((head) => head + rest)
}
