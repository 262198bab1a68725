import { sql } from 'drizzle-orm'
import { type SlaClockName, slaClockNames } from '#shared/sla/clocks.ts'
import { type Database, inTransaction, rows, type Tx } from '#server/platform/database/db.ts'
import { tellNearEnd } from '#server/notifications/notifications.ts'
import { seenNow } from './seen-now.ts'

/** Of each clock. */
const bits: Record<SlaClockName, number> = { reply: 1, end: 2 }

interface Near extends Record<string, unknown> {
  id: number
  clock: SlaClockName
  isForLeads: boolean
}

/**
 * What of a clock's row 's' is due to be told: near its end, running, and not told yet. Of those that are in
 * the index, in which those of which both are told are not.
 */
const isNear = (clock: SlaClockName, told: 'told_holder' | 'told_leads') => {
  const [near, due, kept] = ['near_at', 'due_at', 'kept'].map((name) => sql.raw(`s.${clock}_${name}`))
  const bit = sql.raw(String(bits[clock]))
  const from = told === 'told_holder' ? near : sql`${near} + (${due} - ${near}) / 2`
  return sql`(${kept} is null and ${due} is not null and ${near} <= app_now() and ${from} <= app_now()
    and s.told_holder & s.told_leads & ${bit} = 0 and s.${sql.raw(told)} & ${bit} = 0)`
}

/**
 * Tells of clocks that are near their end, each person once: who has the conversation, and when half of what
 * is left has passed, or at once where nobody has it, those who lead its sector. One that has run out already
 * is told no more, as when the targets have just been set.
 */
export async function tellNear(database: Database): Promise<void> {
  const found = await rows<Near>(
    database,
    sql.join(
      slaClockNames.flatMap((clock) =>
        (['told_holder', 'told_leads'] as const).map(
          (told) => sql`
            select s.conversation_id as id, ${clock}::text as clock,
                   ${told === 'told_leads'}::bool as "isForLeads"
              from sla_clocks s where not s.is_over and ${isNear(clock, told)}`,
        ),
      ),
      sql` union all `,
    ),
  )
  for (const near of found) await inTransaction(database, (db) => tell(db, near))
}

async function tell(db: Tx, { id, clock, isForLeads }: Near): Promise<void> {
  const told = isForLeads ? 'told_leads' : 'told_holder'
  // Locked against an answer at this moment; of what has changed since it was computed nothing is known.
  const [conversation] = await rows<{ holder: number | null; sectorId: number | null }>(
    db,
    sql`select v.assigned_user_id as holder, v.sector_id as "sectorId" from conversations v
         where v.id = ${id} and v.status <> 'completed'
           and exists (select from sla_clocks s where s.conversation_id = v.id
                        and starts_with(s.seen, ${seenNow})) for share of v`,
  )
  if (!conversation) return
  const [marked] = await rows<{ isAhead: boolean }>(
    db,
    sql`update sla_clocks s set ${sql.raw(told)} = s.${sql.raw(told)} | ${bits[clock]}::int
         where s.conversation_id = ${id} and ${isNear(clock, told)}
        returning ${sql.raw(`s.${clock}_due_at`)} > app_now() as "isAhead"`,
  )
  if (marked?.isAhead !== true) return
  const { holder, sectorId } = conversation
  const isUnheld = holder === null
  const leads =
    (isForLeads || isUnheld) && sectorId !== null
      ? await rows<{ userId: number }>(
          db,
          sql`select p.user_id as "userId" from sector_people p join users u on u.id = p.user_id
               where p.sector_id = ${sectorId} and p.is_lead and u.is_active and not u.is_blocked
                 and u.deleted_at is null and p.user_id is distinct from ${holder}::int order by p.user_id`,
        )
      : []
  // Leads are told of what nobody has when its holder would be, and once.
  if (!isForLeads && isUnheld && leads.length > 0)
    await db.execute(
      sql`update sla_clocks set told_leads = told_leads | ${bits[clock]}::int where conversation_id = ${id}`,
    )
  const people = [...(!isForLeads && holder !== null ? [holder] : []), ...leads.map(({ userId }) => userId)]
  await tellNearEnd(db, people, { conversationId: id, kind: clock === 'reply' ? 'sla_reply' : 'sla_end' })
}
