// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { Menu } from '#web/ui/overlays/menu.tsx'
import { toastStore } from '#web/ui/states/toast.ts'
import { inApp } from '#web/users/test-app.tsx'
import { EllipsisVertical } from 'lucide-react'
import { FollowingSection, FollowItem, FollowMark, toggleFollowing } from './follow-item.tsx'

let calls: string[]
let isFollowed: boolean
let state: Promise<void> | undefined
beforeEach(() => {
  calls = []
  isFollowed = false
  state = undefined
  vi.stubGlobal('fetch', async (_path: string, { method = 'GET', signal }: RequestInit = {}) => {
    if (method === 'GET') await state
    if (signal?.aborted) throw signal.reason
    if (method !== 'GET') {
      calls.push(method)
      isFollowed = method === 'PUT'
    }
    return Response.json({ isFollowed })
  })
})
afterEach(() => vi.unstubAllGlobals())

const client = () => new QueryClient({ defaultOptions: { queries: { retry: false } } })
const open = async () => {
  render(
    <Menu trigger={<IconButton label="Mais" icon={EllipsisVertical} />}>
      <FollowItem conversationId={3} />
    </Menu>,
    { wrapper: inApp(client()) },
  )
  fireEvent.click(screen.getByRole('button', { name: 'Mais' }), { detail: 1 })
  return screen.findByRole('menuitem')
}

test("while it is not known whether one follows, the item says 'Seguir' and does that", async () => {
  const gate = Promise.withResolvers<void>()
  state = gate.promise
  isFollowed = true
  const item = await open()
  expect(item.textContent).toBe('Seguir')
  fireEvent.click(item)
  await waitFor(() => expect(calls).toEqual(['PUT']))
  gate.resolve()
  await waitFor(() => expect(toastStore.get()?.title).toBe('Você segue esta conversa'))
})

test('whoever follows is offered to follow no longer', async () => {
  isFollowed = true
  await open()
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Deixar de seguir' }))
  await waitFor(() => expect(toastStore.get()?.title).toBe('Você não segue mais esta conversa'))
  expect(calls).toEqual(['DELETE'])
})

test.each([
  ['the mark in the header', FollowMark, 'Você segue esta conversa'],
  ['the section of the panel', FollowingSection, 'Deixar de seguir'],
])('following is ended by %s of the chat', async (_what, Part, name) => {
  isFollowed = true
  render(<Part conversationId={3} />, { wrapper: inApp(client(), { name: 'Ana', pictureUrl: null }) })
  fireEvent.click(screen.getByRole('button', { name }))
  await waitFor(() => expect(toastStore.get()?.title).toBe('Você não segue mais esta conversa'))
  expect(calls).toEqual(['DELETE'])
})

test('the command of the palette does the other of what is so now', async () => {
  await toggleFollowing(client(), 3)
  await toggleFollowing(client(), 3)
  expect(calls).toEqual(['PUT', 'DELETE'])
})

test('a refusal of following is told and changes nothing', async () => {
  vi.stubGlobal('fetch', async () =>
    Response.json({ code: 'conversations.not_found', message: 'Conversa não encontrada' }, { status: 404 }),
  )
  await toggleFollowing(client(), 3, false)
  expect(toastStore.get()).toMatchObject({
    tone: 'error',
    title: 'Erro ao seguir a conversa',
    description: 'Conversa não encontrada',
  })
})
