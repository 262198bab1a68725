// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { testSettings } from '#web/settings/form/test-settings.ts'
import { UiProvider } from '#web/ui/ui-provider.tsx'
import { inApp } from '#web/users/test-app.tsx'
import { HoursTab } from './hours-tab.tsx'

const settings = { ...testSettings, lunchBreak: { enabled: true, start: '12:00', end: '13:00' }, version: 1 }

/** What was saved, from the last. */
let saved: Record<string, unknown>[]
function show(more: object) {
  saved = []
  vi.stubGlobal('fetch', async (_path: string, { body }: RequestInit) => {
    if (typeof body === 'string') saved.unshift(JSON.parse(body) as Record<string, unknown>)
    return Response.json({ ...settings, ...more, ...saved[0] })
  })
  render(
    <UiProvider>
      <HoursTab />
    </UiProvider>,
    {
      wrapper: inApp(new QueryClient(), {
        role: 'admin',
        permissions: { canViewSettings: true, canEditSettings: true },
      }),
    },
  )
}
const save = () => fireEvent.click(screen.getByRole('button', { name: 'Salvar' }))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('hours of a time zone that is not known are shown, and not saved', async () => {
  show({ timezone: '' })
  fireEvent.click(await screen.findByRole('switch', { name: 'Terça' }))
  save()
  await screen.findByText('Fuso horário é obrigatório')
  expect(saved).toEqual([])
})

test('the switch for 24 hours opens the days of the week from midnight to midnight, and back', async () => {
  show({})
  const whole = await screen.findByRole('switch', { name: '24 horas' })
  expect(whole.getAttribute('aria-checked')).toBe('false')
  fireEvent.change(screen.getByLabelText('Início'), { target: { value: '07:30' } })
  fireEvent.click(whole)
  expect(whole.getAttribute('aria-checked')).toBe('true')
  const times = () => ['Início', 'Fim'].map((label) => screen.getByLabelText<HTMLInputElement>(label).value)
  expect(times()).toEqual(['00:00', '00:00'])
  fireEvent.click(whole)
  expect(times()).toEqual(['07:30', '18:00'])
  // Typed, it is the same.
  for (const label of ['Início', 'Fim'])
    fireEvent.change(screen.getByLabelText(label), { target: { value: '00:00' } })
  expect(whole.getAttribute('aria-checked')).toBe('true')
  save()
  const workingHours = { ...settings.workingHours, start: '00:00', end: '00:00' }
  await waitFor(() => expect(saved[0]).toMatchObject({ workingHours }))
})

test('an exception is open for 24 hours, without times to type', async () => {
  show({ scheduleExceptions: [{ date: '2026-12-24', hours: null, message: '' }] })
  const kind = await screen.findByRole('combobox', { name: 'Atendimento' })
  const choose = (name: string) => {
    fireEvent.keyDown(kind, { key: 'ArrowDown' })
    fireEvent.click(screen.getByRole('option', { name }))
    expect(kind.textContent).toBe(name)
  }
  choose('Outro horário')
  screen.getByLabelText('Das')
  choose('Fechado')
  choose('24 horas')
  expect(screen.queryByLabelText('Das')).toBeNull()
  save()
  const scheduleExceptions = [{ date: '2026-12-24', hours: { start: '00:00', end: '00:00' } }]
  await waitFor(() => expect(saved[0]).toMatchObject({ scheduleExceptions }))
})
