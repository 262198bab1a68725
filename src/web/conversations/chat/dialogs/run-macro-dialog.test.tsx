// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { conversationRow } from '#web/conversations/cache/test-rows.ts'
import { UiProvider } from '#web/ui/ui-provider.tsx'
import { inApp } from '#web/users/test-app.tsx'
import { RunMacroDialog } from './run-macro-dialog.tsx'

const here = conversationRow({ id: 1, assignedUserId: 7, subStatus: 'OPERADOR' })
const step = (kind: string, given: object = {}) => ({
  kind,
  detail: '',
  missing: [],
  error: null,
  isBroken: false,
  isSkippable: false,
  ...given,
})

let preview: { version: number; steps: object[] }
let macros: Promise<object[]>
let isRefused: boolean
beforeEach(() => {
  isRefused = false
  macros = Promise.resolve([])
  window.history.pushState(null, '', '/chat?conversation=1')
  vi.stubGlobal('fetch', async (path: string) => {
    if (path === '/api/macros') return Response.json(await macros)
    if (path.endsWith('/preview'))
      return Response.json({
        conversationId: 1,
        name: 'Fim',
        holderId: 7,
        lastEntryId: null,
        timezone: 'America/Sao_Paulo',
        ...preview,
      })
    if (path.endsWith('/run'))
      return isRefused
        ? Response.json({ code: 'macros.changed', message: 'A macro mudou.' }, { status: 409 })
        : Response.json({ at: '2026-11-19T12:10:00.000Z', messageIds: [] })
    if (path === '/api/conversations/1') return Response.json({ ...here, status: 'completed' })
    return Response.json([])
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const show = (macroId?: number) =>
  render(
    <UiProvider>
      <RunMacroDialog conversation={here} macroId={macroId} onClose={() => undefined} />
    </UiProvider>,
    {
      wrapper: inApp(new QueryClient({ defaultOptions: { queries: { retry: false } } }), { hasMacros: true }),
    },
  )

test('a file left out of a macro leaves nothing out of the next version of it', async () => {
  const lost = step('file', { detail: 'tabela.pdf', error: 'Arquivo perdido', isSkippable: true })
  preview = { version: 1, steps: [lost, step('text', { detail: 'Olá' })] }
  isRefused = true
  show(3)
  fireEvent.click(await screen.findByRole('button', { name: 'Continuar sem o arquivo' }))
  await screen.findByText('Fica de fora.')
  preview = { version: 2, steps: [step('text', { detail: 'Bom dia' }), step('text', { detail: 'Olá' })] }
  fireEvent.click(screen.getByRole('button', { name: 'Rodar' }))
  await screen.findByText('Bom dia')
  expect(screen.queryByText('Fica de fora.')).toBeNull()
})

test('a macro that finalizes without a reason names none', async () => {
  preview = { version: 1, steps: [step('finalize')] }
  show(3)
  await screen.findByText('Sem motivo')
  fireEvent.click(screen.getByRole('button', { name: 'Rodar' }))
  await screen.findByText('Atendimento finalizado!')
  expect(screen.queryByText(/^Motivo:/)).toBeNull()
})

test('the macros to choose from are not said to be none while they are on their way', async () => {
  const { promise, resolve } = Promise.withResolvers<object[]>()
  macros = promise
  show()
  await screen.findByText('Carregando…')
  expect(screen.queryByText('Nenhuma macro encontrada')).toBeNull()
  resolve([])
  await screen.findByText('Nenhuma macro encontrada')
})
