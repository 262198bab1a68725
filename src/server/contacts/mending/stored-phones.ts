import { sql } from 'drizzle-orm'
import { knownPhone, type ReadPhone, readPhone } from '#shared/text/phones/read-phone.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import { usualAreaCode } from '#server/settings/settings.ts'
import { isGivenAddress } from '#server/contacts/identity/identity.ts'
import { holdersOf } from '#server/contacts/import/holders.ts'

/** A number of a contact as it is stored. */
export interface StoredPhone extends Record<string, unknown> {
  contactId: number
  name: string
  /** Null for a contact whose number is no identity, as an old restore may have left it. */
  identityId: number | null
  phone: string
  /** The address to which messages go; digits where WhatsApp has not given one. */
  jid: string
}

/** A stored number that nobody could enter now, or only in another form. */
export interface WrongPhone {
  stored: StoredPhone
  /** What it becomes; undefined when nobody but a person can know. */
  to?: string
  /** In Portuguese, why it is left as it is. */
  problem?: string
}

/**
 * What a stored number is by the rules of now. One that WhatsApp has given exists, whatever the rules say of
 * it; one that was typed or imported was stored by rules that took the digits as they stood.
 * @returns undefined when it is right
 */
function judgeStored(
  { phone, jid }: Pick<StoredPhone, 'phone' | 'jid'>,
  areaCode: string | undefined,
): ReadPhone | undefined {
  const known = knownPhone(phone)
  if (known === phone || (known === undefined && isGivenAddress(jid))) return undefined
  if (known !== undefined) return { phone: known }
  const read = readPhone(phone, areaCode)
  if ('phone' in read) return read
  // '41987651506.0' was stored with the zero of its decimals.
  const whole = phone.endsWith('0') ? readPhone(phone.slice(0, -1)) : read
  return 'phone' in whole ? whole : read
}

const atOnce = 1000

/** All numbers of living contacts that are not as they would be stored now, in the order of the contacts. */
export async function* wrongPhones(db: Db): AsyncGenerator<WrongPhone> {
  const areaCode = await usualAreaCode(db)
  // Of two that become one number the second has a conflict.
  const taken = new Map<string, number>()
  for (let after = 0; ;) {
    const batch = await storedPhones(db, after)
    const judged = batch.flatMap((stored) => {
      const read = judgeStored(stored, areaCode)
      return read === undefined ? [] : [{ stored, read }]
    })
    const holders = await holdersOf(
      db,
      judged.flatMap(({ read }) => ('phone' in read ? [read.phone] : [])),
    )
    for (const { stored, read } of judged) {
      if ('problem' in read) {
        yield { stored, problem: read.problem }
        continue
      }
      const { phone: to } = read
      const holder = holders.get(to) ?? taken.get(to)
      // One person has it in both forms: the other one leads to them, too.
      if (holder === stored.contactId) continue
      yield { stored, to, ...(holder !== undefined && { problem: conflictWith(holder) }) }
      taken.set(to, stored.contactId)
    }
    const last = batch.at(-1)
    if (!last || batch.length < atOnce) return
    after = last.contactId
  }
}

export const conflictWith = (id: number): string => `já é do contato ${id}: junte os dois em Contatos`

/** The numbers of whole contacts, so that the next batch begins with another one. */
const storedPhones = (db: Db, after: number): Promise<StoredPhone[]> =>
  rows(
    db,
    sql`with part as (
          select id, name, phone from contacts
           where id > ${after} and deleted_at is null and erased_at is null
           order by id limit ${atOnce})
        select c.id as "contactId", c.name, i.id as "identityId", coalesce(i.value, c.phone) as phone,
               coalesce(i.jid, c.phone) as jid
          from part c left join contact_identities i on i.contact_id = c.id and i.kind = 'phone'
         where coalesce(i.value, c.phone) is not null
         order by c.id, i.id`,
  )
