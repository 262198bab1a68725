import { sql } from 'drizzle-orm'
import type { Who } from '#server/platform/http/access.ts'
import type { Database } from '#server/platform/database/db.ts'
import { setUserAway } from '#server/users/sign-in/queries.ts'
import type { Agenda } from './agenda.ts'
import { type DayMs, dayLengthMs } from '../plan/day.ts'
import { type AtWork, goHome, checkScreen } from './operators.ts'
import { type OperatorPlan, type Shift, shiftAt } from '../plan/plan-operators.ts'

/** All operators: they follow the shifts of their plans, and check their screens meanwhile. */
export interface Staff {
  /** Reconnects every browser after a restart. */
  connectAgain(database: Database): Promise<void>
  online(at: DayMs): Who[]
}

interface Member {
  who: Who
  plan: OperatorPlan
  thoughts: number
}

export function startStaff(parts: {
  people: readonly Who[]
  plans: readonly OperatorPlan[]
  agenda: Agenda
  nowMs: () => DayMs
  /** The application; undefined while the product is down. */
  atWork: () => AtWork | undefined
}): Staff {
  const { people, plans, agenda, nowMs, atWork } = parts
  const members = plans.map((plan, n): Member => ({ plan, who: people[n] as Who, thoughts: 0 }))

  const stand = async (database: Database, { plan, who }: Member) => {
    const shift = shiftAt(plan, nowMs())
    await setUserAway(database, who.id, shift?.state === 'away')
    await setConnected(database, who, shift !== undefined)
  }
  const change = async (member: Member, ended: Shift | undefined) => {
    const at = atWork()
    if (!at) return
    await stand(at.database, member)
    if (ended?.leaves === 'hands over') await goHome(at, member.who)
  }
  const takeTurn = async (member: Member) => {
    const { plan, who } = member
    const at = atWork()
    if (at && shiftAt(plan, nowMs())?.state === 'online') await checkScreen(at, who)
    const thinkMs = plan.thinkMs[member.thoughts++ % plan.thinkMs.length] ?? 0
    if (nowMs() + thinkMs < dayLengthMs) agenda.note(nowMs() + thinkMs, () => takeTurn(member))
  }
  for (const member of members) {
    for (const shift of member.plan.shifts) {
      agenda.note(shift.fromMs, () => change(member, undefined))
      agenda.note(shift.toMs, () => change(member, shift))
    }
    agenda.note(member.plan.shifts[0]?.fromMs ?? 0, () => takeTurn(member))
  }
  return {
    async connectAgain(database) {
      await database.execute(sql`delete from presence`)
      for (const member of members) await stand(database, member)
    },
    online: (at) => members.flatMap(({ plan, who }) => (shiftAt(plan, at)?.state === 'online' ? [who] : [])),
  }
}

/** Represents a browser with a connected socket and an active user. */
async function setConnected(database: Database, { id, username }: Who, isConnected: boolean): Promise<void> {
  await database.execute(
    isConnected
      ? sql`insert into presence (connection_id, process_id, user_id, heartbeat_at, last_input_at)
            values (${username}, 'dia', ${id}, 'infinity', 'infinity') on conflict do nothing`
      : sql`delete from presence where connection_id = ${username}`,
  )
}
