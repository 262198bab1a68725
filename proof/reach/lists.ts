import { sql } from 'drizzle-orm'
import { eachOf } from '../support/two-instances.ts'
import { companyFigures, contactLists, counts, scopeFigures, starts } from './figures.ts'
import { isCompleted, isHeldBy, knows, reads } from './law.ts'
import { byPages, idsOf, Lists, type Row, tells } from './listing.ts'
import { type Reader, readers } from './people.ts'
import { type Talk, word } from './talks.ts'
import { type Found, grouped } from './grouped.ts'
import { tellEverybody, toldLists } from './told.ts'
import type { ReachWorld } from './world.ts'

// Lists and counts: exactly what the law says, and of cards nothing but who waits.

export interface Listed {
  checked: number
  faults: string[]
}

async function openLists(lists: Lists, at: ReachWorld, talks: readonly Talk[], n: number): Promise<void> {
  const reader = readers[n] as Reader
  if (!lists.has('canViewConversations')) return
  const open = talks.filter((talk) => !isCompleted(talk))
  const known = open.filter((talk) => knows(reader, n, talk) !== 'none')
  const cards = new Set(known.filter((talk) => knows(reader, n, talk) === 'card').map(({ id }) => id))
  const list = '/api/conversations'
  const whole = (await lists.get<Row[]>(list)) ?? []
  lists.ids(list, idsOf(whole), known)
  lists.ids(
    `${list}, its cards`,
    idsOf(whole.filter(({ isCard }) => isCard)),
    known.filter(({ id }) => cards.has(id)),
  )
  const telling = whole.filter((row) => cards.has(row.id) && tells(row))
  lists.same(`${list}: what cards tell`, telling.length, 0)
  const tabs = {
    all: known,
    mine: known.filter((talk) => isHeldBy(n, talk)),
    queue: known.filter(({ state }) => state === 'in the queue'),
    waiting: known.filter(({ state }) => state === 'in the queue'),
    going: known.filter(({ state }) => state !== 'in the queue'),
  }
  interface Page {
    conversations: Row[]
    pagination: { totalItems: number }
  }
  for (const [tab, wanted] of Object.entries(tabs)) {
    const address = `${list}?tab=${tab}&limit=100`
    let total = -1
    const rows = await byPages(
      (page) => lists.get<Page>(`${address}&page=${page}`),
      ({ conversations, pagination }) => {
        total = pagination.totalItems
        return conversations
      },
    )
    lists.ids(address, idsOf(rows), wanted)
    lists.same(`${address}: its count`, total, wanted.length)
    lists.same(`${address}: what cards tell`, rows.filter((row) => cards.has(row.id) && tells(row)).length, 0)
  }
  const ofNumber = `${list}?instanceId=${at.sites.numbers[1]}`
  lists.ids(
    `${list}?instanceId`,
    idsOf((await lists.get<Row[]>(ofNumber)) ?? []),
    known.filter(({ number }) => number === 2),
  )
  const readable = open.filter(
    (talk) => reads(reader, n, talk) && (talk.owner === undefined || talk.owner === n),
  )
  const drafted = (await lists.get<{ conversationId: number }[]>('/api/drafts')) ?? []
  lists.ids(
    '/api/drafts',
    drafted.map(({ conversationId }) => conversationId),
    readable,
  )
  const positions = (await lists.get<{ conversationId: number }[]>('/api/conversations/reads')) ?? []
  lists.ids(
    '/api/conversations/reads',
    positions.map(({ conversationId }) => conversationId),
    readable,
  )
}

async function archiveLists(lists: Lists, talks: readonly Talk[], n: number): Promise<void> {
  const reader = readers[n] as Reader
  if (!lists.has('canViewConversations')) return
  const readable = talks.filter((talk) => reads(reader, n, talk))
  const completed = readable.filter((talk) => isCompleted(talk))
  interface Page {
    conversations: Row[]
    pagination: { totalItems: number }
  }
  for (const search of ['', `&search=${word}`]) {
    const address = `/api/conversations/archived?limit=100${search}`
    let total = -1
    const rows = await byPages(
      (page) => lists.get<Page>(`${address}&page=${page}`),
      ({ conversations, pagination }) => {
        total = pagination.totalItems
        return conversations
      },
    )
    // Of a search that finds more, only so many are listed.
    const most = search ? 1000 : Infinity
    const isMore = completed.length > most
    const found = new Set(idsOf(rows))
    lists.ids(address, idsOf(rows), isMore ? completed.filter(({ id }) => found.has(id)) : completed)
    lists.same(`${address}: how many`, rows.length, Math.min(completed.length, most))
    lists.same(`${address}: its count`, total, Math.min(completed.length, most))
  }
  const asked = `/api/conversations/search?search=${word}&limit=20`
  const found = await lists.get<{ conversations: Row[]; completedCount: number }>(asked)
  const rows = found?.conversations ?? []
  const knownIds = new Set(readable.map(({ id }) => id))
  lists.same(`${asked}: others`, rows.filter(({ id }) => !knownIds.has(id)).length, 0)
  const open = readable.length - completed.length
  lists.same(`${asked}: how many`, rows.length, Math.min(20, open) + Math.min(20, completed.length))
  lists.same(`${asked}: its count`, found?.completedCount, Math.min(1000, completed.length))
}

/** Everybody has a draft and a read position everywhere, also of times in which they saw more. */
export async function leaveTraces(at: ReachWorld): Promise<void> {
  const { world, talks } = at
  const pairs = talks
    .filter((talk) => !isCompleted(talk))
    .flatMap(({ id, messageId, owner }) =>
      (owner === undefined ? readers.map((_, n) => n) : [owner]).map((n) => ({
        id,
        message_id: messageId,
        user_id: world.callers[n]?.userId,
      })),
    )
  const json = JSON.stringify(pairs)
  const wanted = sql`json_to_recordset(${json}::json) as w(id int, message_id int, user_id int)`
  await world.database.execute(
    sql`insert into conversation_drafts (user_id, conversation_id, content)
        select user_id, id, 'Rascunho' from ${wanted} on conflict do nothing`,
  )
  await world.database.execute(
    sql`insert into conversation_reads (user_id, conversation_id, last_message_id, contact_message_count)
        select user_id, id, message_id, 1 from ${wanted} on conflict do nothing`,
  )
  await tellEverybody(at)
}

/** Asks for all lists of a person. */
export async function tryPersonsLists(at: ReachWorld, n: number): Promise<Found[]> {
  return (await listsOf(at, n)).faults
}

async function listsOf(at: ReachWorld, n: number): Promise<Lists> {
  const lists = new Lists(at, n, readers[n] as Reader)
  await openLists(lists, at, at.all, n)
  await archiveLists(lists, at.all, n)
  await toldLists(lists, at, n)
  await contactLists(lists, at, n)
  await counts(lists, at, at.all, n)
  await starts(lists, at, n)
  await companyFigures(lists, at, n)
  await scopeFigures(lists, at, n)
  return lists
}

/** Asks for the lists of as many people as given. */
export async function tryLists(at: ReachWorld, people: readonly number[]): Promise<Listed> {
  await leaveTraces(at)
  let checked = 0
  const faults: Found[] = []
  await eachOf(people, 4, async (n) => {
    const lists = await listsOf(at, n)
    checked += lists.checked
    faults.push(...lists.faults)
  })
  return { checked, faults: grouped(faults) }
}
