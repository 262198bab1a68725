// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { inApp } from '#web/users/test-app.tsx'
import { CompanyDialog } from './company-dialog.tsx'

test('a new company is sent without what was left empty', async () => {
  const bodies: unknown[] = []
  vi.stubGlobal('fetch', async (_path: string, { body }: RequestInit) => {
    bodies.push(JSON.parse(body as string))
    return Response.json({ id: 1, name: 'Loja', isActive: true })
  })
  render(<CompanyDialog company={undefined} onClose={() => undefined} />, {
    wrapper: inApp(new QueryClient()),
  })
  fireEvent.change(await screen.findByLabelText('Nome da Empresa *'), { target: { value: 'Loja' } })
  fireEvent.click(screen.getByRole('button', { name: 'Salvar' }))
  await waitFor(() => expect(bodies).toEqual([{ name: 'Loja', isActive: true }]))
})
