import { sql } from 'drizzle-orm'
import type { FirstSteps, SkippableStep } from '#shared/gateway/gateway-link.ts'
import { type Db, rows } from '#server/platform/database/db.ts'
import { firstSteps } from '#server/schema/gateway.ts'

// The first steps of an installation are read from what there is: the gateway, a number that was once
// connected, a message of a client, a second person, hours or texts that somebody has saved. They end for
// good when all are done or left out, whatever is deleted afterwards. A demonstration has none.

type Found = {
  isOver: boolean
  hasGateway: boolean
  wasConnected: boolean
  isMessageSkipped: boolean
  isTeamSkipped: boolean
  isHoursSkipped: boolean
  hasTeam: boolean
  hasHours: boolean
  conversationId: number | null
  contactName: string | null
  hasMessage: boolean
}

async function find(db: Db): Promise<Found | undefined> {
  const [found] = await rows<Found>(
    db,
    sql`select i.is_demo or s.done_at is not null as "isOver",
               -- A key of another installation is an empty one, sealed, since it cannot be read here.
               exists (select from evolution_api_config where api_key_encrypted not like 'v1.%.')
                 as "hasGateway",
               exists (select from evolution_api_config where last_connected_at is not null)
                 as "wasConnected",
               coalesce(s.is_message_skipped, false) as "isMessageSkipped",
               coalesce(s.is_team_skipped, false) as "isTeamSkipped",
               coalesce(s.is_hours_skipped, false) as "isHoursSkipped",
               exists (select from system_settings t, jsonb_object_keys(t.values) key
                        where key in ('workingHours', 'lunchBreak', 'scheduleExceptions', 'timezone')
                           or key like '%Message') as "hasHours",
               (select count(*) from (select from users limit 2) u) > 1 as "hasTeam",
               f.conversation_id as "conversationId", f.name as "contactName",
               f.conversation_id is not null as "hasMessage"
          from installation i left join first_steps s on s.id = 1
          left join lateral (select m.conversation_id, c.name from messages m
                               join conversations v on v.id = m.conversation_id
                               join contacts c on c.id = v.contact_id
                              where not (i.is_demo or s.done_at is not null) and m.sender_type = 'contact'
                              order by m.id limit 1) f on true
         where i.id = 1`,
  )
  return found
}

/** @returns null when they are over */
export async function readFirstSteps(db: Db): Promise<FirstSteps | null> {
  const found = await find(db)
  if (!found || found.isOver) return null
  const steps = stepsOf(found)
  return isComplete(steps) ? null : steps
}

function stepsOf(found: Found): FirstSteps {
  const { conversationId, contactName } = found
  return {
    gateway: { isDone: found.hasGateway, isSkipped: false },
    number: { isDone: found.wasConnected, isSkipped: false },
    message: { isDone: found.hasMessage, isSkipped: found.isMessageSkipped, conversationId, contactName },
    team: { isDone: found.hasTeam, isSkipped: found.isTeamSkipped },
    hours: { isDone: found.hasHours, isSkipped: found.isHoursSkipped },
  }
}

const isComplete = (steps: FirstSteps) =>
  Object.values<{ isDone: boolean; isSkipped: boolean }>(steps).every((step) => step.isDone || step.isSkipped)

const skippedColumns = {
  message: { isMessageSkipped: true },
  team: { isTeamSkipped: true },
  hours: { isHoursSkipped: true },
} as const satisfies Record<SkippableStep, object>

export async function skipStep(db: Db, step: SkippableStep): Promise<void> {
  const skipped = skippedColumns[step]
  await db
    .insert(firstSteps)
    .values({ id: 1, ...skipped })
    .onConflictDoUpdate({ target: firstSteps.id, set: skipped })
}

/** Ends them for good once all are done. */
export async function concludeFirstSteps(db: Db): Promise<void> {
  const found = await find(db)
  if (!found || found.isOver || !isComplete(stepsOf(found))) return
  await db
    .insert(firstSteps)
    .values({ id: 1, doneAt: sql`app_now()` })
    .onConflictDoUpdate({ target: firstSteps.id, set: { doneAt: sql`app_now()` } })
}
