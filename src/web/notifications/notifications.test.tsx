// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Notification } from '#shared/notifications/notifications.ts'
import { noticeOf } from '#web/conversations/alerts/desktop-notices.ts'
import { toastStore } from '#web/ui/states/toast.ts'
import { inApp } from '#web/users/test-app.tsx'
import { announce, readInFront } from './announce.ts'
import { Bell } from './bell.tsx'
import { NotificationList } from './notification-list.tsx'
import { NotificationPanel } from './notification-panel.tsx'
import { outOfReach, wordingOf } from './wording.ts'

type About = NonNullable<Notification['about']>
type Told = NonNullable<About['message']>

const message = (given: Partial<Told> = {}): Told => ({
  id: 9,
  messageType: 'note',
  senderType: 'user',
  content: 'Pode, @Ana.',
  isDeleted: false,
  act: null,
  to: null,
  mentioned: ['Ana'],
  ...given,
})
const told = (given: Partial<Notification> = {}, about: Partial<About> = {}): Notification => ({
  id: 5,
  kind: 'mention',
  happenedAt: new Date().toISOString(),
  isRead: false,
  count: 1,
  about: {
    conversationId: 3,
    isCompleted: false,
    contactName: 'Kauã',
    by: { id: 2, name: 'Bruno', pictureUrl: null },
    sectorName: null,
    message: message(),
    ...about,
  },
  ...given,
})

let calls: [path: string, body: unknown][]
let answer: (path: string) => Response
beforeEach(() => {
  calls = []
  answer = () => Response.json({ mentions: 0, updates: 0 })
  history.replaceState(null, '', '/')
  vi.stubGlobal('fetch', async (path: string, { method = 'GET', body }: RequestInit = {}) => {
    if (method === 'GET') return answer(path)
    calls.push([path, JSON.parse(body as string)])
    return new Response(null, { status: 204 })
  })
})
afterEach(() => vi.unstubAllGlobals())

const client = () => new QueryClient({ defaultOptions: { queries: { retry: false } } })
const app = () => inApp(client(), { name: 'Ana', permissions: { canViewConversations: true } })

test.each<[string, Notification, string, string]>([
  ['a mention by name', told(), 'Bruno mencionou você', 'em Kauã'],
  ['one of a sector', told({}, { sectorName: 'Comercial' }), 'Bruno mencionou @Comercial', 'em Kauã'],
  ['one of a nameless contact', told({}, { contactName: null }), 'Bruno mencionou você', 'em Contato'],
  [
    'a transfer',
    told(
      { kind: 'follow', count: 3 },
      { message: message({ messageType: 'event', act: 'transferred', to: 'Carla' }) },
    ),
    'Bruno transferiu a conversa para Carla',
    'em Kauã · e mais 2 novidades',
  ],
  [
    'a message that did not go out',
    told(
      { kind: 'failed_reply' },
      { message: message({ messageType: 'text', content: 'segue *o* boleto' }) },
    ),
    'Mensagem não enviada',
    'a Kauã',
  ],
  ['a note', told({ kind: 'follow', count: 2 }), 'Bruno escreveu uma nota', 'em Kauã · e mais 1 novidade'],
  [
    'a deleted note',
    told({ kind: 'follow' }, { message: message({ isDeleted: true, content: 'x' }) }),
    'Nota excluída',
    'em Kauã',
  ],
  [
    "a client's message",
    told({ kind: 'follow' }, { by: null, message: message({ messageType: 'text', senderType: 'contact' }) }),
    'O cliente mandou uma mensagem',
    'em Kauã',
  ],
  [
    "a client's picture",
    told({ kind: 'follow' }, { by: null, message: message({ messageType: 'image', senderType: 'contact' }) }),
    'O cliente mandou imagem',
    'em Kauã',
  ],
])('%s is told in words', (_what, notification, title, place) => {
  const wording = wordingOf(notification)
  expect(wording?.title).toBe(title)
  if (place !== 'em Contato') expect(wording?.place).toBe(place)
})

test('the bell counts both tabs, is absent without the right, and is silent about nothing', async () => {
  answer = () => Response.json({ mentions: 2, updates: 1 })
  render(<Bell />, { wrapper: app() })
  await screen.findByRole('button', { name: 'Menções e avisos: 3 por ler' })
  cleanup()
  answer = () => Response.json({ mentions: 0, updates: 0 })
  render(<Bell />, { wrapper: app() })
  await screen.findByRole('button', { name: 'Menções e avisos' })
  cleanup()
  render(<Bell />, { wrapper: inApp(client(), { permissions: {} }) })
  expect(screen.queryByRole('button')).toBeNull()
})

const shows = (notifications: Notification[], next: string | null = null) => {
  answer = (path) =>
    Response.json(
      path.includes('before=')
        ? { notifications: [told({ id: 77, isRead: true })], next: null, unread: {} }
        : { notifications, next, unread: {} },
    )
  const onClose = vi.fn<() => void>()
  render(<NotificationList tab="mentions" onClose={onClose} />, { wrapper: app() })
  return onClose
}

test('one that is opened is read, and leads to its message, in the archive if it is over', async () => {
  const onClose = shows([told(), told({ id: 6 }, { isCompleted: true })])
  const [open, completed] = await screen.findAllByRole('link')
  expect(open?.getAttribute('href')).toBe('/chat?conversation=3&mensagem=9')
  expect(completed?.getAttribute('href')).toBe('/conversas-arquivadas/3?mensagem=9')
  fireEvent.keyDown(open as HTMLElement, { key: 'ArrowDown' })
  expect(document.activeElement).toBe(completed)
  fireEvent.keyDown(completed as HTMLElement, { key: 'ArrowUp' })
  expect(document.activeElement).toBe(open)
  fireEvent.click(open as HTMLElement)
  await waitFor(() => expect(calls).toEqual([['/api/notifications/read', { id: 5 }]]))
  expect(onClose).toHaveBeenCalledOnce()
})

test('one that has left the reach names nobody, leads nowhere, and can be read', async () => {
  shows([told({ about: null })])
  const entry = await screen.findByRole('button', { name: new RegExp(outOfReach) })
  expect(screen.queryByRole('link')).toBeNull()
  expect(document.body.textContent).not.toContain('Bruno')
  fireEvent.click(entry)
  await waitFor(() => expect(calls).toEqual([['/api/notifications/read', { id: 5 }]]))
})

test('sentences are shown without the signs of their formatting, with whom they mention', async () => {
  const formatted = told({}, { message: message({ content: '*@Ana* manda o _PIX_ 2*3*4' }) })
  expect(wordingOf(formatted)?.sentence).toBe('@Ana manda o PIX 2*3*4')
  expect(noticeOf({ type: 'mentioned', data: { notification: formatted } }, Date.now(), true)?.body).toBe(
    'em Kauã: @Ana manda o PIX 2*3*4',
  )
  shows([formatted])
  await screen.findByText('@Ana')
  expect(screen.getByRole('link').textContent).toContain('@Ana manda o PIX 2*3*4')
})

test('the arrow enters the list from its tabs', async () => {
  answer = () => Response.json({ notifications: [told(), told({ id: 6 })], next: null, unread: {} })
  render(
    <NotificationPanel
      place={{ current: document.body }}
      unread={undefined}
      silence={undefined}
      onClose={() => undefined}
    />,
    { wrapper: app() },
  )
  const [first] = await screen.findAllByRole('link')
  const tab = screen.getByRole('tab', { name: 'Menções' })
  tab.focus()
  fireEvent.keyDown(tab, { key: 'ArrowDown' })
  expect(document.activeElement).toBe(first)
})

test('older ones are fetched behind the last, and none is shown twice', async () => {
  shows([told(), told({ id: 77, isRead: true })], '123.5')
  fireEvent.click(await screen.findByRole('button', { name: 'Mostrar mais antigas' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Mostrar mais antigas' })).toBeNull())
  expect(screen.getAllByRole('link')).toHaveLength(2)
})

const announced = () => toastStore.get()?.title

test('a mention is announced by a toast unless it is old, read, veiled or in front of one', async () => {
  const focus = vi.spyOn(document, 'hasFocus').mockReturnValue(true)
  const navigate = vi.fn<(address: string) => void>()
  const old = new Date(Date.now() - 61_000).toISOString()
  for (const silent of [told({ happenedAt: old }), told({ isRead: true }), told({ about: null })])
    announce(silent, client(), navigate)
  expect(announced()).toBeUndefined()
  history.replaceState(null, '', '/chat?conversation=3')
  announce(told(), client(), navigate)
  expect(announced()).toBeUndefined()
  await waitFor(() => expect(calls).toEqual([['/api/notifications/read', { conversationId: 3 }]]))
  focus.mockReturnValue(false)
  announce(told(), client(), navigate)
  expect(announced()).toBe('Bruno mencionou você')
  expect(toastStore.get()?.description).toBe('em Kauã: Pode, @Ana.')
  act(() => toastStore.get()?.action?.onClick())
  expect(navigate).toHaveBeenCalledExactlyOnceWith('/chat?conversation=3&mensagem=9')
  focus.mockRestore()
})

test('what is told of the chat in front of the person is read, and nothing where none is', async () => {
  const focus = vi.spyOn(document, 'hasFocus').mockReturnValue(true)
  const at = (path: string) => {
    history.replaceState(null, '', path)
    readInFront(client())
  }
  for (const path of ['/', '/conversas-ativas', '/chat?contact=3', '/conversas-arquivadas']) at(path)
  at('/chat?conversation=4')
  at('/conversas-arquivadas/8')
  focus.mockReturnValue(false)
  at('/chat?conversation=5')
  await waitFor(() =>
    expect(calls.map(([, body]) => body)).toEqual([{ conversationId: 4 }, { conversationId: 8 }]),
  )
  focus.mockRestore()
})

test('the desktop notification of a mention has its sentence only where texts may be shown', () => {
  const of = (notification: Notification, withText: boolean) =>
    noticeOf({ type: 'mentioned', data: { notification } }, Date.now(), withText)
  expect(of(told(), true)).toMatchObject({
    conversationId: 3,
    title: 'Bruno mencionou você',
    body: 'em Kauã: Pode, @Ana.',
  })
  expect(of(told(), false)?.body).toBe('em Kauã')
  expect(of(told({ about: null }), true)).toBeUndefined()
  expect(of(told({ isRead: true }), true)).toBeUndefined()
  expect(of(told({ happenedAt: new Date(Date.now() - 61_000).toISOString() }), true)).toBeUndefined()
})
