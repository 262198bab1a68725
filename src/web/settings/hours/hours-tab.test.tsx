// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { systemSettings } from '#shared/settings/settings.ts'
import { UiProvider } from '#web/ui/ui-provider.tsx'
import { inApp } from '#web/users/test-app.tsx'
import { HoursTab } from './hours-tab.tsx'

test('hours of a time zone that is not known are shown, and not saved', async () => {
  const settings = {
    ...Object.fromEntries(Object.keys(systemSettings.shape).map((key) => [key, ''])),
    workingHours: { start: '09:00', end: '18:00', days: [1, 2, 3, 4, 5] },
    lunchBreak: { enabled: true, start: '12:00', end: '13:00' },
    timezone: '',
    scheduleExceptions: [],
    isAutoReplyEnabled: true,
    autoReplyMessage: 'Voltamos amanhã.',
  }
  const methods: string[] = []
  vi.stubGlobal('fetch', async (_path: string, { method }: RequestInit) => {
    methods.push(method ?? 'GET')
    return Response.json(settings)
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
  fireEvent.click(await screen.findByRole('switch', { name: 'Terça' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Salvar' }))
  await screen.findByText('Fuso horário é obrigatório')
  expect(new Set(methods)).toEqual(new Set(['GET']))
})
