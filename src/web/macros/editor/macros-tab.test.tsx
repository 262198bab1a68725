// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { ManagedMacro } from '#shared/macros/managed-macros.ts'
import { UiProvider } from '#web/ui/ui-provider.tsx'
import { inApp } from '#web/users/test-app.tsx'
import { MacrosTab } from './macros-tab.tsx'
import { managedMacros } from './queries.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const macro = (id: number, name: string) =>
  ({
    id,
    name,
    shortcut: name.toLowerCase(),
    steps: [{ kind: 'text', text: 'Obrigada!' }],
    isShared: false,
    sectorId: null,
    isChangeable: true,
    uses: 0,
    lastUsedAt: null,
    version: 1,
  }) as ManagedMacro

const nameField = () => screen.getByLabelText<HTMLInputElement>(/^Nome/)

test.each([
  ['another row', /^Volta/, 'Volta'],
  ['a new one', 'Nova macro', ''],
  ['a copy', 'Duplicar', 'Fim do dia (cópia)'],
])('a changed macro is left for %s only after a question', async (_what, button, then) => {
  vi.stubGlobal('fetch', async () => Response.json([]))
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  client.setQueryData(managedMacros().queryKey, [macro(1, 'Fim'), macro(2, 'Volta')])
  render(
    <UiProvider>
      <MacrosTab />
    </UiProvider>,
    { wrapper: inApp(client) },
  )
  fireEvent.click(screen.getByRole('button', { name: /^Fim/ }))
  fireEvent.change(nameField(), { target: { value: 'Fim do dia' } })
  const go = screen.getByRole('button', { name: button })
  fireEvent.click(go)
  fireEvent.click(await screen.findByRole('button', { name: 'Continuar editando' }))
  expect(nameField().value).toBe('Fim do dia')
  fireEvent.click(go)
  fireEvent.click(await screen.findByRole('button', { name: 'Sair sem salvar' }))
  await waitFor(() => expect(nameField().value).toBe(then))
})

test('a macro that was not changed is left without a question', () => {
  vi.stubGlobal('fetch', async () => Response.json([]))
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  client.setQueryData(managedMacros().queryKey, [macro(1, 'Fim'), macro(2, 'Volta')])
  render(
    <UiProvider>
      <MacrosTab />
    </UiProvider>,
    { wrapper: inApp(client) },
  )
  fireEvent.click(screen.getByRole('button', { name: /^Fim/ }))
  fireEvent.click(screen.getByRole('button', { name: /^Volta/ }))
  expect(nameField().value).toBe('Volta')
})
