// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { createRef, useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Message } from '#shared/messages/messages.ts'
import type { Me } from '#shared/users/users.ts'
import type { Attachment } from '#web/conversations/attachments/attachments-dialog.tsx'
import { messageRow } from '#web/conversations/cache/test-rows.ts'
import { readWritten } from '#web/conversations/drafts/local-drafts.ts'
import { keepNoteDraft, readNoteDraft } from '#web/conversations/drafts/use-note-draft.ts'
import { inApp } from '#web/users/test-app.tsx'
import { NoteComposer } from './note-composer.tsx'

const line = vi.hoisted(() => ({ sent: [] as unknown[] }))
vi.mock('#web/platform/live/live.ts', async (original) => ({
  ...(await original<object>()),
  sendLive: (frame: unknown) => line.sent.push(frame),
}))

let calls: [method: string, path: string, body: unknown][]
let isRefused: boolean
const onDone = vi.fn<() => void>()
beforeEach(() => {
  calls = []
  isRefused = false
  line.sent.length = 0
  localStorage.clear()
  onDone.mockClear()
  vi.stubGlobal('fetch', async (path: string, { method = 'GET', body }: RequestInit = {}) => {
    if (method === 'GET') return Response.json([])
    calls.push([method, path, JSON.parse(body as string)])
    if (isRefused)
      return Response.json({ code: 'notes.too_late', message: 'Só até 15 minutos.' }, { status: 409 })
    return Response.json(messageRow({ id: 5, messageType: 'note', senderType: 'user' }), { status: 201 })
  })
})
afterEach(() => vi.unstubAllGlobals())

function show(editing?: Message) {
  render(
    <NoteComposer
      conversationId={1}
      me={{ id: 7, name: 'Ana' } as Me}
      editing={editing}
      field={createRef<HTMLTextAreaElement>()}
      attachments={[]}
      onFiles={() => undefined}
      onAttachments={() => undefined}
      modes="Responder"
      onDone={onDone}
    />,
    { wrapper: inApp(new QueryClient({ defaultOptions: { queries: { retry: false } } })) },
  )
  return screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Nota interna' })
}

test('a note is saved as one, and neither the client nor colleagues see it being typed', async () => {
  const field = show()
  expect(field.placeholder).toBe('Só a equipe vê')
  expect(screen.getByRole('button', { name: 'Salvar nota' })).toHaveProperty('disabled', true)
  fireEvent.change(field, { target: { value: '/situacao só nossa ' } })
  expect(screen.queryByRole('listbox')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Salvar nota' }))
  await waitFor(() => expect(calls).toHaveLength(1))
  expect(calls[0]).toMatchObject(['POST', '/api/conversations/1/notes', { content: '/situacao só nossa' }])
  expect(onDone).toHaveBeenCalledOnce()
  expect(field.value).toBe('')
  expect(line.sent).toEqual([])
})

test('what is begun is kept in this browser, apart from the draft of the reply', () => {
  const field = show()
  fireEvent.change(field, { target: { value: 'meio escrita' } })
  expect(readWritten(7, 'note-1')?.content).toBe('meio escrita')
  expect(readWritten(7, 1)).toBeUndefined()
  fireEvent.change(field, { target: { value: '' } })
  expect(readWritten(7, 'note-1')).toBeUndefined()
})

test('an edit that is refused stays in the field, and the draft of a new note is as it was', async () => {
  isRefused = true
  localStorage.setItem('balcao:draft:7:note-1', JSON.stringify({ content: 'outra', quoted: null, atMs: 1 }))
  const field = show(messageRow({ id: 5, messageType: 'note', senderType: 'user', content: 'até 800' }))
  expect(field.value).toBe('até 800')
  expect(screen.queryByRole('button', { name: 'Anexar arquivo' })).toBeNull()
  fireEvent.change(field, { target: { value: 'até 900' } })
  fireEvent.keyDown(field, { key: 'Enter' })
  await waitFor(() => expect(calls).toHaveLength(1))
  expect(calls[0]).toEqual(['PATCH', '/api/conversations/1/notes/5', { content: 'até 900' }])
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Salvar nota' })).toHaveProperty('disabled', false),
  )
  expect(field.value).toBe('até 900')
  expect(onDone).not.toHaveBeenCalled()
  expect(readWritten(7, 'note-1')?.content).toBe('outra')
})

test('the draft of the reply is told of below the note', () => {
  localStorage.setItem('balcao:draft:7:1', JSON.stringify({ content: 'Combinado!', quoted: null, atMs: 1 }))
  show()
  expect(screen.getByText('Rascunho da resposta guardado: “Combinado!”')).toBeTruthy()
  expect(screen.getByText(/volta a Responder/)).toBeTruthy()
})

test("whoever is chosen behind '@' is mentioned, kept in the draft, forgotten with the name", async () => {
  vi.stubGlobal('fetch', async (path: string, { method = 'GET', body }: RequestInit = {}) => {
    if (method === 'GET')
      return path.endsWith('/mentionable')
        ? Response.json({
            people: [
              { id: 2, name: 'Bruno Tavares', pictureUrl: null, isReader: true },
              { id: 3, name: 'Carla Menezes', pictureUrl: null, isReader: false },
            ],
            sectors: [{ id: 1, name: 'Comercial', color: '#0d9488', available: 1 }],
          })
        : Response.json([])
    calls.push([method, path, JSON.parse(body as string)])
    return Response.json(messageRow({ id: 5, messageType: 'note', senderType: 'user' }), { status: 201 })
  })
  const field = show()
  field.focus()
  const type = (value: string) => {
    fireEvent.change(field, { target: { value } })
    field.setSelectionRange(value.length, value.length)
    fireEvent.select(field)
  }
  const mentionsKept = () => readWritten(7, 'note-1')?.mentions
  type('ei @')
  await screen.findByRole('option', { name: /Bruno/ })
  const options = screen.getAllByRole('option')
  expect(options.map(({ textContent }) => textContent)).toEqual([
    'BTBruno Tavares',
    'Comercial1 pessoa disponível',
    'Carla Menezesnão vê esta conversa',
  ])
  expect(options.map((one) => one.getAttribute('aria-disabled'))).toEqual([null, null, 'true'])
  fireEvent.click(options[2] as HTMLElement)
  fireEvent.keyDown(field, { key: 'ArrowDown' })
  fireEvent.keyDown(field, { key: 'ArrowDown' })
  fireEvent.keyDown(field, { key: 'Tab' })
  expect(field.value).toBe('ei @Comercial ')
  expect(mentionsKept()).toEqual([{ sectorId: 1, name: 'Comercial' }])
  expect(screen.queryByRole('listbox')).toBeNull()
  type('ei @Comercial e @bruno')
  await screen.findByRole('listbox', { name: 'Mencionar' })
  fireEvent.keyDown(field, { key: 'Escape' })
  expect(screen.queryByRole('listbox')).toBeNull()
  type('ei @Comercial e @bru')
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(field.value).toBe('ei @Comercial e @Bruno Tavares ')
  expect(calls).toEqual([])
  type('ei @Bruno Tavares')
  expect(mentionsKept()).toEqual([{ userId: 2, name: 'Bruno Tavares' }])
  fireEvent.click(screen.getByRole('button', { name: 'Salvar nota' }))
  await waitFor(() => expect(calls).toHaveLength(1))
  expect(calls[0]?.[2]).toMatchObject({
    content: 'ei @Bruno Tavares',
    mentions: [{ userId: 2, name: 'Bruno Tavares' }],
  })
})

/** With files chosen, each of which can be taken out again. */
function WithFiles() {
  const [attachments, setAttachments] = useState<Attachment[]>(
    ['contrato', 'recibo'].map((key) => ({
      key,
      caption: '',
      file: new File(['%PDF'], `${key}.pdf`, { type: 'application/pdf' }),
      url: `blob:${key}`,
      messageType: 'document',
    })),
  )
  return (
    <NoteComposer
      conversationId={1}
      me={{ id: 7, name: 'Ana' } as Me}
      editing={undefined}
      field={createRef<HTMLTextAreaElement>()}
      attachments={attachments}
      onFiles={() => undefined}
      onAttachments={setAttachments}
      modes="Responder"
      onDone={onDone}
    />
  )
}

test('the text of a note whose file is taken out again stays in its field', () => {
  keepNoteDraft(7, 1, 'conferir a cláusula 4')
  render(<WithFiles />, {
    wrapper: inApp(new QueryClient({ defaultOptions: { queries: { retry: false } } })),
  })
  const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
  const caption = () => screen.getByLabelText<HTMLTextAreaElement>('Texto da nota')
  expect(caption().value).toBe('conferir a cláusula 4')
  press('recibo.pdf')
  fireEvent.change(caption(), { target: { value: 'pago em maio' } })
  press('contrato.pdf')
  press('Remover arquivo')
  expect(caption().value).toBe('pago em maio')
  press('Salvar nota')
  expect(readNoteDraft(7, 1)?.content).toBe('conferir a cláusula 4')
})

test('the text of a note goes with its file, also once it has been changed there', () => {
  keepNoteDraft(7, 1, 'conferir a cláusula 4')
  render(<WithFiles />, {
    wrapper: inApp(new QueryClient({ defaultOptions: { queries: { retry: false } } })),
  })
  fireEvent.change(screen.getByLabelText('Texto da nota'), { target: { value: 'conferir a cláusula 5' } })
  fireEvent.click(screen.getByRole('button', { name: 'Salvar nota' }))
  expect(readNoteDraft(7, 1)).toBeUndefined()
})
