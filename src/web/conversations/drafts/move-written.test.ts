// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Draft } from '#shared/conversations/drafts.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { keepWritten, readWritten } from './local-drafts.ts'
import { moveWritten } from './move-written.ts'
import { saveNow } from './save-drafts.ts'

const [me, conversation, contact] = [7, 12, 'contact-5']
const atMs = Date.parse('2026-11-19T12:00:00.000Z')
const text = (content: string) => ({ content, quoted: null, atMs })

let saved: unknown[]
let client: QueryClient
beforeEach(() => {
  localStorage.clear()
  saved = []
  client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } })
  vi.stubGlobal('fetch', async (_path: string, { body }: RequestInit = {}) => {
    const { content } = JSON.parse(body as string) as { content: string }
    saved.push(content)
    return Response.json({
      draft: { ...text(content), conversationId: conversation, updatedAt: '2026-11-19' },
    })
  })
})

/** What the server has for the conversation once the text to its contact has been moved there. */
async function savedAfterMove(there: string | undefined) {
  const draft = {
    conversationId: conversation,
    content: there,
    updatedAt: '2026-11-19',
    quoted: null,
  } as Draft
  client.setQueryData(conversationQueries.drafts().queryKey, there === undefined ? [] : [draft])
  keepWritten(me, contact, text('Bom dia, tudo bem?'))
  moveWritten(me, contact, conversation)
  saveNow({ client, userId: me }, conversation)
  await vi.waitFor(() => expect(readWritten(me, conversation)).toBeUndefined())
  expect(readWritten(me, contact)).toBeUndefined()
  return saved.at(-1)
}

test('text to a contact becomes the draft of the conversation that has begun', async () => {
  expect(await savedAfterMove(undefined)).toBe('Bom dia, tudo bem?')
})

test('text to a contact takes no place of a draft that their conversation has already', async () => {
  expect(await savedAfterMove('Seu pedido sai amanhã')).toBe('Seu pedido sai amanhã\nBom dia, tudo bem?')
})

test('text to a contact is joined to text of the conversation that is not saved yet', async () => {
  keepWritten(me, conversation, text('Sobre a troca:'))
  expect(await savedAfterMove('Sobre')).toBe('Sobre a troca:\nBom dia, tudo bem?')
})
