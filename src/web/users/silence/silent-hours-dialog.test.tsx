// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { SilentHours } from '#shared/settings/silent-hours.ts'
import { UiProvider } from '#web/ui/ui-provider.tsx'
import { inApp } from '#web/users/test-app.tsx'
import { SilentHoursDialog } from './silent-hours-dialog.tsx'
import { SilentHoursFields } from './silent-hours-fields.tsx'

const stored: SilentHours = {
  mode: 'hours',
  start: '22:00',
  end: '07:00',
  days: [1],
  daysOff: [],
  mentions: false,
}

let sent: unknown[]
beforeEach(() => {
  sent = []
  vi.stubGlobal('fetch', async (_path: string, { body }: RequestInit) => {
    sent.push(JSON.parse(body as string))
    return Response.json({ message: 'x' }, { status: 500 })
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const start = () => screen.getByLabelText<HTMLInputElement>('Início do silêncio')

test('with Enter silent hours are saved with whole times, and what is wrong gets the focus', async () => {
  render(
    <UiProvider>
      <SilentHoursDialog onClose={() => undefined} />
    </UiProvider>,
    { wrapper: inApp(new QueryClient(), { silentHours: stored }) },
  )
  const enter = () => {
    fireEvent.keyDown(start(), { key: 'Enter' })
    const { form } = start()
    if (form) fireEvent.submit(form)
  }
  fireEvent.change(start(), { target: { value: '2570' } })
  enter()
  await waitFor(() => expect(document.activeElement).toBe(start()))
  expect(sent).toEqual([])
  fireEvent.change(start(), { target: { value: '930' } })
  enter()
  await waitFor(() => expect(sent).toEqual([{ silentHours: { ...stored, start: '09:30' } }]))
})

test('a time that is wrong is as it was before once it is out of sight', async () => {
  const onChange = vi.fn<(next: SilentHours) => void>()
  render(
    <SilentHoursFields
      value={{ ...stored, start: '25:00', end: '06:00' }}
      stored={stored}
      errors={{}}
      onChange={onChange}
    />,
  )
  fireEvent.keyDown(screen.getByRole('combobox'), { key: 'Enter' })
  fireEvent.click(await screen.findByRole('option', { name: 'Nunca' }))
  expect(onChange).toHaveBeenLastCalledWith({ ...stored, mode: 'off', end: '06:00' })
})
