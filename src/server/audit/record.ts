import { randomBytes } from 'node:crypto'
import { type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import {
  type AuditAction,
  type AuditResource,
  type DetailsOf,
  type PersonalOf,
  resourceOf,
} from '#shared/audit/audit-actions.ts'
import type { Who } from '#server/platform/http/access.ts'
import { type Database, type Db, rows } from '#server/platform/database/db.ts'
import { statement } from '#server/platform/database/statement.ts'
import type { RequestSource } from '#server/platform/http/source/request-source.ts'
import { coalesce } from '#server/platform/work/coalesce.ts'

/**
 * Who acts: a person, a stranger of whom only the source is known, the system on its own, or somebody at the
 * machine by an administration command.
 */
export type Actor =
  | (Pick<Who, 'id' | 'name' | 'role' | 'source' | 'macro'> & {
      /** null: they have just made their account. */
      sessionId: number | null
    })
  | { source: RequestSource }
  | 'system'
  | 'command'

type Given<Name extends string, Value> = object extends Value
  ? { [Key in Name]?: Value }
  : { [Key in Name]: Value }

/** What happened. Its details are typed by the action. */
export type AuditEntry<Action extends AuditAction> = {
  action: Action
  resourceId?: string | number | undefined
  /** Default: done. */
  outcome?: 'done' | 'refused'
} & Given<'details', DetailsOf<Action>> &
  Given<'personal', PersonalOf<Action>>

const longestText = 5000
/** Of all details of a row, as JSON. */
const longestDetails = 200_000

function cutTexts(value: unknown, longest: number): unknown {
  if (typeof value === 'string')
    return value.length > longest ? `${value.slice(0, longest).toWellFormed()}…` : value
  if (Array.isArray(value)) return value.map((one) => cutTexts(one, longest))
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cutTexts(inner, longest)]))
}

/**
 * A text that the database refuses (with a NUL, or half of a sign) fails the act: what is recorded must be
 * what happened.
 */
function toJson(value: object): string {
  const json = JSON.stringify(cutTexts(value, longestText))
  return json.length > longestDetails ? JSON.stringify(cutTexts(value, 200)) : json
}

/** What is stored of the actor, apart from the values that concern them as a person. */
function columnsOf(by: Actor) {
  if (by === 'system' || by === 'command')
    return { userId: null, role: null, sessionId: null, origin: by } as const
  if (!('id' in by)) return { userId: null, role: null, sessionId: null, origin: 'request' } as const
  return { userId: by.id, role: by.role, sessionId: by.sessionId, origin: 'request' } as const
}

function personalOf(by: Actor): Record<string, unknown> {
  if (by === 'system' || by === 'command') return {}
  const { address, device } = by.source
  return {
    ...('name' in by && { actor: by.name }),
    ...(address !== null && { address }),
    ...(device !== null && { device }),
  }
}

interface Parameters {
  userId: number | null
  role: string | null
  sessionId: number | null
  origin: string
  action: AuditAction
  resourceType: AuditResource
  resourceId: string | null
  outcome: 'done' | 'refused'
  repeats: number
  repeatKey: string | null
  details: string
  salt: string | null
  personal: string | null
}

const idIn = (text: SQL) => sql`case when ${text} ~ '^[0-9]{1,9}$' then ${text}::int end`
const numberOf = (conversation: SQL) =>
  sql`(select c.instance_id from conversations c where c.id = ${conversation})`

/**
 * The number at which it happened: that of the conversation that the row is about, or to which its message
 * belongs. A conversation that is deleted is still there when that is recorded.
 */
const instanceOf = (type: SQLWrapper, id: SQLWrapper, details: SQLWrapper) => sql`
  case ${type}::text
    when 'conversation' then ${numberOf(idIn(sql`${id}::text`))}
    when 'message' then ${numberOf(idIn(sql`(${details}::text::jsonb ->> 'conversationId')`))}
    when 'gateway' then ${idIn(sql`${id}::text`)}
  end`

/**
 * The row and its personal values in one statement. The hash covers the text that PostgreSQL writes for the
 * stored JSON, which is the same for equal values.
 */
const insertRow = statement<Parameters>()((db) => {
  const given = (name: keyof Parameters) => sql.placeholder(name)
  const personal = sql`${given('personal')}::text::jsonb`
  const made = db.$with('made', { id: sql<number>`id`.as('id') }).as(
    sql`insert into audit_logs as l (user_id, role, session_id, origin, action, resource_type, resource_id,
                                     instance_id, outcome, repeats, repeat_key, details, personal_hash)
        values (${given('userId')}, ${given('role')}, ${given('sessionId')}, ${given('origin')},
                ${given('action')}, ${given('resourceType')}, ${given('resourceId')},
                ${instanceOf(given('resourceType'), given('resourceId'), given('details'))},
                ${given('outcome')},
                ${given('repeats')}, ${given('repeatKey')}, ${given('details')}::text::jsonb,
                encode(sha256(convert_to(${given('salt')}::text || (${personal})::text, 'UTF8')), 'hex'))
        on conflict (repeat_key) where repeat_key is not null
        do update set repeats = l.repeats + excluded.repeats
        returning id`,
  )
  const stood = db.$with('stood', {}).as(
    sql`insert into audit_personal (log_id, salt, values)
        select id, ${given('salt')}::text, ${personal} from made where ${given('salt')}::text is not null
        on conflict (log_id) do nothing`,
  )
  return db.with(made, stood).select({ id: made.id }).from(made)
})

function parametersOf<Action extends AuditAction>(by: Actor, entry: AuditEntry<Action>): Parameters {
  const { action, resourceId, outcome = 'done', details = {}, personal = {} } = entry
  const values = { ...personalOf(by), ...personal }
  const hasValues = Object.keys(values).length > 0
  return {
    ...columnsOf(by),
    action,
    resourceType: resourceOf(action),
    resourceId: resourceId === undefined ? null : String(resourceId).slice(0, 200),
    outcome,
    repeats: 1,
    repeatKey: null,
    details: toJson(by instanceof Object && 'macro' in by ? { ...details, macro: by.macro } : details),
    salt: hasValues ? randomBytes(16).toString('hex') : null,
    personal: hasValues ? toJson(values) : null,
  }
}

/**
 * Records who did what, in the transaction of the act. The sealer gives the row its place in the chain.
 * @returns the id of the row
 * @see security §5.1
 */
export async function record<Action extends AuditAction>(
  db: Db,
  by: Actor,
  entry: AuditEntry<Action>,
): Promise<number> {
  const [row] = await insertRow(db, parametersOf(by, entry))
  if (!row) throw new Error('audit row not written')
  return row.id
}

/** A conflict of the insertion would take an id each time, and ids are finite. */
async function writeRepeated(database: Database, row: Parameters): Promise<void> {
  const counted = await rows(
    database,
    sql`update audit_logs set repeats = repeats + ${row.repeats} where repeat_key = ${row.repeatKey}
        returning id`,
  )
  if (counted.length === 0) await insertRow(database, row)
}

const writers = new WeakMap<Database, (row: Parameters) => Promise<void>>()

/** Acts that come at once are counted before they are written, so a loop costs few statements. */
function writerOf(database: Database): (row: Parameters) => Promise<void> {
  const known = writers.get(database)
  if (known) return known
  const write = coalesce(async (given: Parameters[]) => {
    for (const [first, ...others] of Map.groupBy(given, ({ repeatKey }) => repeatKey).values())
      if (first) await writeRepeated(database, { ...first, repeats: 1 + others.length })
  })
  writers.set(database, write)
  return write
}

/**
 * Records what somebody may repeat as often as they like and changes nothing: one row a minute with the
 * number of repetitions, which is sealed when its minute is over.
 * @param same what makes two acts the same, besides person and action
 */
export async function recordRepeated<Action extends AuditAction>(
  database: Database,
  by: Actor,
  entry: AuditEntry<Action>,
  same: string,
): Promise<void> {
  const row = parametersOf(by, entry)
  const repeatKey = JSON.stringify([row.action, row.userId ?? row.origin, same])
  await writerOf(database)({ ...row, repeatKey })
}
