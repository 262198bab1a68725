import { inArray, sql } from 'drizzle-orm'
import type { Duplicate, DuplicateReason } from '#shared/contacts/contact-merges.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import { contacts } from '#server/schema/contacts/contacts.ts'
import { toContact } from '#server/contacts/card.ts'
import { selectContacts } from '#server/contacts/queries.ts'

const mostPairs = 50
/** Beyond this a name is common, and says nothing about who has it. */
const mostOfOneName = 6

interface Pair extends Record<string, unknown> {
  a: number
  b: number
  reason: DuplicateReason
}

/**
 * Lists pairs of contacts whose names and numbers look alike, the likeliest first: the same end of the number
 * (without country code, area code and ninth digit) and a similar name; or the same name with one digit
 * changed, the same e-mail address, or no number that is known. Those that were declared to be different
 * persons are left out.
 */
export async function listDuplicates(db: Db): Promise<Duplicate[]> {
  const pairs = await rows<Pair>(
    db,
    // What is shared is counted before anything is joined: without statistics, as after an import, the
    // planner may compare all contacts with all of them.
    sql`with living as (
          select id, name_folded as name, lower(nullif(email, '')) as email, phone, right(phone, 8) as ending,
                 count(*) over (partition by right(phone, 8)) as with_ending,
                 count(*) over (partition by name_folded) as with_name
            from contacts where deleted_at is null and erased_at is null),
        same_ending as (select * from living where phone is not null and with_ending > 1),
        by_number as (
          select a.id as a, b.id as b, 'number' as reason from same_ending a
            join same_ending b on b.ending = a.ending and b.id > a.id
           where similarity(a.name, b.name) > 0.4
              or strpos(a.name, b.name) > 0 or strpos(b.name, a.name) > 0),
        same_name as (select * from living where with_name between 2 and ${mostOfOneName}),
        by_name as (
          select a.id as a, b.id as b,
                 case when a.phone is null or b.phone is null then 'hidden_number'
                      when a.email = b.email then 'email' else 'typo' end as reason
            from same_name a join same_name b using (name)
           where b.id > a.id and (
                 (a.phone is null) <> (b.phone is null) or a.email = b.email
                 or (length(a.phone) = length(b.phone) and (
                     select count(*) from generate_series(1, length(a.phone)) n
                      where substr(a.phone, n, 1) <> substr(b.phone, n, 1)) = 1)))
        select a, b, reason
          from (select distinct on (a, b) * from (
                  select * from by_number union all select * from by_name) found
                 order by a, b, array_position(array['number', 'email', 'typo', 'hidden_number'], reason)
               ) once
         where not exists (select from contact_distinctions d where d.first_id = a and d.second_id = b)
         order by array_position(array['number', 'email', 'typo', 'hidden_number'], reason), a, b
         limit ${mostPairs}`,
  )
  const ids = [...new Set(pairs.flatMap(({ a, b }) => [a, b]))]
  if (ids.length === 0) return []
  const [found, counts] = await Promise.all([
    selectContacts(db).where(inArray(contacts.id, ids)),
    rows<{ id: number; n: number }>(
      db,
      sql`select contact_id as id, count(*)::int as n from conversations
           where contact_id = any(${sql.param(ids)}::int[]) group by contact_id`,
    ),
  ])
  const byId = new Map(found.map((row) => [row.id, toContact(row)]))
  const countOf = (id: number) => counts.find((row) => row.id === id)?.n ?? 0
  return pairs.flatMap(({ a, b, reason }) => {
    const [one, other] = [byId.get(a), byId.get(b)]
    if (!one || !other) return []
    return [{ reason, contacts: [one, other], conversationCounts: [countOf(a), countOf(b)] }]
  })
}
