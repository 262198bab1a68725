import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import { createRandom, type Random } from '#simulator/random.ts'
import { eachOf } from '../support/two-instances.ts'
import { editBooks } from './books.ts'
import { type Company, team, until, untilQuiet } from './company.ts'
import { arrive, type Colleague, type Day, picture } from './people.ts'
import { troubles } from './troubles.ts'

/** Who may write grows by some each day; most have written before. */
const known = (day: number, clients: number) => clients * 2 + Math.floor((day * clients) / 10)

/** A day of the team, from nine to six. */
export async function workDay(company: Company, plan: Day): Promise<void> {
  const { clock, simulator } = company
  const { day, clients, random } = plan
  await clock.goTo(day, 9)
  simulator.control.setFaults({ duplicateWebhook: { on: true, oneIn: 5, events: [] } })
  const colleagues = await Promise.all(team.map(({ username }) => arrive(company, username)))
  await attend(company, colleagues, plan, Math.floor(clients / 2))
  await untilQuiet(company)
  await clock.goTo(day, 14)
  await editBooks(company, colleagues[0] as Colleague, plan)
  await troubles(company, day)
  await attend(company, colleagues, plan, Math.ceil(clients / 2))
  await untilQuiet(company)
  await clock.goTo(day, 18)
  for (const [n, { socket, call }] of colleagues.entries()) {
    // Some close the browser, and their session ends by itself.
    if ((n + day) % 2 === 0) await call('POST', '/api/auth/logout')
    socket.close()
  }
  if (random() < 0.2) await strangersGuess(company, day)
}

/** Names that nobody has, and a wrong password. */
async function strangersGuess({ program: { url } }: Company, day: number): Promise<void> {
  for (const username of [`ninguem${day}`, 'sueli'])
    await fetch(`${url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password: 'palpite' }),
    })
}

interface Talk {
  id: number
  phoneId: string
  /** The one who answers, and somebody else who looks on. */
  who: Colleague
  other: Colleague
  /** Draws in an order of its own: calls of several talks are under way at once. */
  chance: Random
}

/** Clients write, and are answered; nearly all of their conversations are finalized. */
async function attend(
  company: Company,
  colleagues: readonly Colleague[],
  { day, clients, random }: Day,
  count: number,
): Promise<void> {
  const { control } = company.simulator
  const phones = new Map<string, string>()
  while (phones.size < count) {
    const n = Math.floor(random() * known(day, clients))
    const id = `p${n}`
    const { number } = control.createPhone({
      id,
      name: `Cliente ${n}`,
      number: `55119${String(10_000_000 + n)}`,
    })
    phones.set(number, id)
  }
  for (const id of phones.values()) {
    control.sendText(id, `bom dia, preciso de ajuda com o pedido ${Math.floor(random() * 1e9)}`)
    if (random() < 0.15)
      control.send(id, { kind: 'image', base64: picture(random).toString('base64'), caption: 'olha' })
  }
  const talks = await findTalks(company, { colleagues, phones, random })
  for (const { id, who } of talks.slice(0, 1)) {
    const content = `recusada pelo gateway (${id})`
    control.nextSendAnswers([{ status: 413, delivered: false, text: content }])
    await who.call('POST', `/api/conversations/${id}/messages`, { content })
  }
  await eachOf(talks, 8, answer)
  for (const { phoneId, chance } of talks) {
    const { id } = control.sendText(phoneId, 'obrigado!')
    if (chance() < 0.05) control.edit(phoneId, id, 'muito obrigado!')
    if (chance() < 0.03) control.remove(phoneId, id)
    if (chance() < 0.1) control.react(phoneId, { messageId: id, emoji: '👍' })
  }
  await untilQuiet(company)
  await eachOf(talks, 8, conclude)
}

async function findTalks(
  company: Company,
  {
    colleagues,
    phones,
    random,
  }: { colleagues: readonly Colleague[]; phones: Map<string, string>; random: Random },
): Promise<Talk[]> {
  await untilQuiet(company)
  const found = await until(
    'conversations are missing',
    () =>
      rows<{ id: number; phone: string; assigneeId: number | null }>(
        company.database,
        sql`select v.id, k.phone, v.assigned_user_id as "assigneeId"
              from conversations v join contacts k on k.id = v.contact_id
             where v.status <> 'completed' and k.deleted_at is null
               and k.phone = any(${sql.param([...phones.keys()])}::text[])`,
      ),
    ({ length }) => length === phones.size,
  )
  const byPhone = new Map(found.map((talk) => [talk.phone, talk]))
  return [...phones].map(([phone, phoneId], n) => {
    const { id = 0, assigneeId } = byPhone.get(phone) ?? {}
    // Some have been somebody's since the morning.
    const assignee = colleagues.findIndex(({ userId }) => userId === assigneeId)
    const first = assignee < 0 ? n % colleagues.length : assignee
    const [who, other] = [first, (first + 1) % colleagues.length].map((each) => colleagues[each] as Colleague)
    return {
      id,
      phoneId,
      who: who as Colleague,
      other: other as Colleague,
      chance: createRandom(Math.floor(random() * 1e9)),
    }
  })
}

async function answer({ id, phoneId, who, other, chance }: Talk): Promise<void> {
  const path = `/api/conversations/${id}`
  const page = await who.call<{ id: number }[]>('GET', `${path}/messages`)
  const last = page.at(-1)?.id ?? 0
  for (const one of [who, other]) await one.call('PUT', `${path}/read`, { lastMessageId: last })
  if (chance() < 0.3) await other.call('PUT', `${path}/draft`, { content: 'talvez', quotedMessageId: null })
  await who.call('POST', `${path}/messages`, { content: `bom dia, vou ver o pedido de ${phoneId}` })
  if (chance() < 0.06) await who.upload('POST', '/api/media/upload', { conversationId: String(id) })
}

/** Of ten conversations one ends by inactivity. */
async function conclude({ id, who, other, chance }: Talk): Promise<void> {
  const path = `/api/conversations/${id}`
  const isPassedOn = chance() < 0.15
  if (isPassedOn) await who.call('POST', `${path}/transfer`, { newOperatorId: other.userId })
  const last = isPassedOn ? other : who
  await last.call('POST', `${path}/messages`, { content: 'de nada, até logo' })
  if (chance() < 0.9) await last.call('POST', `${path}/finalize`, { notes: 'Resolvido' })
}
