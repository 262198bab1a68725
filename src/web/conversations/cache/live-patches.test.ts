// @vitest-environment happy-dom
import { InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/react-query'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Message } from '#shared/messages/messages.ts'
import type { LiveEvent } from '#shared/live-events.ts'
import type { Stats } from '#shared/conversations/stats.ts'
import { applyLiveEvent } from '#web/room-events.ts'
import { messageOrder } from './merge-fetched.ts'
import { isQueued } from '#shared/conversations/list/list-view.ts'
import { listOrder } from './list-order.ts'
import { keepShown } from './kept-shown.ts'
import { patchConversation } from './live-patches.ts'
import { conversationQueries } from './queries.ts'
import { conversationPage, conversationRow, messageRow, quotedRow } from './test-rows.ts'

/** A small server: its answers are current, and its pushes arrive when the test delivers them. */
function modelServer() {
  const rows = new Map<number, Conversation>()
  const messages = new Map<number, Message>()
  const pushed: LiveEvent[] = []
  const waiting: (() => void)[] = []
  let lastId = 0
  const at = () => new Date(Date.now()).toISOString()
  const change = (id: number, given: Partial<Conversation>) => {
    const old = rows.get(id)
    const next = conversationRow({ ...old, id, ...given, version: (old?.version ?? 0) + 1 })
    rows.set(id, next)
    return next
  }
  const pick = (seed: number) => [...rows.keys()][seed % Math.max(1, rows.size)]
  const open = () => [...rows.values()].filter((row) => row.status !== 'completed').sort(listOrder)
  const write = (id: number, given: Partial<Message>, conversation: Conversation) => {
    const old = messages.get(id)
    const next = messageRow({ sortAt: at(), ...old, ...given, id, version: (old?.version ?? 0) + 1 })
    messages.set(id, next)
    pushed.push({
      type: 'new_message',
      data: { conversationId: conversation.id, conversation, message: next },
    })
  }
  const acts = [
    () => {
      const conversation = change((lastId += 1), { startedAt: at() })
      pushed.push({
        type: 'new_conversation_with_sound',
        data: { conversationId: conversation.id, conversation, playSound: true },
      })
    },
    (id: number) => {
      const taken = { status: 'active', subStatus: 'OPERADOR', assignedUserId: 2 } as const
      pushed.push({
        type: 'conversation_updated',
        data: { conversationId: id, conversation: change(id, taken) },
      })
    },
    (id: number) => {
      const conversation = change(id, { waitingFor: 'client' })
      pushed.push({ type: 'conversation_updated', data: { conversationId: id, conversation } })
    },
    (id: number) => {
      const conversation = change(id, { status: 'completed' })
      pushed.push({ type: 'conversation_updated', data: { conversationId: id, conversation } })
    },
    (id: number) => {
      rows.delete(id)
      pushed.push({ type: 'conversation_removed', data: { conversationId: id } })
    },
    (id: number) => write(100 + messages.size, {}, change(id, {})),
    (id: number, seed: number) => {
      if (messages.size > 0) write(100 + (seed % messages.size), { deliveryStatus: 'read' }, change(id, {}))
    },
  ]
  return {
    rows,
    open,
    messages: () => [...messages.values()].sort(messageOrder),
    pushed,
    act(which: number, seed: number) {
      const id = pick(seed)
      const act = acts[which % acts.length]
      if (act === acts[0] || id === undefined) acts[0]?.(0, 0)
      else act?.(id, seed)
    },
    /** The answer has the state at the time of the call, and arrives later. */
    fetch: vi.fn(async (url: string) => {
      const body = JSON.stringify(
        url.includes('/messages') ? [...messages.values()].sort(messageOrder) : open(),
      )
      await new Promise<void>((resolve) => waiting.push(resolve))
      return new Response(body, { headers: { 'content-type': 'application/json' } })
    }),
    async land() {
      waiting.shift()?.()
      await vi.advanceTimersByTimeAsync(1)
    },
    get isBusy() {
      return waiting.length > 0
    },
  }
}

let client: QueryClient
beforeEach(() => {
  vi.useFakeTimers()
  client = new QueryClient()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const push = (conversation: Conversation) =>
  applyLiveEvent(client, {
    type: 'conversation_updated',
    data: { conversationId: conversation.id, conversation },
  })
/** Pushes a message with its conversation. */
const pushMessage = (message: Message, conversation = conversationRow({ id: message.conversationId })) =>
  applyLiveEvent(client, {
    type: 'new_message',
    data: { conversationId: conversation.id, conversation, message },
  })
/** Holds fetches back. @returns what answers the next one */
function holdFetches() {
  const waiting: ((response: Response) => void)[] = []
  vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => waiting.push(resolve)))
  return async (body: unknown) => {
    await vi.waitFor(() => expect(waiting).not.toHaveLength(0), 15_000)
    waiting.shift()?.(Response.json(body))
    await vi.advanceTimersByTimeAsync(10)
  }
}

const brief = (rows: readonly { id: number; version: number }[]) => rows.map((row) => [row.id, row.version])

test('old cache + events, in any interleaving with fetches = fresh fetch', async () => {
  const step = fc.record({ kind: fc.nat(5), which: fc.nat(20), seed: fc.nat(20) })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const server = modelServer()
      vi.stubGlobal('fetch', server.fetch)
      const client = new QueryClient()
      const quiet = () => undefined
      const fetchAll = () => {
        client.fetchQuery(conversationQueries.open()).catch(quiet)
        client.fetchInfiniteQuery(conversationQueries.messages(1)).catch(quiet)
      }
      const deliver = () => {
        const event = server.pushed.shift()
        if (event) applyLiveEvent(client, event)
      }
      fetchAll()
      for (const { kind, which, seed } of steps) {
        await vi.advanceTimersByTimeAsync(1)
        if (kind < 2) server.act(which, seed)
        else if (kind === 2) deliver()
        else if (kind === 3) fetchAll()
        else await server.land()
      }
      while (server.pushed.length > 0) deliver()
      while (server.isBusy) await server.land()
      await vi.advanceTimersByTimeAsync(1)
      expect(brief(client.getQueryData(conversationQueries.open().queryKey) ?? [])).toEqual(
        brief(server.open()),
      )
      const pages = client.getQueryData(conversationQueries.messages(1).queryKey)?.pages ?? []
      // Nothing of a removed conversation is kept.
      if (server.rows.has(1)) expect(brief(pages.flat())).toEqual(brief(server.messages()))
      client.clear()
    }),
    { numRuns: 300 },
  )
})

test('a completed conversation leaves the open lists and stays readable on its own', () => {
  client.setQueryData(conversationQueries.open().queryKey, [conversationRow({ id: 1 })])
  client.setQueryData(conversationQueries.one(1).queryKey, conversationRow({ id: 1 }))
  push(conversationRow({ id: 1, version: 2, status: 'completed' }))
  expect(client.getQueryData(conversationQueries.open().queryKey)).toEqual([])
  expect(client.getQueryData(conversationQueries.one(1).queryKey)?.status).toBe('completed')
})

test('changes of thousands of conversations are kept in their list alone, and older ones do nothing', () => {
  const { queryKey } = conversationQueries.open()
  client.setQueryData(queryKey, [conversationRow({ id: 1 }), conversationRow({ id: 2 })])
  push(conversationRow({ id: 1, version: 3, status: 'completed' }))
  push(conversationRow({ id: 1, version: 2 }))
  push(conversationRow({ id: 2, version: 2 }))
  expect(client.getQueryData(queryKey)?.map(({ id, version }) => [id, version])).toEqual([[2, 2]])
  expect(client.getQueryCache().getAll()).toHaveLength(1)
})

test('changes within a second cost one refetch of the pages, and the whole list needs none', async () => {
  const { queryKey } = conversationQueries.open()
  client.setQueryData(queryKey, [])
  const invalidate = vi.spyOn(client, 'invalidateQueries')
  for (let id = 1; id <= 20; id += 1) {
    const conversation = conversationRow({ id })
    applyLiveEvent(client, { type: 'new_conversation', data: { conversationId: id, conversation } })
    applyLiveEvent(client, { type: 'queue_changed', data: {} })
    await vi.advanceTimersByTimeAsync(40)
  }
  expect(invalidate).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1000)
  expect(
    invalidate.mock.calls.filter(([filters]) => filters?.queryKey === conversationQueries.lists),
  ).toHaveLength(1)
  expect(client.getQueryData(queryKey)?.map((row) => [isQueued(row), row.queuePosition])).toEqual(
    Array.from({ length: 20 }, (_, n) => [true, n + 1]),
  )
  push(conversationRow({ id: 3, version: 2, status: 'active', subStatus: 'OPERADOR' }))
  const places = client.getQueryData(queryKey)?.map((row) => [row.id, row.queuePosition])
  expect(places).toHaveLength(20)
  expect(places?.slice(0, 4)).toEqual([
    [1, 1],
    [2, 2],
    [4, 3],
    [5, 4],
  ])
  expect(places?.at(-1)).toEqual([3, 0])
})

test('a row that only changes its text costs no refetch', async () => {
  const conversation = conversationRow({ id: 1 })
  client.setQueryData(conversationQueries.open().queryKey, [conversation])
  const invalidate = vi.spyOn(client, 'invalidateQueries')
  push({ ...conversation, version: 2, messageCount: 3 })
  await vi.advanceTimersByTimeAsync(2000)
  expect(invalidate).not.toHaveBeenCalled()
})

test('a start that changes its place in the list, but not in the queue, refetches the pages', async () => {
  const assigned = { status: 'active', subStatus: 'OPERADOR', assignedUserId: 2 } as const
  const conversation = conversationRow({ id: 1, ...assigned, startedAt: '2026-11-01T12:00:00.000Z' })
  client.setQueryData(conversationQueries.open().queryKey, [conversation])
  const invalidate = vi.spyOn(client, 'invalidateQueries')
  push({ ...conversation, version: 2, startedAt: '2026-11-01T11:00:00.000Z' })
  await vi.advanceTimersByTimeAsync(2000)
  expect(invalidate).toHaveBeenCalledWith({ queryKey: conversationQueries.lists })
})

test('a page in another order, or of a tab, is refetched when a row moves in it or leaves', async () => {
  const conversation = conversationRow({ id: 1, assignedUserId: 7, subStatus: 'OPERADOR' })
  client.setQueryData(conversationQueries.open().queryKey, [conversation])
  const invalidate = vi.spyOn(client, 'invalidateQueries')
  const refetches = () =>
    invalidate.mock.calls.filter(([filters]) => filters?.queryKey === conversationQueries.lists)
  let version = 1
  const changes = async (given: Partial<Conversation>) => {
    push({ ...conversation, ...given, version: ++version })
    await vi.advanceTimersByTimeAsync(2000)
  }
  const filter = { page: 1, limit: 5, search: '', tab: 'mine', order: 'activity', userId: 7 } as const
  const options = conversationQueries.list(filter)
  vi.stubGlobal('fetch', () => new Promise(() => undefined))
  await changes({ lastActivityAt: '2026-11-19T12:01:00.000Z' })
  expect(refetches()).toHaveLength(0)
  const leave = new QueryObserver(client, options).subscribe(() => undefined)
  await changes({ lastActivityAt: '2026-11-19T12:02:00.000Z' })
  expect(refetches()).toHaveLength(1)
  client.setQueryData(options.queryKey, conversationPage([conversation], 5))
  await changes({ assignedUserId: 8 })
  expect(client.getQueryData(options.queryKey)).toMatchObject({
    conversations: [],
    pagination: { totalItems: 0 },
  })
  expect(refetches()).toHaveLength(2)
  leave()
})

test('a page of all loses what is put on hold, and one of a search keeps it', () => {
  const conversation = conversationRow({ id: 1, assignedUserId: 7, subStatus: 'OPERADOR' })
  const keys = ['', 'Maria'].map(
    (search) => conversationQueries.list({ page: 1, limit: 5, search, userId: 7 }).queryKey,
  )
  for (const key of keys) client.setQueryData(key, conversationPage([conversation], 1))
  push({ ...conversation, snoozedUntil: '2026-11-19T13:00:00.000Z', version: 2 })
  expect(keys.map((key) => client.getQueryData(key)?.conversations.length)).toEqual([0, 1])
})

describe('a row that was fetched ahead of its push moves in the pages all the same', () => {
  const filter = { page: 1, limit: 5, search: '', tab: 'mine', order: 'activity', userId: 7 } as const
  const { list, one, open } = conversationQueries
  const old = conversationRow({ id: 1, version: 1 })
  const mine = { ...old, version: 2, assignedUserId: 7, subStatus: 'OPERADOR' } as const
  test.each<[string, () => void]>([
    [
      'by the chat, beside the list of all',
      () => {
        client.setQueryData(open().queryKey, [old])
        client.setQueryData(one(1).queryKey, mine)
      },
    ],
    ['by the list of all', () => client.setQueryData(open().queryKey, [mine])],
    [
      'by both, after an earlier push',
      () => {
        push(old)
        client.setQueryData(open().queryKey, [mine])
        client.setQueryData(one(1).queryKey, mine)
      },
    ],
  ])('a row fetched before its push is moved in the pages: %s', async (_how, fetched) => {
    vi.stubGlobal('fetch', () => new Promise(() => undefined))
    const options = list(filter)
    onTestFinished(new QueryObserver(client, options).subscribe(() => undefined))
    fetched()
    await vi.advanceTimersByTimeAsync(2000)
    client.setQueryData(options.queryKey, conversationPage([], 5))
    const invalidate = vi.spyOn(client, 'invalidateQueries')
    push(mine)
    await vi.advanceTimersByTimeAsync(2000)
    expect(invalidate).toHaveBeenCalledWith({ queryKey: conversationQueries.lists })
    invalidate.mockClear()
    push(mine)
    await vi.advanceTimersByTimeAsync(2000)
    expect(invalidate).not.toHaveBeenCalled()
  })
})

test('pushed numbers are shown at once', () => {
  applyLiveEvent(client, { type: 'stats_update', data: { stats: { waiting: 4 } } })
  expect(client.getQueryData(conversationQueries.stats().queryKey)).toEqual({ waiting: 4 })
})

test('the numbers are fetched once more when somebody comes online, under way or at rest', async () => {
  const { queryKey } = conversationQueries.stats()
  const answers: ((stats: Stats) => void)[] = []
  const queryFn = () => new Promise<Stats>((resolve) => answers.push(resolve))
  onTestFinished(new QueryObserver(client, { queryKey, queryFn }).subscribe(() => undefined))
  const comesOnline = () => applyLiveEvent(client, { type: 'presence', data: { isWhole: false, people: [] } })
  for (let n = 0; n < 3; n++) comesOnline()
  answers[0]?.({ operatorsOnline: 0 })
  await vi.waitFor(() => expect(answers).toHaveLength(2), 15_000)
  answers[1]?.({ operatorsOnline: 1 })
  await vi.waitFor(() => expect(client.getQueryData(queryKey)).toEqual({ operatorsOnline: 1 }), 15_000)
  expect(answers).toHaveLength(2)
  comesOnline()
  expect(answers).toHaveLength(3)
})

test('a contact who changes the name changes it in all conversations that show it', () => {
  const one = (id: number) => conversationQueries.one(id).queryKey
  const contact = conversationRow({ id: 7 }).contact
  client.setQueryData(one(1), conversationRow({ id: 1, contactId: 7, contact, status: 'completed' }))
  client.setQueryData(one(2), conversationRow({ id: 2 }))
  const renamed = { ...contact, name: 'Maria de Souza' }
  push(conversationRow({ id: 7, contactId: 7, contact: renamed, version: 2 }))
  expect(client.getQueryData(one(1))?.contact.name).toBe('Maria de Souza')
  expect(client.getQueryData(one(2))?.contact.name).toBe('Contato 2')
})

test('a new name of its contact makes no missed ending unmissed', async () => {
  const { open, one } = conversationQueries
  const over = conversationRow({ id: 1, contactId: 7, contact: conversationRow({ id: 7 }).contact })
  client.setQueryData(one(1).queryKey, over)
  client.setQueryData(open().queryKey, [over])
  const answer = holdFetches()
  const fetched = client.fetchQuery(open())
  await vi.advanceTimersByTimeAsync(1)
  const conversation = conversationRow({
    id: 7,
    contactId: 7,
    contact: { ...over.contact, name: 'Nome novo' },
  })
  applyLiveEvent(client, { type: 'new_conversation', data: { conversationId: 7, conversation } })
  expect(client.getQueryData(one(1).queryKey)?.contact.name).toBe('Nome novo')
  await answer([])
  expect((await fetched).map(({ id }) => id)).toEqual([7])
})

test('a stale conversation stays stale when a part of it is pushed', async () => {
  const { open, one, list, messages } = conversationQueries
  const page = list({ page: 1, limit: 10, search: 'Maria' }).queryKey
  const old = conversationRow({ id: 1, contactId: 7, contact: conversationRow({ id: 7 }).contact })
  client.setQueryData(one(1).queryKey, old)
  client.setQueryData(open().queryKey, [old])
  client.setQueryData(page, conversationPage([old]))
  client.setQueryData(messages(7).queryKey, { pages: [[messageRow({ id: 1 })]], pageParams: [null] })
  await client.invalidateQueries()
  const contact = { ...old.contact, name: 'Nome novo' }
  const conversation = conversationRow({ id: 7, contactId: 7, contact, messageCount: 2 })
  pushMessage(messageRow({ id: 2, conversationId: 7 }), conversation)
  expect(client.getQueryData(one(1).queryKey)?.contact.name).toBe('Nome novo')
  expect(client.getQueryData(messages(7).queryKey)?.pages.flat()).toHaveLength(2)
  const keys = [one(1).queryKey, open().queryKey, page, messages(7).queryKey]
  expect(keys.map((key) => client.getQueryState(key)?.isInvalidated)).toEqual(keys.map(() => true))
})

test('a new name pushed with another conversation may change what a search finds', async () => {
  const page = conversationQueries.list({ page: 1, limit: 10, search: 'Contato 7' }).queryKey
  const { contact } = conversationRow({ id: 7 })
  client.setQueryData(page, conversationPage([conversationRow({ id: 1, contactId: 7, contact })]))
  push(conversationRow({ id: 7, contact: { ...contact, name: 'Nome novo' }, status: 'completed' }))
  await vi.advanceTimersByTimeAsync(1100)
  expect(client.getQueryState(page)?.isInvalidated).toBe(true)
})

test('what was never seen may be counted by a list that is on its way', async () => {
  const options = conversationQueries.list({ page: 2, limit: 5, search: '' })
  const answer = holdFetches()
  const fetched = client.fetchQuery(options)
  await vi.advanceTimersByTimeAsync(1)
  applyLiveEvent(client, { type: 'conversation_removed', data: { conversationId: 1 } })
  const pagination = { currentPage: 2, itemsPerPage: 5, totalItems: 1, totalPages: 1, hasNextPage: false }
  await answer({ conversations: [], pagination: { ...pagination, hasPreviousPage: true } })
  await fetched
  await vi.advanceTimersByTimeAsync(1100)
  expect(client.getQueryState(options.queryKey)?.isInvalidated).toBe(true)
})

test('a new name that one answer brought already may still change what a search finds', async () => {
  const { open, one, list } = conversationQueries
  const page = list({ page: 1, limit: 10, search: 'Novo' }).queryKey
  const old = conversationRow({ id: 7 })
  const renamed = conversationRow({ id: 7, contact: { ...old.contact, name: 'Novo' }, version: 2 })
  client.setQueryData(open().queryKey, [old])
  client.setQueryData(one(7).queryKey, renamed)
  client.setQueryData(page, conversationPage([]))
  push(renamed)
  await vi.advanceTimersByTimeAsync(1100)
  expect(client.getQueryState(page)?.isInvalidated).toBe(true)
})

test('an edit shows in a quote that lands after it, in another conversation too', async () => {
  const answer = holdFetches()
  const fetched = client.fetchInfiniteQuery(conversationQueries.messages(1))
  await vi.advanceTimersByTimeAsync(1)
  pushMessage(messageRow({ id: 7, conversationId: 9, content: 'depois', version: 2 }))
  await answer([messageRow({ id: 8, quoted: { ...quotedRow, messageId: 7 } })])
  await fetched
  const shown = client.getQueryData(conversationQueries.messages(1).queryKey)?.pages[0]?.[0]
  expect(shown?.quoted?.content).toBe('depois')
})

test('an edit or a deletion searches the conversation again, another message does not', () => {
  for (const [change, isSearched] of [
    [{ editedAt: '2026-11-19T12:01:00.000Z' }, true],
    [{ deletedAt: '2026-11-19T12:01:00.000Z' }, true],
    [{ deliveryStatus: 'read' }, false],
  ] as const) {
    const search = (id: number) => [...conversationQueries.searches(id), 'boleto', 3]
    for (const id of [1, 2]) client.setQueryData(search(id), { words: 'boleto', ids: [7], isCut: false })
    pushMessage(messageRow({ id: 7, ...change }))
    expect([1, 2].map((id) => client.getQueryState(search(id))?.isInvalidated)).toEqual([isSearched, false])
  }
})

test('a conversation that may not be seen any more leaves no message', () => {
  const { queryKey } = conversationQueries.messages(1)
  client.setQueryData(queryKey, { pages: [[messageRow({ id: 1 })]], pageParams: [null] })
  applyLiveEvent(client, { type: 'conversation_removed', data: { conversationId: 1 } })
  expect(client.getQueryData(queryKey)).toBeUndefined()
})

test('a conversation that is finalized here leaves the lists at once, its chat a moment later', async () => {
  const { messages, one, open } = conversationQueries
  const row = conversationRow({ id: 1 })
  client.setQueryData(open().queryKey, [row])
  client.setQueryData(one(1).queryKey, row)
  client.setQueryData(messages(1).queryKey, { pages: [[messageRow({ id: 1 })]], pageParams: [null] })
  const remove = () => patchConversation(client, 1, null)
  const finalize = (act: () => Promise<void>) => keepShown(1, act, remove).catch(() => undefined)
  const shown = () => [one(1), messages(1)].map(({ queryKey }) => Boolean(client.getQueryData(queryKey)))
  await finalize(async () => remove())
  expect(client.getQueryData(open().queryKey)).toEqual([])
  expect(shown()).toEqual([true, true])
  await vi.advanceTimersByTimeAsync(1600)
  expect(shown()).toEqual([false, false])
})

test('a finalization that is undone at once keeps the chat, and is in the lists again', async () => {
  const { one, open } = conversationQueries
  const row = conversationRow({ id: 1 })
  client.setQueryData(open().queryKey, [row])
  client.setQueryData(one(1).queryKey, row)
  await keepShown(
    1,
    async () => patchConversation(client, 1, null),
    () => patchConversation(client, 1, null),
  )
  push({ ...row, version: row.version + 1 })
  await vi.advanceTimersByTimeAsync(1600)
  expect(client.getQueryData(open().queryKey)).toHaveLength(1)
  expect(client.getQueryData(one(1).queryKey)).toMatchObject({ id: 1 })
})

test('a quote in another conversation follows its original: its edit, and where it has moved', () => {
  const { queryKey } = conversationQueries.messages(2)
  const quoting = messageRow({ id: 9, conversationId: 2, quoted: quotedRow })
  client.setQueryData(queryKey, { pages: [[quoting]], pageParams: [null] })
  const quoted = () => client.getQueryData(queryKey)?.pages[0]?.[0]?.quoted
  pushMessage(messageRow({ id: 1, version: 2, content: 'depois' }))
  expect(quoted()).toEqual({ ...quotedRow, content: 'depois' })
  pushMessage(messageRow({ id: 1, version: 2, content: 'depois', conversationId: 3 }))
  expect(quoted()?.conversationId).toBe(3)
})

describe('messages that were removed or moved', () => {
  const { queryKey } = conversationQueries.messages(1)
  const rows = (...ids: number[]) => ids.map((id) => messageRow({ id, sortAt: sortAtOf(id) }))
  const sortAtOf = (id: number) => new Date(Date.parse('2026-11-01T12:00:00.000Z') + id * 1000).toISOString()
  const ids = () =>
    client
      .getQueryData(queryKey)
      ?.pages.toReversed()
      .flat()
      .map(({ id }) => id)
  const tell = () => applyLiveEvent(client, { type: 'timeline_changed', data: { conversationId: 1 } })
  /** Shows the messages. @returns what answers each fetch of them */
  function watch() {
    const answer = holdFetches()
    const observer = new InfiniteQueryObserver(client, conversationQueries.messages(1))
    onTestFinished(observer.subscribe(() => undefined))
    return (...messageIds: number[]) => answer(rows(...messageIds))
  }

  test('removed or moved messages are gone, though as many came as went', async () => {
    const answer = watch()
    const page = Array.from({ length: 200 }, (_, at) => 11 + at)
    await answer(...page)
    for (const message of rows(211, 212)) pushMessage(message)
    expect(ids()).toEqual([...page, 211, 212])
    tell()
    // 212 is gone, 213 has come; the page begins at 13 now, and nobody knows whether 11 and 12 are there.
    const now = [...page.slice(2), 211, 213]
    await answer(...now)
    expect(ids()).toEqual(now)
  })

  test('removed or moved messages are gone also from the first fetch, which may have read them', async () => {
    const answer = watch()
    for (const message of rows(4)) pushMessage(message)
    tell()
    await answer(1, 2, 3)
    await answer(1, 3)
    expect(ids()).toEqual([1, 3])
  })

  test('what had been pushed of them is not added to the next fetch', async () => {
    const answer = watch()
    await answer(1)
    // All within one millisecond.
    for (const message of rows(2)) pushMessage(message)
    tell()
    await answer(1)
    expect(ids()).toEqual([1])
  })

  test('removed or moved messages are no longer found by a search', async () => {
    const found = [...conversationQueries.searches(1), 'bom dia', 2]
    client.setQueryData(found, { words: 'bom dia', messageIds: [1], total: 1 } as never)
    tell()
    await vi.advanceTimersByTimeAsync(1)
    expect(client.getQueryState(found)?.isInvalidated).toBe(true)
  })
})

test('a draft stays while its conversation is open, and goes when that is completed', () => {
  const { queryKey } = conversationQueries.drafts()
  const draft = { conversationId: 1, content: 'já vejo', updatedAt: '2026-03-02T12:00:00.000Z', quoted: null }
  client.setQueryData(queryKey, [draft])
  patchConversation(client, 1, conversationRow({ id: 1, version: 2 }))
  expect(client.getQueryData(queryKey)).toEqual([draft])
  patchConversation(client, 1, conversationRow({ id: 1, version: 3, status: 'completed' }))
  expect(client.getQueryData(queryKey)).toEqual([])
})

test('the drafts are fetched again when a conversation is open again, and by no other change of it', () => {
  const { queryKey } = conversationQueries.drafts()
  client.setQueryData(queryKey, [])
  client.setQueryData(conversationQueries.open().queryKey, [conversationRow({ id: 1 })])
  const isStaleAfter = (given: Partial<Conversation>) => {
    patchConversation(client, 1, conversationRow({ id: 1, ...given }))
    return client.getQueryState(queryKey)?.isInvalidated
  }
  expect(isStaleAfter({ version: 2, assignedUserId: 7 })).toBe(false)
  expect(isStaleAfter({ version: 3, status: 'completed' })).toBe(false)
  expect(isStaleAfter({ version: 4, status: 'active' })).toBe(true)
  client.setQueryData(queryKey, [])
  expect(isStaleAfter({ version: 5, status: 'active' })).toBe(false)
})
