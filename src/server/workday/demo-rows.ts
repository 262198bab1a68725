import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { suggestedReasons } from '#shared/workday/pauses.ts'
import { type Db, tableOf } from '#server/platform/database/db.ts'
import { pauseReasons } from '#server/schema/workday/pause-reasons.ts'

const dayMs = 86_400_000
// São Paulo has had this offset since Brazil abolished daylight-saving time.
const offsetMs = 3 * 3_600_000
const historyDays = 90

/** When they begin and end, in minutes of the day, and when they have lunch. */
const people = [
  { username: 'supervisora', from: 505, to: 1085, lunch: 735 },
  { username: 'ana', from: 482, to: 1082, lunch: 720 },
  { username: 'bruno', from: 538, to: 1079, lunch: 780 },
  { username: 'carla', from: 540, to: 1110, lunch: 750 },
  { username: 'diego', from: 490, to: 1080, lunch: 705 },
  { username: 'elisa', from: 542, to: 1080, lunch: 795 },
] as const

interface Part {
  username: string
  state: 'available' | 'paused' | 'idle'
  reason: string | null
  from: number
  to: number
}

/** The same number in [0, 1) for the same day, person and purpose. */
function chance(day: number, person: number, purpose: number): number {
  const digest = createHash('sha256').update(`${day} ${person} ${purpose}`).digest()
  return digest.readUInt32BE() / 2 ** 32
}

/** A working day: available, with its pauses, of which some are too long. */
function partsOf(person: (typeof people)[number], who: number, midnight: number): Part[] {
  const day = Math.floor(midnight / dayMs)
  const of = (purpose: number) => chance(day, who, purpose)
  const at = (minute: number, seconds = 0) => midnight + (minute * 60 + seconds) * 1000
  const pauses: [minute: number, reason: string | null, minutes: number][] = [
    [person.from + 70 + Math.floor(of(1) * 60), 'Banheiro', 4 + Math.floor(of(2) * 8)],
    [person.lunch, 'Almoço', of(3) < 0.15 ? 66 + Math.floor(of(4) * 20) : 48 + Math.floor(of(4) * 12)],
    [person.lunch + 150 + Math.floor(of(5) * 30), 'Lanche', of(6) < 0.2 ? 18 : 9 + Math.floor(of(6) * 6)],
    ...(of(7) < 0.3 ? [[person.to - 60, null, 6] as [number, null, number]] : []),
    ...(day % 7 === 1 ? [[person.from + 15, 'Reunião', 30] as [number, string, number]] : []),
    ...(of(8) < 0.05 ? [[person.lunch + 90, 'Treinamento', 45] as [number, string, number]] : []),
  ]
  const parts: Part[] = []
  let from = at(person.from, Math.floor(of(9) * 60))
  const begin = (state: Part['state'], reason: string | null, to: number) => {
    if (to <= from) return
    parts.push({ username: person.username, state, reason, from, to })
    from = to
  }
  for (const [minute, reason, minutes] of pauses.toSorted((a, b) => a[0] - b[0])) {
    const start = at(minute, Math.floor(of(minute) * 60))
    if (start <= from) continue
    begin('available', null, start)
    begin(reason === null ? 'idle' : 'paused', reason, start + minutes * 60_000)
  }
  begin('available', null, at(person.to, Math.floor(of(10) * 60)))
  return parts
}

/** The pauses of the demonstration's shop, and the working days of its people. */
export async function demoRows(db: Db, now: Date): Promise<void> {
  await db
    .insert(pauseReasons)
    .values(suggestedReasons.map((form, n) => ({ ...form, place: n + 1 })))
    .onConflictDoNothing()
  const today = Math.floor((now.getTime() - offsetMs) / dayMs)
  const parts = Array.from({ length: historyDays }, (_, ago) => today - ago)
    // 1970-01-01 was a Thursday.
    .filter((day) => (day + 4) % 7 !== 0 && (day + 4) % 7 !== 6)
    .flatMap((day) => people.flatMap((person, who) => partsOf(person, who, day * dayMs + offsetMs)))
    .filter(({ to }) => to < now.getTime())
  const list = parts.map(({ from, to, ...part }) => ({ ...part, from: from / 1000, to: to / 1000 }))
  await db.execute(sql`
    insert into work_periods (user_id, state, reason_id, paused_at, limit_minutes, counts_as_work, started_at,
                              ended_at, seen_at, device)
    select u.id, p.state, r.id, case when r.id is not null then to_timestamp(p."from") end, r.limit_minutes,
           coalesce(r.counts_as_work, false), to_timestamp(p."from"), to_timestamp(p."to"),
           to_timestamp(p."to"),
           'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36'
      from ${tableOf('p', list, {
        username: 'text',
        state: 'text',
        reason: 'text',
        from: 'float8',
        to: 'float8',
      })}
      join users u on u.username = p.username
      left join pause_reasons r on r.name = p.reason`)
}
