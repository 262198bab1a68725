// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { Message } from '#shared/messages/messages.ts'
import type { Role } from '#shared/permissions.ts'
import { messageRow } from '#web/conversations/cache/test-rows.ts'
import type { PendingSend } from '#web/conversations/sends/sends.ts'
import { UiProvider } from '#web/ui/ui-provider.tsx'
import { inApp } from '#web/users/test-app.tsx'
import type { MessageActions } from './message-item.ts'
import { NoteRow } from './note-row.tsx'

const now = () => new Date().toISOString()
const note = (given: Partial<Message> = {}) =>
  messageRow({
    messageType: 'note',
    senderType: 'user',
    senderId: 7,
    senderName: 'Ana',
    content: 'até *8 %* pode',
    createdAt: now(),
    sentAt: now(),
    ...given,
  })

const onEditNote = vi.fn<() => void>()
const onDeleteNote = vi.fn<() => void>()
const onResend = vi.fn<() => void>()
const writing = { onEditNote, onDeleteNote }

function show(
  message: Message,
  {
    actions = writing,
    pending = null,
    role = 'operator',
  }: { actions?: Partial<MessageActions>; pending?: PendingSend | null; role?: Role } = {},
) {
  const nothing = () => undefined
  return render(
    <UiProvider>
      <NoteRow
        item={{ kind: 'message', key: '1', message, pending, startsGroup: true, endsGroup: true }}
        isMarked={false}
        actions={{ onJump: nothing, onRetry: nothing, onResend, onDiscard: nothing, ...actions }}
      />
    </UiProvider>,
    { wrapper: inApp(new QueryClient(), { role }) },
  )
}

const offered = async () => {
  fireEvent.click(screen.getByRole('button', { name: 'Opções da nota' }))
  await screen.findByRole('menu')
  return screen.getAllByRole('menuitem').map(({ textContent }) => textContent)
}

test('a note says what it is, who wrote it, and that only the team sees it', () => {
  show(note({ editedAt: now() }))
  const { textContent } = screen.getByRole('article', { name: /^Nota interna de Ana/ })
  for (const words of ['Nota interna', 'Ana', 'editada', 'só a equipe vê', 'até 8 % pode'])
    expect(textContent).toContain(words)
})

test('its author may edit and delete a note for a quarter of an hour', async () => {
  show(note())
  expect(await offered()).toEqual(['Editar', 'Copiar', 'Excluir'])
  fireEvent.click(screen.getByRole('menuitem', { name: 'Editar' }))
  expect(onEditNote).toHaveBeenCalledOnce()
})

test('later its author may only copy it', async () => {
  show(note({ createdAt: new Date(Date.now() - 16 * 60_000).toISOString() }))
  expect(await offered()).toEqual(['Copiar'])
})

test('a supervisor may delete the note of somebody else at any time', async () => {
  show(note({ senderId: 8, createdAt: '2026-01-01T12:00:00.000Z' }), { role: 'supervisor' })
  expect(await offered()).toEqual(['Copiar', 'Excluir'])
})

test('who may not write notes is offered nothing that changes one', async () => {
  show(note(), { actions: {} })
  expect(await offered()).toEqual(['Copiar'])
})

test('of a deleted note one quiet line is left, without a menu', () => {
  show(note({ content: '', deletedAt: now() }))
  expect(screen.getByText('Nota excluída')).toBeTruthy()
  expect(screen.queryByRole('button')).toBeNull()
  expect(screen.queryByText('só a equipe vê')).toBeNull()
  cleanup()
  show(note({ content: '', deletedAt: now(), metadata: { deletedBy: 'Rita' } }))
  expect(screen.getByText('Nota excluída por Rita')).toBeTruthy()
})

test('a file of a note is shown with its name, its size and a way to get it', () => {
  show(
    note({
      content: '',
      fileName: 'ficha.pdf',
      fileMimeType: 'application/pdf',
      fileSize: 2048,
      fileUrl: '/api/media/files/ficha',
    }),
  )
  expect(screen.getByText(/PDF · 2 KB/)).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Baixar ficha.pdf' }).getAttribute('href')).toBe(
    '/api/media/files/ficha?download=1',
  )
})

test('a file of a note that is kept no longer is not offered', () => {
  show(note({ fileName: 'ficha.pdf', fileMimeType: 'application/pdf', fileUrl: null }))
  expect(screen.getByText('O arquivo não está mais guardado')).toBeTruthy()
  expect(screen.queryByRole('link')).toBeNull()
})

test('a note that was refused is still there, says why, and can be saved again', () => {
  const pending = { error: 'Sem conexão', clientMessageId: 'x' } as PendingSend
  show(note({ id: 0 }), { pending })
  expect(screen.getByText('Nota não salva: Sem conexão')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Tentar novamente' }))
  expect(onResend).toHaveBeenCalledWith(pending)
})
