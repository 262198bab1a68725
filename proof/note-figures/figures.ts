import { sql } from 'drizzle-orm'
import { listOrders, listTabs } from '#shared/conversations/list/list-view.ts'
import { figures, groupings } from '#shared/reports/figures.ts'
import { indexAll } from '#server/conversations/conversations.ts'
import { rows } from '#server/platform/database/db.ts'
import { beginsAtMs, type Twin } from './twins.ts'

/** Every figure that the product gives, by where it is given. */
export type Figures = Map<string, string>

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** What of an answer tells nothing that was counted: how often a row was changed. */
const withoutVersions = (text: string) => text.replaceAll(/"version":\d+/g, '"version":0')

const search = '/api/conversations/search'

/** Notes are searched, too, so what is found is in the order of all that was written. */
function inOrderOfIds(text: string): string {
  const page = JSON.parse(text) as { conversations: { id: number }[] }
  return JSON.stringify({ ...page, conversations: page.conversations.toSorted((a, b) => a.id - b.id) })
}

function pathsOf({ nowMs }: Twin, talks: readonly { id: number; isCompleted: boolean }[]): string[] {
  const days = `startDate=${dayOf(beginsAtMs - 86_400_000)}&endDate=${dayOf(nowMs)}`
  const reports = '/api/reports'
  return [
    '/api/conversations',
    ...listTabs.flatMap((tab) =>
      listOrders.map((order) => `/api/conversations?page=1&limit=100&tab=${tab}&order=${order}`),
    ),
    '/api/conversations/reads',
    '/api/stats',
    '/api/stats/team',
    '/api/sectors/queues',
    '/api/contacts?limit=100',
    '/api/contacts/export?format=csv',
    '/api/companies?limit=100',
    '/api/numbers',
    '/api/drafts',
    '/api/conversations/archived?limit=100',
    '/api/conversations/archived?limit=100&order=oldest&history=without',
    '/api/conversations/archived?limit=100&satisfaction=5',
    '/api/conversations/archived?limit=100&files=with',
    `${search}?search=resposta`,
    `${reports}/stats?${days}`,
    `${reports}/stats?${days}&until=now`,
    `${reports}/operator-performance?${days}`,
    ...groupings.map((by) => `${reports}/groups?${days}&by=${by}`),
    `${reports}/conversations?${days}&limit=100`,
    ...figures.map((figure) => `${reports}/conversations?${days}&limit=100&figure=${figure}`),
    ...['operators', 'rows', ...groupings.filter((by) => by !== 'operator')].map(
      (part) => `${reports}/export?${days}&part=${part}&format=csv`,
    ),
    ...talks.flatMap(({ id, isCompleted }) => [
      `/api/conversations/${id}`,
      ...(isCompleted
        ? [
            `/api/conversations/archived/${id}`,
            `/api/conversations/archived/${id}/export?format=text`,
            `/api/conversations/archived/${id}/export?format=html`,
          ]
        : []),
    ]),
  ]
}

/** The rows that figures are made of. */
async function rowsOf({ database }: Twin): Promise<Figures> {
  const statements = {
    conversations: sql`select to_jsonb(t) - 'version' - 'held_until' as row from conversations t order by id`,
    facts: sql`select to_jsonb(t) as row from conversation_facts t order by conversation_id`,
    ratings: sql`select to_jsonb(t) as row from conversation_ratings t order by conversation_id`,
    queue: sql`select to_jsonb(t) as row from queue_pending_conversations t order by conversation_id`,
    messages: sql`select to_jsonb(t) as row from messages t where message_type <> 'note' order by id`,
    reads: sql`select to_jsonb(t) as row from conversation_reads t order by conversation_id, user_id`,
    outbox: sql`select id, message_id, state from outbox order by id`,
  }
  const found: Figures = new Map()
  for (const [name, statement] of Object.entries(statements))
    for (const [n, row] of (await rows(database, statement)).entries())
      found.set(`${name} ${n}`, JSON.stringify(row))
  return found
}

/** Everything that is counted, ordered or shown as a figure, as everybody is given it. */
export async function readFigures(twin: Twin): Promise<{ figures: Figures; failed: string[] }> {
  await indexAll(twin.database)
  const talks = await rows<{ id: number; isCompleted: boolean }>(
    twin.database,
    sql`select id, status = 'completed' as "isCompleted" from conversations order by id`,
  )
  const found = await rowsOf(twin)
  const failed: string[] = []
  // Operators have the same rights, so one of them is asked, and whoever leads.
  for (const [n, who] of [twin.team[0], twin.team[2], twin.team[3]].entries())
    for (const path of pathsOf(twin, talks)) {
      // Reports are of those who lead.
      if (n === 0 && path.startsWith('/api/reports')) continue
      if (!who) continue
      const { status, text } = await twin.call(who, 'GET', path)
      if (status !== 200) failed.push(`${path}: ${status} ${text.slice(0, 120)}`)
      found.set(`${n} ${path}`, withoutVersions(path.startsWith(search) ? inOrderOfIds(text) : text))
    }
  return { figures: found, failed }
}

/** Where two differ, each with a part of both. */
export function differencesOf(plain: Figures, noted: Figures): string[] {
  return [...new Set([...plain.keys(), ...noted.keys()])].flatMap((name) => {
    const [a = '', b = ''] = [plain.get(name), noted.get(name)]
    if (a === b) return []
    let at = 0
    while (a[at] === b[at]) at++
    const part = (text: string) => text.slice(Math.max(0, at - 60), at + 60)
    return [`${name}: ${part(a)} with notes ${part(b)}`]
  })
}
