import { isDeepStrictEqual } from 'node:util'
import type { Conversation, ConversationPage } from '#shared/conversations/conversations.ts'
import type { Message } from '#shared/messages/messages.ts'
import type { ConversationRead } from '#shared/conversations/reads.ts'
import { readGatewayNews } from '#server/gateway/gateway.ts'
import { createRandom } from '#simulator/random.ts'
import { pick } from './writing.ts'
import type { Browser } from './browser.ts'
import type { World } from './world.ts'
import type { GatewayNews } from '#shared/gateway/events.ts'

interface Fetched {
  status: number
  body: unknown
}

/**
 * Samples the conversations that are not shown. Not drawn from the walk's seed, whose sequence must not
 * depend
 * on the number of comparisons.
 */
const unseenSample = 4
const dice = createRandom(1)

/**
 * Compares the cache of a browser with a fresh fetch.
 * @returns a line for each difference
 */
export async function differences(world: World, browser: Browser): Promise<string[]> {
  const fetched = new Map<string, Promise<Fetched>>()
  const get = (path: string) => {
    const known = fetched.get(path) ?? fresh(world, browser, path)
    fetched.set(path, known)
    return known
  }
  const isDue = browser.timers.length > 0
  const queries = browser.client.getQueryCache().getAll()
  const [seen, unseen] = [queries.filter(isShown), queries.filter((query) => !isShown(query))]
  const sample = Array.from({ length: unseenSample }, () => pick(dice, unseen)).filter(
    (each) => each !== undefined,
  )
  const found = await Promise.all(
    [...seen, ...new Set(sample)].map(async (query) => {
      const { queryKey, state } = query
      // Stale queries are refetched before they are shown, and pending ones are shown as loading.
      const isNotYet =
        state.data === undefined && (state.fetchStatus === 'fetching' || query.getObserversCount() === 0)
      if (state.isInvalidated || isNotYet) return []
      const expected = await expectation(world, get, queryKey, state.data, isDue)
      return expected ? difference(JSON.stringify(queryKey), expected.cached, expected.fetched) : []
    }),
  )
  return found.flat().map((line) => `${browser.who.role}${isDue ? ' (refetch due)' : ''}: ${line}`)
}

const isShown = (query: { getObserversCount(): number; queryKey: readonly unknown[] }) =>
  query.getObserversCount() > 0 || query.queryKey[1] === 'messages' || query.queryKey[1] === 'connected'

async function fresh(world: World, browser: Browser, path: string): Promise<Fetched> {
  const headers = { authorization: `Bearer ${browser.who.token}` }
  const answer = await fetch(`${world.url}${path}`, { headers })
  return { status: answer.status, body: await answer.json() }
}

interface Compared {
  cached: unknown
  fetched: unknown
}

async function expectation(
  world: World,
  get: (path: string) => Promise<Fetched>,
  [room, kind, which]: readonly unknown[],
  data: unknown,
  isDue: boolean,
): Promise<Compared | undefined> {
  if (room === 'me')
    return { cached: data, fetched: ((await get('/api/auth/me')).body as { user: unknown }).user }
  // The number of messages that wait is reported some seconds later.
  if (room === 'gateway') {
    const { gatewayConnected } = await readGatewayNews(world.database)
    return { cached: (data as GatewayNews | undefined)?.gatewayConnected ?? false, fetched: gatewayConnected }
  }
  switch (kind) {
    case 'open': {
      const { status, body } = await get('/api/conversations')
      return {
        cached: place(data as Conversation[] | undefined, isDue),
        fetched: status === 200 ? place(body as Conversation[], isDue) : undefined,
      }
    }
    case 'list':
      return isDue ? undefined : { cached: data, fetched: await page(get, which as Asked) }
    case 'one': {
      const { status, body } = await get(`/api/conversations/${which as number}`)
      const row = status === 200 ? (body as Conversation) : null
      return {
        cached: place(data ? [data as Conversation] : [], isDue),
        fetched: place(row ? [row] : [], isDue),
      }
    }
    case 'messages':
      return isDue ? undefined : timeline(get, which as number, data as { pages: Message[][] } | undefined)
    case 'reads':
      return reads(get, data as ConversationRead[] | undefined)
    case 'drafts': {
      const { status, body } = await get('/api/drafts')
      return { cached: data, fetched: status === 200 ? body : undefined }
    }
    case 'stats':
      // Numbers are not pushed.
      return undefined
    default:
      throw new Error(`nobody says how ${String(kind)} is compared`)
  }
}

/** Read positions of completed conversations are not compared. */
async function reads(
  get: (path: string) => Promise<Fetched>,
  data: ConversationRead[] | undefined,
): Promise<Compared> {
  const [open, fetched] = await Promise.all([get('/api/conversations'), get('/api/conversations/reads')])
  if (fetched.status !== 200 || open.status !== 200) return { cached: data, fetched: undefined }
  const ids = new Set((open.body as Conversation[]).map(({ id }) => id))
  const ofOpen = (rows: ConversationRead[] | undefined) =>
    rows?.filter(({ conversationId }) => ids.has(conversationId))
  return { cached: ofOpen(data), fetched: ofOpen(fetched.body as ConversationRead[]) }
}

/** Queue positions of other conversations are only updated by the next refetch. */
function place(rows: Conversation[] | undefined, isDue: boolean): unknown {
  return isDue ? rows?.map((row) => ({ ...row, queuePosition: row.queuePosition === 0 ? 0 : 1 })) : rows
}

interface Asked {
  page: number
  limit: number
  search: string
  tab?: string
  order?: string
}

async function page(
  get: (path: string) => Promise<Fetched>,
  asked: Asked,
): Promise<ConversationPage | undefined> {
  const { page: number, limit, search, tab = 'all', order = 'start' } = asked
  const query = new URLSearchParams({ page: `${number}`, limit: `${limit}`, search, tab, order })
  const { status, body } = await get(`/api/conversations?${query}`)
  return status === 200 ? (body as ConversationPage) : undefined
}

/** Compares as many of the newest messages as are loaded. */
async function timeline(
  get: (path: string) => Promise<Fetched>,
  id: number,
  data: { pages: Message[][] } | undefined,
): Promise<Compared> {
  const cached = data?.pages.toReversed().flat()
  const all: Message[] = []
  for (let path = ''; ;) {
    const { status, body } = await get(`/api/conversations/${id}/messages${path}`)
    if (status !== 200) return { cached, fetched: undefined }
    const messages = body as Message[]
    all.unshift(...messages)
    const [first] = messages
    if (!first || messages.length < 200 || all.length >= (cached?.length ?? 0)) break
    path = `?before=${first.id}`
  }
  return { cached, fetched: all.slice(Math.max(0, all.length - Math.max(200, cached?.length ?? 0))) }
}

/** The first difference, and both values. */
function difference(where: string, cached: unknown, fetched: unknown): string[] {
  if (isDeepStrictEqual(cached, fetched)) return []
  if (Array.isArray(cached) && Array.isArray(fetched)) {
    const ids = (rows: unknown[]) => rows.map((row) => (row as { id?: unknown }).id ?? row)
    if (!isDeepStrictEqual(ids(cached), ids(fetched)))
      return [`${where}: ${parting(ids(cached), ids(fetched))}`]
    return cached.flatMap((row, at) =>
      difference(`${where} row ${String(ids(cached)[at])}`, row, fetched[at]),
    )
  }
  if (isObject(cached) && isObject(fetched))
    return [...new Set([...Object.keys(cached), ...Object.keys(fetched)])].flatMap((key) =>
      difference(`${where}.${key}`, cached[key], fetched[key]),
    )
  return [`${where}: ${JSON.stringify(cached)} instead of ${JSON.stringify(fetched)}`]
}

function parting(cached: unknown[], fetched: unknown[]): string {
  const more = cached.filter((id) => !fetched.includes(id))
  const less = fetched.filter((id) => !cached.includes(id))
  if (more.length + less.length === 0)
    return `order ${JSON.stringify(cached)} instead of ${JSON.stringify(fetched)}`
  return `of ${fetched.length} rows ${JSON.stringify(more)} too many and ${JSON.stringify(less)} missing`
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
