// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { Backup } from '#shared/maintenance/maintenance.ts'
import { zonedDates } from '#shared/text/time/zoned-dates.ts'
import { inApp } from '#web/users/test-app.tsx'
import { RestoreDialog } from './restore-dialog.tsx'

const backup: Backup = {
  id: 5,
  name: 'Backup_18-11-2026_23-00',
  type: 'complete',
  status: 'completed',
  size: 1000,
  conversationsCount: 1,
  messagesCount: 1,
  mediaFilesCount: 0,
  error: null,
  isEncrypted: false,
  isUnsigned: true,
  isImported: true,
  createdBy: null,
  createdAt: '2026-11-18T23:00:00.000Z',
  completedAt: '2026-11-18T23:01:00.000Z',
  proof: null,
}
const trust = 'Confio neste backup, mesmo sem assinatura'

/** Shows the dialog. @returns the bodies that it sends */
function shown(of: Backup): unknown[] {
  const bodies: unknown[] = []
  vi.stubGlobal('fetch', async (_path: string, { body }: RequestInit = {}) => {
    if (typeof body === 'string') bodies.push(JSON.parse(body))
    return Response.json({ code: 'maintenance.busy', message: '' }, { status: 409 })
  })
  render(<RestoreDialog backup={of} dates={zonedDates('America/Sao_Paulo')} onClose={() => undefined} />, {
    wrapper: inApp(new QueryClient({ defaultOptions: { queries: { retry: false } } })),
  })
  return bodies
}

test('a backup without a signature is looked at and restored only after a tick', async () => {
  const bodies = shown(backup)
  fireEvent.click(await screen.findByLabelText('Configurações, categorias e gateway'))
  const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
  for (const name of ['Ver o que muda', 'Restaurar']) expect(button(name).disabled).toBe(true)
  fireEvent.click(screen.getByLabelText(trust))
  fireEvent.click(button('Restaurar'))
  await waitFor(() =>
    expect(bodies).toEqual([{ restoreSettings: true, restoreComplete: false, acceptUnsigned: true }]),
  )
})

test('a backup that is signed, or where none is, is restored without asking for trust', async () => {
  const bodies = shown({ ...backup, isUnsigned: false })
  fireEvent.click(await screen.findByLabelText('Configurações, categorias e gateway'))
  expect(screen.queryByLabelText(trust)).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Restaurar' }))
  await waitFor(() => expect(bodies).toEqual([{ restoreSettings: true, restoreComplete: false }]))
})
