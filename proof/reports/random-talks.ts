import { sql } from 'drizzle-orm'
import { conversationActs } from '#shared/messages/message-metadata.ts'
import { addDays } from '#shared/reports/periods.ts'
import { type TimeZone, timeZones } from '#shared/settings/schedule.ts'
import { type Database, rows } from '#server/platform/database/db.ts'
import { saveSettings } from '#server/settings/settings.ts'
import type { Random } from '#simulator/random.ts'

const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

export interface DataSet {
  startDate: string
  endDate: string
  conversations: number
}

/** The days on which the clocks of some of the time zones are set forward or back. */
const clockChanges = ['2026-03-08', '2026-03-29', '2026-10-25', '2026-11-01', '2026-04-04', '2026-09-05']

/** Picks at random. */
function dice(random: Random) {
  const between = (low: number, high: number) => low + Math.floor(random() * (high - low + 1))
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[between(0, items.length - 1)]
    if (item === undefined) throw new Error('nothing to pick from')
    return item
  }
  const chance = (share: number) => random() < share
  const time = () => `${String(between(0, 23)).padStart(2, '0')}:${pick(['00', '15', '30', '59', '07'])}`
  return { between, pick, chance, time }
}

type Dice = ReturnType<typeof dice>

const weekdays = [0, 1, 2, 3, 4, 5, 6]

/** Hours of a length. */
function hours({ time }: Dice): { start: string; end: string } {
  const [start, end] = [time(), time()]
  return start === end ? { start, end: start === '23:59' ? '00:00' : '23:59' } : { start, end }
}

/**
 * Replaces all conversations by others, made at random directly in the tables, with settings at random:
 * around midnight, lunch and clock changes, given back and transferred, of people who are deleted or
 * anonymized, answered on the phone, ended in every way, and histories that do not count.
 */
export async function makeDataSet(
  database: Database,
  instanceId: number,
  random: Random,
  count: number,
): Promise<DataSet> {
  const d = dice(random)
  const middle = d.chance(0.6) ? d.pick(clockChanges) : addDays('2026-01-01', d.between(0, 330))
  const length = d.pick([1, 7, 30, 61, 63, 200])
  const startDate = addDays(middle, -d.between(0, length - 1))
  const endDate = addDays(startDate, length - 1)
  await saveSettings(database, {
    timezone: d.pick(Object.keys(timeZones) as TimeZone[]),
    workingHours: {
      ...hours(d),
      days: weekdays.filter((day) => day === 3 || d.chance(0.7)),
      differentDays: weekdays
        .filter(() => d.chance(0.2))
        .map((day) => ({ day, ...hours(d), lunch: d.pick(['usual', 'none', hours(d)] as const) })),
    },
    lunchBreak: { enabled: d.chance(0.7), ...hours(d) },
    scheduleExceptions: Array.from({ length: d.between(0, 4) }, (_, n) => ({
      date: addDays(startDate, d.between(-1, length) + n * 1000 * Number(d.chance(0.1))),
      hours: d.chance(0.5) ? hours(d) : null,
      message: '',
    })).filter(({ date }, n, all) => all.findIndex((other) => other.date === date) === n),
    phoneAnswersCount: d.chance(0.7),
  })
  await database.execute(sql`update conversations set last_message_id = null`)
  await database.execute(sql`delete from conversation_ratings`)
  await database.execute(sql`delete from conversations`)
  const people = await makePeople(database, d)
  const talks = Array.from({ length: count }, (_, n) =>
    randomTalk(d, { n, startDate, length, people, instanceId }),
  )
  await insert(database, talks)
  return { startDate, endDate, conversations: count }
}

interface People {
  users: number[]
  contacts: number[]
  reasons: number[]
}

async function makePeople(database: Database, d: Dice): Promise<People> {
  const users = await rows<{ id: number }>(
    database,
    sql`insert into users (username, email, password_hash, name, role, is_active, deleted_at)
        select 'u' || n || '-' || ${d.between(0, 1e9)}::text, 'u' || n || '-' || ${d.between(0, 1e9)}::text,
               'x', 'Pessoa ' || n,
               (array['operator', 'operator', 'operator', 'supervisor', 'admin'])[1 + n % 5],
               n % 7 <> 0, case when n % 6 = 0 then now() end
          from generate_series(1, 8) n returning id`,
  )
  const companies = await rows<{ id: number }>(
    database,
    sql`insert into companies (name) select 'Empresa ' || n || ${d.between(0, 1e9)}::text
          from generate_series(1, 3) n returning id`,
  )
  const contacts = await rows<{ id: number }>(
    database,
    sql`insert into contacts (name, phone, category, company_id, tags, erased_at)
        select case when n % 9 = 0 then '' else 'Contato ' || n end, null,
               (array['general', 'Cliente', 'CLIENTE', 'VIP', ''])[1 + n % 5],
               (${sql.param(companies.map(({ id }) => id))}::int[])[n % 4],
               case when n % 3 = 0 then '{}'::text[] when n % 3 = 1 then array['Boleto', 'ação']
                    else array['BOLETO', 'boleto'] end,
               case when n % 9 = 0 then now() end
          from generate_series(1, 20) n returning id`,
  )
  const reasons = await rows<{ id: number }>(
    database,
    sql`insert into finish_reasons (name, path)
        select 'Motivo ' || n, 'Motivo ' || n || ' ' || ${d.between(0, 1e9)}::text
          from generate_series(1, 4) n returning id`,
  )
  const idsOf = (some: readonly { id: number }[]) => some.map(({ id }) => id)
  return { users: idsOf(users), contacts: idsOf(contacts), reasons: idsOf(reasons) }
}

interface RandomMessage {
  at: number
  type: string
  fromContact: boolean
  senderId: number | null
  metadata: Record<string, unknown>
}

interface RandomTalk {
  protocol: string
  instanceId: number
  contactId: number
  assignedUserId: number | null
  status: string
  subStatus: string
  waitingFor: string
  initiatedBy: string
  isHistory: boolean
  stage: string | null
  startedAt: number
  completedAt: number | null
  satisfaction: number | null
  reasonId: number | null
  feedback: string | null
  messages: RandomMessage[]
}

const ends = ['finalized', 'closed_by_inactivity', 'blocked', 'anonymized', 'closed_as_blocked'] as const

function randomTalk(
  d: Dice,
  world: { n: number; startDate: string; length: number; people: People; instanceId: number },
): RandomTalk {
  const { n, startDate, length, people } = world
  // Often close to an hour, where shifts, lunch and days begin and end.
  const near = d.chance(0.5)
    ? d.between(0, 95) * 15 * minuteMs + d.between(-2, 2) * d.pick([1, secondMs, 59_999])
    : d.between(0, dayMs)
  const startedAt = Date.parse(startDate) + d.between(-1, length) * dayMs + near
  const initiatedBy = d.chance(0.85) ? 'contact' : 'operator'
  const messages: RandomMessage[] = []
  let at = startedAt
  const step = () =>
    (at += d.pick([0, 1, d.between(0, minuteMs), d.between(0, hourMs), d.between(0, 20 * hourMs), 2 * dayMs]))
  const someone = () => d.pick(people.users)
  for (let left = d.between(0, 8); left > 0; left--) {
    const sort = d.between(0, 9)
    const who = sort < 4 ? null : someone()
    if (sort < 3) messages.push(message(at, 'text', true, null))
    else if (sort === 3)
      messages.push(message(at, 'text', false, null, { origin: d.pick(['phone', 'automatic', 'api']) }))
    else if (sort === 4)
      messages.push(message(at, 'call', true, null, { call: { outcome: d.pick(['answered', 'missed']) } }))
    else if (sort === 5) messages.push(message(at, d.pick(['view_tracking', 'note']), false, who))
    else if (sort < 8) messages.push(message(at, d.pick(['text', 'image']), false, who))
    else
      messages.push(
        message(at, 'event', false, who, { event: { act: d.pick(conversationActs.slice(0, 4)) } }),
      )
    step()
  }
  // One that was moved here, from before it began.
  if (d.chance(0.05)) messages.push(message(startedAt - d.between(1, hourMs), 'text', false, someone()))
  const isCompleted = d.chance(0.7)
  const completedAt = isCompleted ? Math.max(at, startedAt - Number(d.chance(0.03)) * minuteMs) : null
  if (completedAt !== null && d.chance(0.8))
    messages.push(
      message(completedAt, 'event', false, null, {
        event: { act: d.pick(ends) },
      }),
    )
  const assignedUserId = d.chance(0.75) ? someone() : null
  const satisfaction = isCompleted && d.chance(0.4) ? d.between(1, 5) : null
  return {
    protocol: `2026${String(n).padStart(10, '0')}`,
    instanceId: world.instanceId,
    contactId: d.pick(people.contacts),
    assignedUserId,
    status: isCompleted ? 'completed' : assignedUserId === null ? 'waiting' : 'active',
    subStatus: assignedUserId === null ? 'FILA' : 'OPERADOR',
    waitingFor: d.pick(['operator', 'client']),
    initiatedBy,
    isHistory: isCompleted && d.chance(0.05),
    stage: isCompleted
      ? d.pick([null, null, null, 'attended', 'cancelled', 'waiting_option'])
      : d.pick([null, 'attended']),
    startedAt,
    completedAt,
    satisfaction,
    reasonId: isCompleted && d.chance(0.5) ? d.pick(people.reasons) : null,
    feedback: satisfaction !== null && d.chance(0.5) ? d.pick(['Ótimo', '  ', '\n', 'Demorou']) : null,
    messages,
  }
}

const message = (
  at: number,
  type: string,
  fromContact: boolean,
  senderId: number | null,
  metadata: Record<string, unknown> = {},
): RandomMessage => ({ at, type, fromContact, senderId, metadata })

/** One after another: an open conversation of a contact needs no other open one beside it. */
async function insert(database: Database, talks: readonly RandomTalk[]): Promise<void> {
  const open = new Set<number>()
  const possible = talks.filter(({ contactId, completedAt }) => {
    if (completedAt !== null) return true
    const isFirst = !open.has(contactId)
    open.add(contactId)
    return isFirst
  })
  await database.execute(
    sql`with given as (
          select t.*, row_number() over () as n
            from jsonb_to_recordset(${JSON.stringify(possible)}::jsonb) as t (
              protocol text, "instanceId" int, "contactId" int, "assignedUserId" int, status text,
              "subStatus" text, "waitingFor" text, "initiatedBy" text, "isHistory" boolean, stage text,
              "startedAt" float8, "completedAt" float8, satisfaction int, "reasonId" int,
              feedback text, messages jsonb)),
        made as (
          insert into conversations (protocol, instance_id, contact_id, assigned_user_id, status, sub_status,
              waiting_for, initiated_by, is_history, pre_attendance_stage, started_at, completed_at,
              satisfaction, finish_reason_id, message_count, contact_message_count)
          select protocol, "instanceId", "contactId", "assignedUserId", status, "subStatus", "waitingFor",
                 "initiatedBy", "isHistory", stage, to_timestamp("startedAt" / 1000),
                 to_timestamp("completedAt" / 1000), satisfaction, "reasonId", jsonb_array_length(messages), 1
            from given order by n returning id, protocol),
        rated as (
          insert into conversation_ratings
            (conversation_id, contact_id, service_rating, operator_rating, feedback)
          select made.id, given."contactId", given.satisfaction, given.satisfaction, given.feedback
            from made join given using (protocol) where given.satisfaction is not null)
        insert into messages (conversation_id, instance_id, sender_id, sender_type, content, message_type,
            metadata, delivery_status, sort_at, sent_at)
        select made.id, given."instanceId", m."senderId",
               case when m."fromContact" then 'contact' else 'user' end, '', m.type, m.metadata,
               case when m."senderId" is not null and m.type <> 'note' then 'sent' end,
               to_timestamp(m.at / 1000), to_timestamp(m.at / 1000)
          from made join given using (protocol)
          cross join lateral jsonb_to_recordset(given.messages) as m
            (at float8, type text, "fromContact" boolean, "senderId" int, metadata jsonb)
         order by made.id, m.at`,
  )
}
