import { createAgenda } from './agenda.ts'
import { type Clients, startClients } from './clients.ts'
import { createOutboxDelivery } from './outbox-delivery.ts'
import { type Staff, startStaff } from './staff.ts'
import { dayLengthMs } from '../plan/day.ts'
import { type DayClock, startDayClock } from './day-clock.ts'
import { type Environment, startEnvironment } from './environment.ts'
import type { Application } from './application.ts'
import { type Observed, readConversations, readMessages } from '../check/observed.ts'
import type { Act, AtWork } from './operators.ts'
import { createQueuePositions } from './queue-positions.ts'
import type { DayPlan } from '../plan/plan.ts'
import { createScheduler } from './scheduler.ts'
import { createWhatsApp } from './whatsapp.ts'

/**
 * Plays a planned day on a new database.
 * @param defer registers what closes the database if the day is interrupted
 */
export async function playDay(plan: DayPlan, defer: (close: () => unknown) => void): Promise<Observed> {
  const environment = await startEnvironment(plan)
  defer(environment.close)
  try {
    return await play(environment, plan)
  } finally {
    await environment.close()
  }
}

async function play(environment: Environment, plan: DayPlan): Promise<Observed> {
  const { database } = environment
  const clock = await startDayClock(database)
  const day = setUp(environment, plan, clock)
  const { agenda, whatsapp, positions } = day
  agenda.note(0, day.open)
  agenda.note(plan.outage.fromMs, () => whatsapp.setGatewayAway(true))
  agenda.note(plan.outage.toMs, () => {
    whatsapp.setGatewayAway(false)
    return day.deliver()
  })
  agenda.note(plan.restart.fromMs, day.close)
  agenda.note(plan.restart.toMs, day.open)

  for (let entry = agenda.next(); entry; entry = agenda.next()) {
    clock.goTo(entry.at)
    if (!entry.isOutside) await clock.show()
    await entry.work()
    if (!day.hasMail()) continue
    await positions.note()
    await day.deliver()
  }
  await day.close()
  const [conversations, messages] = [await readConversations(database), await readMessages(database)]
  const { written, got } = whatsapp
  const { acts, samples } = day
  return {
    plan,
    endedAt: clock.nowMs(),
    written,
    got,
    positions: positions.sent,
    acts,
    samples,
    conversations,
    messages,
  }
}

/** Creates all participants before the day begins. */
function setUp({ database, people, openApplication }: Environment, plan: DayPlan, { nowMs }: DayClock) {
  const agenda = createAgenda()
  const acts: Act[] = []
  let application: Application | undefined
  const whatsapp = createWhatsApp({
    agenda,
    nowMs,
    onGot: (got) => clients.onGot(got),
    receive: async (event) => application?.receive(event),
  })
  const clients: Clients = startClients(plan.clients, {
    agenda,
    nowMs,
    write: (phone, word) => void (nowMs() < dayLengthMs && whatsapp.write(phone, word)),
  })
  const { isDistributed } = plan
  const atWork = (): AtWork | undefined =>
    application && {
      database: application.database,
      clients,
      acts,
      nowMs,
      colleagues: staff.online(nowMs()),
      isDistributed,
    }
  const staff: Staff = startStaff({ people, plans: plan.operators, agenda, nowMs, atWork })
  const scheduler = createScheduler({
    database,
    agenda,
    nowMs,
    current: () => application,
    online: () => staff.online(nowMs()).length,
  })
  const outboxDelivery = createOutboxDelivery(whatsapp, nowMs)
  let isNoted = false
  /** Delivers repeatedly, as long as something is due later. */
  const deliver = async (): Promise<void> => {
    const nextAt = application && (await outboxDelivery.deliver(application.database))
    if (nextAt === undefined || isNoted) return
    isNoted = true
    agenda.note(nextAt, () => {
      isNoted = false
      return deliver()
    })
  }
  return {
    agenda,
    whatsapp,
    positions: createQueuePositions(database, nowMs),
    acts,
    samples: scheduler.samples,
    deliver,
    hasMail: () => application?.hasMail() ?? false,
    async open() {
      application = openApplication(whatsapp)
      await staff.connectAgain(database)
      await scheduler.begin(application)
      whatsapp.setProductAway(false)
    },
    async close() {
      whatsapp.setProductAway(true)
      const ending = application
      application = undefined
      await ending?.close()
    },
  }
}
