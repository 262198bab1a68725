import { sql } from 'drizzle-orm'
import { AppError } from '#shared/errors.ts'
import { addContact, deleteContact, restoreContact } from '#server/contacts/change.ts'
import { mergeByHand } from '#server/conversations/incoming/merge.ts'
import { receiveMessage } from '#server/conversations/incoming/receive.ts'
import { undoMerge } from '#server/conversations/incoming/undo-merge.ts'
import { type Database, inTransaction, rows, type Tx } from '#server/platform/database/db.ts'
import type { Who } from '#server/platform/http/access.ts'
import type { Random } from '#simulator/random.ts'

/** Where the sequences run. */
export interface Ground {
  database: Database
  instanceId: number
  /** An administrator. */
  who: Who
  random: Random
}

interface Person {
  /** With country code and ninth digit. */
  phone: string
  lid: string
  /** WhatsApp has reported that number and LID are the same. */
  isKnownWhole: boolean
}

/** One sequence: its people, and what was said. */
interface Sequence extends Ground {
  people: Person[]
  /** The gateway's ids of all messages. */
  said: string[]
  /** Pairs that an administrator has parted: they may stay two contacts for ever. */
  hasParted: boolean
}

const peopleEach = 3
let made = 0
let messages = 0

type Step = (sequence: Sequence) => Promise<unknown>

const pick = <Item>(random: Random, from: readonly Item[]): Item | undefined =>
  from[Math.floor(random() * from.length)]

const steps: readonly [weight: number, step: Step][] = [
  [3, create],
  [6, write],
  [4, merge],
  [3, undo],
  [2, finalize],
  [1, removeOrRestore],
]

/**
 * Creates, writes, merges and undoes at random, and looks at what is left.
 * @returns descriptions of the faults
 */
export async function runSequence(ground: Ground, length: number): Promise<string[]> {
  const people = Array.from({ length: peopleEach }, () => {
    made += 1
    const n = String(made).padStart(8, '0')
    return { phone: `55119${n}`, lid: `9000000${n}`, isKnownWhole: false }
  })
  const sequence: Sequence = { ...ground, people, said: [], hasParted: false }
  const whole = steps.flatMap(([weight, step]) => Array.from({ length: weight }, () => step))
  const done: string[] = []
  for (let n = 0; n < length; n++) {
    const step = pick(ground.random, whole) ?? write
    done.push(step.name)
    try {
      await step(sequence)
    } catch (error) {
      // A refusal with a message is no fault.
      if (!(error instanceof AppError)) return [`${done.join(', ')}: ${String(error)}`]
    }
  }
  return (await faultsOf(sequence)).map((fault) => `${done.join(', ')}: ${fault}`)
}

/** As people type numbers: with and without country code and ninth digit. */
function typed(phone: string, random: Random): string {
  const [area, rest] = [phone.slice(2, 4), phone.slice(5)]
  const spellings = [
    `(${area}) 9${rest.slice(0, 4)}-${rest.slice(4)}`,
    `55${area}${rest}`,
    `+55 ${area} 9${rest}`,
    `${area}9${rest}`,
  ]
  return pick(random, spellings) ?? phone
}

async function create({ database, who, random, people }: Sequence) {
  const person = pick(random, people)
  if (!person) return
  await inTransaction(database, (db) =>
    addContact(db, who, { name: `Pessoa ${person.phone}`, phone: typed(person.phone, random) }),
  )
}

async function write(sequence: Sequence) {
  const { database, instanceId, random, people, said } = sequence
  const person = pick(random, people)
  if (!person) return
  const by = pick(random, ['phone', 'lid', 'both'] as const)
  const waId = `MERGES${++messages}`
  said.push(waId)
  if (by === 'both') person.isKnownWhole = true
  await inTransaction(database, (db) =>
    receiveMessage(db, instanceId, {
      kind: 'message',
      waId,
      peer: {
        phone: by === 'lid' ? undefined : person.phone,
        lid: by === 'phone' ? undefined : person.lid,
        jid: by === 'lid' ? `${person.lid}@lid` : `${person.phone}@s.whatsapp.net`,
      },
      origin: 'contact',
      name: `Nome ${messages}`,
      sentAt: undefined,
      content: {
        messageType: 'text',
        content: waId,
        fileName: undefined,
        mimeType: undefined,
        sizeBytes: undefined,
        metadata: {},
      },
      quoted: undefined,
      isHistory: false,
    }),
  )
}

/** The living contacts of the sequence's people. */
const living = (db: Database | Tx, people: readonly Person[]) =>
  rows<{ id: number; isDeleted: boolean }>(
    db,
    sql`select distinct c.id, c.deleted_at is not null as "isDeleted"
          from contacts c join contact_identities i on i.contact_id = c.id
         where i.value = any(${sql.param(people.flatMap(({ phone, lid }) => [phone, lid]))}::text[])
         order by c.id`,
  )

async function merge({ database, who, random, people }: Sequence) {
  const found = await living(database, people)
  const kept = pick(random, found)
  const merged = pick(random, found)
  if (!kept || !merged) return
  await inTransaction(database, (db) => mergeByHand(db, who, kept.id, merged.id))
}

async function undo(sequence: Sequence) {
  const { database, who, random, people } = sequence
  const ids = (await living(database, people)).map(({ id }) => id)
  const merges = await rows<{ id: number }>(
    database,
    sql`select id from contact_merges where kept_id = any(${sql.param(ids)}::int[]) and undone_at is null`,
  )
  const one = pick(random, merges)
  if (!one) return
  await inTransaction(database, (db) => undoMerge(db, who, one.id)).catch((error: unknown) => {
    // Nobody can have taken a number meanwhile, so nothing else stands in the way.
    if (error instanceof AppError && error.code === 'contacts.merge_gone') throw error
    throw new Error(`undo: ${String(error)}`)
  })
  sequence.hasParted = true
}

async function finalize({ database, random, people }: Sequence) {
  const ids = (await living(database, people)).map(({ id }) => id)
  const open = await rows<{ id: number }>(
    database,
    sql`select id from conversations where contact_id = any(${sql.param(ids)}::int[])
          and status <> 'completed'`,
  )
  const one = pick(random, open)
  if (!one) return
  await database.execute(
    sql`update conversations set status = 'completed', completed_at = app_now(), waiting_for = 'client',
               waiting_since = null, version = version + 1 where id = ${one.id}`,
  )
}

async function removeOrRestore({ database, who, random, people }: Sequence) {
  const one = pick(random, await living(database, people))
  if (!one) return
  await inTransaction(database, (db) => (one.isDeleted ? restoreContact : deleteContact)(db, who, one.id))
  // With the contact it is forgotten which number and which LID are one person.
  if (!one.isDeleted) for (const person of people) person.isKnownWhole = false
}

async function faultsOf({ database, people, said, hasParted }: Sequence): Promise<string[]> {
  const values = people.flatMap(({ phone, lid }) => [phone, lid])
  const lost = await rows<{ waId: string }>(
    database,
    sql`select w as "waId" from unnest(${sql.param(said)}::text[]) w
         where (select count(*) from messages m join conversations v on v.id = m.conversation_id
                 where m.whatsapp_message_id = w and m.content = w) <> 1`,
  )
  const orphans = await rows<{ id: number }>(
    database,
    sql`select v.id from conversations v join contacts c on c.id = v.contact_id
         where c.deleted_at is not null
           and exists (select from contact_merges g where g.merged_id = c.id and g.undone_at is null)`,
  )
  const miscounted = await rows<{ id: number; is: number; counted: number }>(
    database,
    sql`select v.id, v.message_count as is, count(m.id)::int as counted
          from conversations v left join messages m on m.conversation_id = v.id and m.message_type = 'text'
            and coalesce(m.metadata ->> 'origin', '') not in ('automatic', 'assistant')
         where v.id in (select m.conversation_id from messages m
                         where m.whatsapp_message_id = any(${sql.param(said)}::text[]))
         group by v.id having v.message_count <> count(m.id)`,
  )
  const twice = await rows<{ phone: string }>(
    database,
    sql`select phone from contacts where deleted_at is null and phone = any(${sql.param(values)}::text[])
         group by phone having count(*) > 1
        union all
        select c.phone from contacts c
         where c.deleted_at is null and c.phone = any(${sql.param(values)}::text[])
           and not exists (select from contact_identities i
                            where i.contact_id = c.id and i.kind = 'phone' and i.value = c.phone)`,
  )
  const faults = [
    ...lost.map(({ waId }) => `${waId} is not in one conversation`),
    ...orphans.map(({ id }) => `conversation ${id} belongs to a merged contact`),
    ...miscounted.map(({ id, is, counted }) => `conversation ${id} counts ${is} messages of ${counted}`),
    ...twice.map(({ phone }) => `${phone} is two contacts, or is not its contact's`),
  ]
  if (hasParted) return faults
  for (const { phone, lid, isKnownWhole } of people) {
    if (!isKnownWhole) continue
    const own = await rows(
      database,
      sql`select distinct c.id from contacts c join contact_identities i on i.contact_id = c.id
           where c.deleted_at is null and i.value in (${phone}, ${lid})`,
    )
    if (own.length > 1) faults.push(`${phone} and its LID are ${own.length} contacts`)
  }
  return faults
}
