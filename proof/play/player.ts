import { createAgenda } from './agenda.ts'
import { type Clients, startClients } from './clients.ts'
import { createCourier } from './courier.ts'
import { type Crew, startCrew } from './crew.ts'
import { dayLengthMs } from './day.ts'
import { type DayClock, startDayClock } from './day-clock.ts'
import { type Ground, startGround } from './ground.ts'
import type { House } from './house.ts'
import { type Observed, readConversations, readMessages } from './observed.ts'
import type { Act, AtWork } from './operators.ts'
import { createPlaces } from './places.ts'
import type { DayPlan } from './plan.ts'
import { createRounds } from './rounds.ts'
import { createWhatsApp } from './whatsapp.ts'

/** Plays a day from its plan, on a database of its own, and tells all that was seen of it. */
export async function playDay(plan: DayPlan): Promise<Observed> {
  const ground = await startGround(plan)
  try {
    return await play(ground, plan)
  } finally {
    await ground.close()
  }
}

async function play(ground: Ground, plan: DayPlan): Promise<Observed> {
  const { database } = ground
  const clock = await startDayClock(database)
  const stage = setStage(ground, plan, clock)
  const { agenda, whatsapp, places } = stage
  agenda.note(0, stage.open)
  agenda.note(plan.outage.fromMs, () => whatsapp.setGatewayAway(true))
  agenda.note(plan.outage.toMs, () => {
    whatsapp.setGatewayAway(false)
    return stage.deliver()
  })
  agenda.note(plan.restart.fromMs, stage.close)
  agenda.note(plan.restart.toMs, stage.open)

  for (let entry = agenda.next(); entry; entry = agenda.next()) {
    clock.goTo(entry.at)
    if (!entry.isOutside) await clock.show()
    await entry.work()
    if (!stage.hasMail()) continue
    await places.note()
    await stage.deliver()
  }
  await stage.close()
  const [conversations, messages] = [await readConversations(database), await readMessages(database)]
  const { written, got } = whatsapp
  const { acts, samples } = stage
  return {
    plan,
    endedAt: clock.nowMs(),
    written,
    got,
    told: places.told,
    acts,
    samples,
    conversations,
    messages,
  }
}

/** Everybody and everything that plays a part, before the day begins. */
function setStage({ database, people, openHouse }: Ground, plan: DayPlan, { nowMs }: DayClock) {
  const agenda = createAgenda()
  const acts: Act[] = []
  let house: House | undefined
  const whatsapp = createWhatsApp({
    agenda,
    nowMs,
    onGot: (got) => clients.onGot(got),
    receive: async (event) => house?.receive(event),
  })
  const clients: Clients = startClients(plan.clients, {
    agenda,
    nowMs,
    write: (phone, word) => void (nowMs() < dayLengthMs && whatsapp.write(phone, word)),
  })
  const { isDistributed } = plan
  const atWork = (): AtWork | undefined =>
    house && {
      database: house.database,
      clients,
      acts,
      nowMs,
      colleagues: crew.online(nowMs()),
      isDistributed,
    }
  const crew: Crew = startCrew({ people, plans: plan.operators, agenda, nowMs, atWork })
  const rounds = createRounds({
    database,
    agenda,
    nowMs,
    current: () => house,
    online: () => crew.online(nowMs()).length,
  })
  const courier = createCourier(whatsapp, nowMs)
  let isNoted = false
  /** Again and again, as long as something waits that may go later. */
  const deliver = async (): Promise<void> => {
    const nextAt = house && (await courier.deliver(house.database))
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
    places: createPlaces(database, nowMs),
    acts,
    samples: rounds.samples,
    deliver,
    hasMail: () => house?.hasMail() ?? false,
    async open() {
      house = openHouse(whatsapp)
      await crew.connectAgain(database)
      await rounds.begin(house)
      whatsapp.setHouseAway(false)
    },
    async close() {
      whatsapp.setHouseAway(true)
      const ending = house
      house = undefined
      await ending?.close()
    },
  }
}
