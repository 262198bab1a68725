// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { createRef } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Me } from '#shared/users/users.ts'
import { settingsQueries } from '#web/settings/settings.tsx'
import { replyQueries } from '#web/quick-replies/quick-replies.tsx'
import { toastStore } from '#web/ui/states/toast.ts'
import { inApp } from '#web/users/test-app.tsx'
import { Composer } from './composer.tsx'

let sent: string[]
beforeEach(() => {
  sent = []
  localStorage.clear()
  vi.stubGlobal('fetch', (path: string, { method = 'GET' }: RequestInit = {}) => {
    if (method === 'POST' && path.endsWith('/messages')) sent.push(path)
    return new Promise<never>(() => undefined)
  })
})
afterEach(() => vi.unstubAllGlobals())

const reply = 'Olá, {{contact}} da {{company}}: {{nome}}, tudo bem?'

function show() {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } })
  client.setQueryData(settingsQueries.system().queryKey, {
    quickResponses: [{ shortcut: 'situacao', text: reply }],
  } as never)
  client.setQueryData(replyQueries.known().queryKey, { replies: [], general: [] })
  const field = createRef<HTMLTextAreaElement>()
  render(
    <Composer
      chat={{ conversationId: 1 }}
      contactName="Maria"
      values={{ contact: 'Maria', company: '', operator: 'Ana', protocol: '2026' }}
      sectorId={null}
      me={{ id: 7, name: 'Ana', sectors: [] as Me['sectors'] } as Me}
      field={field}
      attachments={[]}
      onFiles={() => undefined}
      onAttachments={() => undefined}
    />,
    { wrapper: inApp(client) },
  )
  return screen.getByLabelText<HTMLTextAreaElement>('Mensagem')
}
const selected = ({ value, selectionStart, selectionEnd }: HTMLTextAreaElement) =>
  value.slice(selectionStart, selectionEnd)

test('a quick reply with an empty field is inserted, and that field is selected', async () => {
  const field = show()
  field.focus()
  fireEvent.change(field, { target: { value: '/situacao' } })
  await screen.findByRole('option', { name: /situacao/ })
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(field.value).toBe('Olá, Maria da {{company}}: {{nome}}, tudo bem?')
  expect(selected(field)).toBe('{{company}}')
  expect(document.activeElement).toBe(field)
  expect(toastStore.get()).toMatchObject({ tone: 'info', title: 'Alguns campos ficaram sem valor' })
  // What nobody has written over is refused, also a field that no text knows, and is selected again.
  fireEvent.change(field, { target: { value: 'Olá, Maria da Padaria: {{nome}}, tudo bem?' } })
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(toastStore.get()).toMatchObject({ tone: 'error', title: 'O texto tem um campo sem valor' })
  expect(selected(field)).toBe('{{nome}}')
  expect(sent).toEqual([])
  fireEvent.change(field, { target: { value: 'Olá, Maria da Padaria: Zé, tudo bem?' } })
  fireEvent.keyDown(field, { key: 'Enter' })
  await waitFor(() => expect(sent).toHaveLength(1))
})
