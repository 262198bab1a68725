// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import type { ReactElement } from 'react'
import { expect, test, vi } from 'vitest'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { conversationRow } from '#web/conversations/cache/test-rows.ts'
import { FinalizeDialog } from '#web/conversations/chat/dialogs/finalize-dialog.tsx'
import { FinalizeSeveral, TransferSeveral } from '#web/conversations/selection/bulk-dialogs.tsx'
import { reasonQueries } from '#web/reasons/reasons.tsx'
import { knownReasons } from '#web/reasons/test-reasons.ts'
import { inApp } from '#web/users/test-app.tsx'
import { HandOverDialog } from './hand-over-dialog.tsx'

const here = conversationRow({ id: 1, assignedUserId: 7 })
const onClose = vi.fn()
const onStart = vi.fn()
const several = { rows: [here], onStart, onClose }

test.each<[string, () => ReactElement]>([
  ['a finalization', () => <FinalizeDialog conversation={here} onClose={onClose} />],
  ['several finalizations', () => <FinalizeSeveral {...several} />],
  ['several transfers', () => <TransferSeveral {...several} />],
  ['the end of a shift', () => <HandOverDialog mayReturn mayTransfer onClose={onClose} />],
])('Esc asks before the notes of %s are lost, and nothing is asked without any', async (_which, dialog) => {
  vi.stubGlobal('fetch', async () => Response.json([]))
  onClose.mockClear()
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  client.setQueryData(conversationQueries.open().queryKey, [here])
  client.setQueryData(reasonQueries.known().queryKey, knownReasons())
  render(dialog(), { wrapper: inApp(client, { id: 7, permissions: { canEditConversations: true } }) })
  const field = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: /^(Notas|Observação)/ })
  const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
  fireEvent.change(field, { target: { value: 'falta o boleto' } })
  fireEvent.keyDown(field, { key: 'Escape' })
  await screen.findByRole('dialog', { name: 'Descartar o que você escreveu?' })
  press('Continuar editando')
  expect(field.value).toBe('falta o boleto')
  expect(onClose).not.toHaveBeenCalled()
  fireEvent.change(field, { target: { value: '' } })
  press('Cancelar')
  expect(onClose).toHaveBeenCalledOnce()
})
