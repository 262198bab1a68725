// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dropMessage } from '#web/conversations/cache/live-patches.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { messageRow, quotedRow } from '#web/conversations/cache/test-rows.ts'
import { keepSentFile } from '#web/conversations/sends/sent-files.ts'
import { undoSend } from './undo-send.ts'

type Words = { content: string; quoted: ReturnType<typeof messageRow>['quoted'] }

/** The statuses with which the server answers, 0 for no answer; after the last one always 204. */
let answers: { status: number; code?: string }[] = []
let asked = 0

beforeEach(() => {
  answers = []
  asked = 0
  vi.stubGlobal('fetch', async () => {
    asked += 1
    const { status, code } = answers.shift() ?? { status: 204 }
    if (status === 0) throw new TypeError('network')
    return new Response(
      status === 204 ? null : JSON.stringify({ code, message: 'A mensagem já foi enviada.' }),
      {
        status,
      },
    )
  })
})
afterEach(() => vi.unstubAllGlobals())

function openChat(written = '', quotedSince: Words['quoted'] = null) {
  const client = new QueryClient()
  const { queryKey } = conversationQueries.messages(1)
  client.setQueryData(queryKey, {
    pages: [[messageRow({ id: 5 }), messageRow({ id: 7 })]],
    pageParams: [null],
  })
  let draft: Words = { content: written, quoted: quotedSince }
  const attach = vi.fn<(files: readonly File[], caption?: string, facts?: object) => Promise<void>>()
  const field = { current: document.createElement('textarea') }
  return {
    undo: (message: ReturnType<typeof messageRow>) =>
      undoSend(
        {
          client,
          change: (part) => void (draft = { ...draft, ...(typeof part === 'function' ? part(draft) : part) }),
          attach,
          field,
        },
        message,
      ),
    draft: () => draft,
    attach,
    shown: () =>
      client
        .getQueryData(queryKey)
        ?.pages.flat()
        .map(({ id }) => id),
    client,
  }
}
const quoted = { ...quotedRow, messageId: 5 }

test('an undone text comes back before what has been written since, with its quote', async () => {
  const chat = openChat('e mais isto')
  await chat.undo(messageRow({ id: 7, content: 'não era isto', quoted }))
  expect(chat.shown()).toEqual([5])
  expect(chat.draft()).toEqual({ content: 'não era isto\ne mais isto', quoted })
})

test('a message that was quoted since then stays quoted after an undo', async () => {
  const since = { ...quoted, messageId: 6, content: 'Depois' }
  const chat = openChat('e mais isto', since)
  await chat.undo(messageRow({ id: 7, content: 'não era isto', quoted }))
  expect(chat.draft()).toEqual({ content: 'não era isto\ne mais isto', quoted: since })
})

test('an undone file comes back with its caption and what is known of it, and not as text', async () => {
  const chat = openChat()
  const file = new File(['x'], 'voz.ogg')
  keepSentFile({
    userId: 2,
    userName: 'Ana',
    conversationId: 1,
    clientMessageId: 'file-key',
    content: 'ouça',
    quoted: null,
    composedAtMs: 1,
    file: { file, url: 'blob:x', messageType: 'audio', isVoice: true, seconds: 4 },
  })
  await chat.undo(
    messageRow({ id: 7, content: 'ouça', fileUrl: '/api/media/files/x', clientMessageId: 'file-key' }),
  )
  expect(chat.attach.mock.calls).toEqual([
    [[file], 'ouça', { messageType: 'audio', isVoice: true, seconds: 4 }],
  ])
  expect(chat.draft().content).toBe('')
})

test('a refused undo changes nothing, and is not repeated', async () => {
  const chat = openChat('texto')
  answers = [{ status: 409, code: 'messages.already_sent' }]
  await chat.undo(messageRow({ id: 7, content: 'já foi' }))
  expect([asked, chat.shown(), chat.draft().content]).toEqual([1, [5, 7], 'texto'])
})

test('an undo whose answer was lost is asked for again, and a message that is gone was undone', async () => {
  const chat = openChat()
  answers = [{ status: 0 }, { status: 404, code: 'messages.not_found' }]
  await chat.undo(messageRow({ id: 7, content: 'de volta' }))
  expect([asked, chat.shown(), chat.draft().content]).toEqual([2, [5], 'de volta'])
  answers = [{ status: 404, code: 'messages.not_found' }]
  await chat.undo(messageRow({ id: 5, content: 'de outra aba' }))
  expect([chat.shown(), chat.draft().content]).toEqual([[5], 'de volta'])
})

test('two presses undo a send once', async () => {
  const chat = openChat()
  const message = messageRow({ id: 7, content: 'uma vez' })
  await Promise.all([chat.undo(message), chat.undo(message)])
  expect([asked, chat.draft().content]).toEqual([1, 'uma vez'])
  dropMessage(chat.client, message)
  expect(chat.shown()).toEqual([5])
})
