import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { pathSign } from '#shared/reasons/reasons.ts'
import { phoneOfAddress } from '#shared/text/phones/read-phone.ts'
import { type SampleConversation, writeSamples } from '#server/conversations/conversations.ts'
import { dayMs, minuteMs } from './history/calendar.ts'
import { demoCompanies } from './companies.ts'
import { demoContacts } from './data.ts'
import { eventOf, noteOf } from './history/automatic.ts'
import { generateHistory } from './history/history.ts'
import { type DemoPerson, demoPeople, type DemoTalk } from './people.ts'
import { demoReasons } from './reasons.ts'
import { defaultSector, type DemoSectorName, demoSectors } from './sectors.ts'
import { demoUsers } from './users.ts'
import type { DemoTalkRecord } from './history/timeline.ts'
import type { Db } from '#server/platform/database/db.ts'
import { companies, contactIdentities, contacts } from '#server/schema/contacts/contacts.ts'
import { finishReasons } from '#server/schema/conversations/finish-reasons.ts'
import { evolutionApiConfig } from '#server/schema/gateway.ts'
import { sectorPeople, sectors } from '#server/schema/sectors/sectors.ts'
import { sessions, users } from '#server/schema/users.ts'
import { demoRows } from '#server/rooms/demo-rows.ts'
import { createUser } from '#server/users/users.ts'

/** All contacts of the demo; a phone's id is the index in this list. */
export const everybody: readonly DemoPerson[] = [...demoContacts, ...demoPeople]

const seed = 'emporio-aurora'

/** What the rooms add, which may refer to what is written before. */
const roomRows: readonly ((db: Db, now: Date) => Promise<unknown>)[] = demoRows

/** Writes users, sectors, contacts, open conversations, ninety days of completed ones, and the rest. */
export async function writeDemo(
  db: Db,
  instanceId: number,
  password: string,
  { now, print }: { now: Date; print: (line: string) => void },
): Promise<void> {
  print('  Pessoas, empresas e contatos…')
  const userIds = await writeUsers(db, password, now)
  const sectorIds = await writeSectors(db, userIds, instanceId, now)
  const companyIds = await writeCompanies(db, now)
  const contactIds = await writeContacts(db, { companyIds, sectorIds }, now)
  const reasonIds = await writeReasons(db, sectorIds)
  const ids = { users: userIds, sectors: sectorIds, reasons: reasonIds }
  const open = demoContacts.flatMap(({ talks }, contact) =>
    talks.map((talk, index) => openTalk(talk, contact, index, now)),
  )
  const history = demoHistory(now).map((talk) => withIds(talk, ids))
  print(`  ${history.length + open.length} conversas de noventa dias…`)
  await writeSamples(
    db,
    [...history, ...open.map((talk) => withIds(talk, ids))].map(({ contact, ...talk }) => ({
      ...talk,
      instanceId,
      contactId: contactIds[contact] ?? 0,
    })),
  )
  print('  Relatórios, avisos e o resto…')
  for (const write of roomRows) await write(db, now)
}

/** The completed conversations, except those that would overlap a hand-written one. */
export function demoHistory(now: Date): DemoTalkRecord[] {
  const fullNames = new Map(demoUsers.map(({ username, name }) => [username, name]))
  const taken = demoContacts.map(({ talks }) => talks.map((talk) => spanOf(talk, now)))
  return generateHistory(seed, now, { fullNames, people: everybody }).filter(
    ({ contact, messages, completedAt }) => {
      const start = messages[0]?.at.getTime() ?? 0
      return !(taken[contact] ?? []).some(([from, until]) => start <= until && completedAt.getTime() >= from)
    },
  )
}

/** With a margin, so that no operator completes one conversation and begins the next in the same minute. */
function spanOf(talk: DemoTalk, now: Date): [number, number] {
  const oldest = Math.max(...talk.lines.map(([, minutesAgo]) => minutesAgo))
  return [
    now.getTime() - (oldest + 20) * minuteMs,
    talk.completedAgo === undefined ? Infinity : now.getTime() - (talk.completedAgo - 20) * minuteMs,
  ]
}

type Unwritten<Operator> = Omit<SampleConversation<Operator>, 'instanceId' | 'contactId' | 'sectorId'> & {
  contact: number
}
type Named = Unwritten<string> & { sector: DemoSectorName | undefined; reason?: string }

function openTalk(talk: DemoTalk, contact: number, talkIndex: number, now: Date): Named {
  const ago = (minutes: number) => new Date(now.getTime() - minutes * minuteMs)
  const [by = '', movedAgo = 0, note = ''] = talk.moved ?? []
  const moved = talk.moved && [
    eventOf(by, { act: 'moved', to: talk.sector ?? '' }, ago(movedAgo)),
    noteOf(by, note, ago(movedAgo)),
  ]
  return {
    contact,
    sector: talk.sector ?? demoContacts[contact]?.sector,
    assignedUserId: talk.with ?? null,
    initiatedBy: 'contact',
    ...(talk.priority && { priority: talk.priority }),
    ...(talk.completedAgo !== undefined && { completedAt: ago(talk.completedAgo) }),
    messages: [
      ...talk.lines.map(([author, minutesAgo, text], line) => ({
        waId: `DEMO${contact}T${talkIndex}L${line}`,
        from: author === 'c' || talk.with === undefined ? ('contact' as const) : { operator: talk.with },
        text,
        at: ago(minutesAgo),
      })),
      ...(moved ?? []),
    ].toSorted((a, b) => a.at.getTime() - b.at.getTime()),
  }
}

interface Ids {
  users: ReadonlyMap<string, number>
  sectors: ReadonlyMap<string, number>
  /** By their paths. */
  reasons: ReadonlyMap<string, number>
}

function withIds(
  { sector, reason, ...talk }: Named,
  { users: userIds, sectors: sectorIds, reasons: reasonIds }: Ids,
) {
  const idOf = (username: string) => userIds.get(username) ?? null
  return {
    ...talk,
    sectorId: sectorIds.get(sector ?? '') ?? null,
    finishReasonId: reasonIds.get(reason ?? '') ?? null,
    assignedUserId: talk.assignedUserId === null ? null : idOf(talk.assignedUserId),
    messages: talk.messages.map(({ from, ...message }) => ({
      ...message,
      from: typeof from === 'object' ? { operator: idOf(from.operator) ?? 0 } : from,
    })),
  }
}

async function writeUsers(db: Db, password: string, now: Date): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  for (const user of demoUsers) {
    const email = `${user.username}@emporioaurora.example`
    ids.set(user.username, await createUser(db, { ...user, email, password }))
  }
  // They must exist before their conversations.
  await db.update(users).set({ createdAt: new Date(now.getTime() - 420 * dayMs) })
  await db.insert(sessions).values(
    [...ids.values()].map((userId, index) => {
      // When each of them was last there, from an hour ago to some days.
      const endedAt = new Date(now.getTime() - (60 + 120 * index ** 2) * minuteMs)
      const createdAt = new Date(endedAt.getTime() - 480 * minuteMs)
      return { userId, tokenHash: randomBytes(32).toString('hex'), createdAt, lastSeenAt: endedAt, endedAt }
    }),
  )
  return ids
}

/** The reasons with which conversations end. @returns their ids, by their paths */
async function writeReasons(
  db: Db,
  sectorIds: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, number>> {
  const ids = new Map<string, number>()
  const write = async (values: Omit<typeof finishReasons.$inferInsert, 'path'>, parent?: string) => {
    const path = parent === undefined ? values.name : parent + pathSign + values.name
    const [made] = await db
      .insert(finishReasons)
      .values({ ...values, path })
      .returning({ id: finishReasons.id })
    if (!made) throw new Error('reason not written')
    ids.set(path, made.id)
    return made.id
  }
  for (const [place, { name, sector, within, isActive = true }] of demoReasons.entries()) {
    const sectorId = sectorIds.get(sector ?? '') ?? null
    const parentId = await write({ name, sectorId, place: place + 1, isActive })
    for (const [at, second] of within.entries()) await write({ name: second, parentId, place: at + 1 }, name)
  }
  return ids
}

/** The sectors, with their people; the number's conversations come to one of them. */
async function writeSectors(
  db: Db,
  userIds: ReadonlyMap<string, number>,
  instanceId: number,
  now: Date,
): Promise<Map<string, number>> {
  const createdAt = new Date(now.getTime() - 400 * dayMs)
  const made = await db
    .insert(sectors)
    .values(
      demoSectors.map(({ name, color, description, ...more }, index) => ({
        name,
        color,
        description,
        ...('own' in more && { ownSettings: more.own }),
        place: index + 1,
        createdAt,
        updatedAt: createdAt,
      })),
    )
    .returning({ id: sectors.id, name: sectors.name })
  const ids = new Map(made.map(({ id, name }) => [name, id]))
  await db.insert(sectorPeople).values(
    demoSectors.flatMap(({ name, people }) =>
      people.map(({ username, isLead }) => ({
        sectorId: ids.get(name) ?? 0,
        userId: userIds.get(username) ?? 0,
        isLead,
        createdAt,
      })),
    ),
  )
  const defaultSectorId = ids.get(defaultSector) ?? null
  await db.update(evolutionApiConfig).set({ defaultSectorId }).where(eq(evolutionApiConfig.id, instanceId))
  return ids
}

async function writeCompanies(db: Db, now: Date): Promise<Map<string, number>> {
  const createdAt = new Date(now.getTime() - 390 * dayMs)
  const made = await db
    .insert(companies)
    .values(demoCompanies.map((company) => ({ ...company, createdAt, updatedAt: createdAt })))
    .returning({ id: companies.id, name: companies.name })
  return new Map(made.map(({ id, name }) => [name, id]))
}

/** Ids by name. */
interface Groups {
  companyIds: ReadonlyMap<string, number>
  sectorIds: ReadonlyMap<string, number>
}

/** As if each had written once: named by the gateway, and known under the address it wrote from. */
async function writeContacts(db: Db, groups: Groups, now: Date): Promise<number[]> {
  const made = await db
    .insert(contacts)
    .values(everybody.map((person) => contactRow(person, groups, now)))
    .returning({ id: contacts.id })
  const ids = made.map(({ id }) => id)
  await db.insert(contactIdentities).values(
    everybody.map(({ phone, lid }, index) => ({
      contactId: ids[index] ?? 0,
      kind: phone ? ('phone' as const) : ('lid' as const),
      value: (phone ? phoneOfAddress(phone) : lid) ?? '',
      jid: phone ? `${phone}@s.whatsapp.net` : `${lid ?? ''}@lid`,
    })),
  )
  return ids
}

function contactRow(
  person: DemoPerson,
  { companyIds, sectorIds }: Groups,
  now: Date,
): typeof contacts.$inferInsert {
  const { name, phone, category, email, tags, notes, isActive, isBlocked, sinceDays = 200 } = person
  const createdAt = new Date(now.getTime() - (sinceDays + 1) * dayMs)
  return {
    name,
    phone: (phone && phoneOfAddress(phone)) ?? null,
    hasGatewayName: true,
    category,
    companyId: companyIds.get(person.company ?? '') ?? null,
    sectorId: sectorIds.get(person.sector ?? '') ?? null,
    email: email ?? null,
    tags: [...(tags ?? [])],
    notes: notes ?? null,
    isActive: isActive ?? true,
    isBlocked: isBlocked ?? false,
    createdAt,
    updatedAt: createdAt,
  }
}
