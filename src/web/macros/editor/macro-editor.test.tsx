// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { ManagedMacro } from '#shared/macros/managed-macros.ts'
import { UiProvider } from '#web/ui/ui-provider.tsx'
import { inApp } from '#web/users/test-app.tsx'
import { MacroEditor } from './macro-editor.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const macro: ManagedMacro = {
  id: 5,
  name: 'Fim',
  shortcut: 'fim',
  steps: [{ kind: 'text', text: 'Obrigada!' }],
  ownerId: 7,
  isShared: false,
  sectorId: null,
  isUsable: true,
  isChangeable: true,
  uses: 0,
  lastUsedAt: null,
  lastUsedBy: null,
  version: 1,
}
const stored = {
  name: 'aaaaaaaaaaaaaaaa',
  fileName: 'tabela.pdf',
  mimeType: 'application/pdf',
  sizeBytes: 2048,
}

/** An upload that ends when the test says so. */
function heldUpload() {
  let end = () => undefined as void
  vi.stubGlobal(
    'XMLHttpRequest',
    class extends EventTarget {
      upload = new EventTarget()
      status = 201
      responseText = JSON.stringify(stored)
      open() {}
      setRequestHeader() {}
      getResponseHeader = () => 'application/json'
      abort() {}
      send() {
        end = () => void this.dispatchEvent(new Event('load'))
      }
    },
  )
  return { end: () => end() }
}

function show(given: Partial<ManagedMacro> = {}) {
  vi.stubGlobal('fetch', async () => Response.json([]))
  const editor = (shown: ManagedMacro) => (
    <UiProvider>
      <MacroEditor
        macro={shown}
        initial={undefined}
        onSaved={() => undefined}
        onDirty={() => undefined}
        onCopy={() => undefined}
        onDelete={() => undefined}
        onClose={() => undefined}
      />
    </UiProvider>
  )
  const shown = { ...macro, ...given }
  const { rerender } = render(editor(shown), { wrapper: inApp(new QueryClient()) })
  return { again: (next: Partial<ManagedMacro>) => rerender(editor({ ...shown, ...next })) }
}
const choose = (picker: string) =>
  fireEvent.change(screen.getByLabelText(picker), {
    target: { files: [new File(['x'], 'tabela.pdf', { type: 'application/pdf' })] },
  })

test('what is changed in a macro while a file is uploaded stays when the file comes', async () => {
  const upload = heldUpload()
  show()
  choose('Arquivo: escolher')
  await screen.findByText('Enviando...')
  fireEvent.change(screen.getByLabelText(/^Nome/), { target: { value: 'Fim do dia' } })
  fireEvent.click(screen.getByRole('button', { name: 'Nota' }))
  upload.end()
  await screen.findByText(/^tabela\.pdf/)
  expect(screen.getByLabelText<HTMLInputElement>(/^Nome/).value).toBe('Fim do dia')
  expect(screen.getAllByRole('listitem')).toHaveLength(3)
})

test('the caption that is written while the file of a step is uploaded stays', async () => {
  const upload = heldUpload()
  const before = { ...stored, name: 'bbbbbbbbbbbbbbbb', fileName: 'antiga.pdf' }
  show({ steps: [{ kind: 'file', file: before, text: '' }] })
  fireEvent.click(screen.getByRole('button', { name: /^Passo 1/ }))
  choose('Trocar arquivo: escolher')
  await screen.findByText('Enviando...')
  fireEvent.change(screen.getByLabelText('Legenda'), { target: { value: 'A tabela nova' } })
  upload.end()
  await screen.findByText(/^tabela\.pdf/)
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Legenda').value).toBe('A tabela nova'))
})

test('a macro saved without a change, and then with one, names the version that the server has', async () => {
  const { again } = show()
  const sent: unknown[] = []
  let isEnded = Promise.resolve()
  vi.stubGlobal('fetch', async (_path: string, { method, body }: RequestInit) => {
    if (method !== 'PATCH') return Response.json([])
    const { name, version } = JSON.parse(body as string) as ManagedMacro
    sent.push(version)
    await isEnded
    return Response.json({ version: name === 'Fim' ? version : version + 1 })
  })
  const save = async () => {
    const before = sent.length
    fireEvent.click(screen.getByRole('button', { name: 'Salvar' }))
    await waitFor(() => expect(sent).toHaveLength(before + 1))
    await screen.findByRole('button', { name: 'Salvar' })
  }
  await save()
  await save()
  fireEvent.change(screen.getByLabelText(/^Nome/), { target: { value: 'Fim do dia' } })
  const { promise, resolve } = Promise.withResolvers<void>()
  isEnded = promise
  fireEvent.click(screen.getByRole('button', { name: 'Salvar' }))
  await screen.findByText('Salvando...')
  again({ version: 2, name: 'Fim do dia' })
  expect(screen.queryByRole('alert')).toBeNull()
  resolve()
  await screen.findByRole('button', { name: 'Salvar' })
  expect(screen.queryByRole('alert')).toBeNull()
  await save()
  expect(sent).toEqual([1, 1, 1, 2])
})

test('a macro that may not be changed is read whole, and its steps are not moved', () => {
  const text = `Obrigada!\n${'Volte sempre. '.repeat(20)}fim`
  show({
    isChangeable: false,
    steps: [
      { kind: 'text', text },
      { kind: 'file', file: stored, text: 'A tabela nova' },
    ],
  })
  const [read] = screen.getAllByText(/^Obrigada!/)
  expect(read?.textContent).toBe(text)
  expect(read?.className).not.toContain('truncate')
  expect(screen.getByText('A tabela nova').closest('li')?.getAttribute('draggable')).toBeNull()
  expect(screen.queryByRole('button', { name: /^Tirar o passo/ })).toBeNull()
  expect(screen.queryByRole('group', { name: 'Adicionar passo' })).toBeNull()
})
