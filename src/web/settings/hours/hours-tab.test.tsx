// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
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

const days = 'Horário diferente em alguns dias'
const group = (day: string) => within(screen.getByRole('group', { name: `Horário de ${day}` }))
const choose = (of: ReturnType<typeof group>, field: string, option: string) => {
  fireEvent.keyDown(of.getByRole('combobox', { name: field }), { key: 'ArrowDown' })
  fireEvent.click(screen.getByRole('option', { name: option }))
}
const type = (of: ReturnType<typeof group>, field: string, text: string) => {
  const input = of.getByLabelText(field)
  fireEvent.change(input, { target: { value: text } })
  fireEvent.blur(input)
}

test('days with hours of their own are added, changed and saved as they stand in the form', async () => {
  show({})
  fireEvent.click(await screen.findByRole('switch', { name: days }))
  // Saturday until noon: open, although it is none of the usual days.
  screen.getByText('08:00–12:00')
  expect(screen.getByRole('switch', { name: 'Sábado' }).getAttribute('aria-checked')).toBe('true')
  type(group('Sábado'), 'Até', '1230')
  choose(group('Sábado'), 'Almoço', 'Sem almoço')
  screen.getByText('08:00–12:30')
  fireEvent.click(screen.getByRole('button', { name: 'Adicionar dia' }))
  choose(group('Domingo'), 'Dia', 'Terça')
  fireEvent.click(group('Terça').getByRole('switch', { name: 'Dia inteiro (24 h)' }))
  choose(group('Terça'), 'Almoço', 'Outro almoço')
  type(group('Terça'), 'Almoço das', '11')
  type(group('Terça'), 'Almoço até', '11h45')
  screen.getByText('00:00–11:00, 11:45–24:00')
  save()
  const differentDays = [
    { day: 6, start: '08:00', end: '12:30', lunch: 'none' },
    { day: 2, start: '00:00', end: '00:00', lunch: { start: '11:00', end: '11:45' } },
  ]
  const workingHours = { ...settings.workingHours, differentDays }
  await waitFor(() => expect(saved).toEqual([{ workingHours, version: 1 }]))
})

test('a day with hours of its own that is removed takes no other with it', async () => {
  const lunch = { start: '11:00', end: '11:30' }
  const differentDays = [
    { day: 6, start: '08:00', end: '12:00', lunch },
    { day: 0, start: '10:00', end: '11:00', lunch: 'none' },
    { day: 3, start: '07:00', end: '20:00', lunch: 'usual' },
  ]
  show({ workingHours: { ...settings.workingHours, differentDays } })
  fireEvent.click(await screen.findByRole('button', { name: 'Remover horário de Sábado' }))
  expect(screen.queryByRole('group', { name: 'Horário de Sábado' })).toBeNull()
  expect(group('Domingo').getByLabelText<HTMLInputElement>('Até').value).toBe('11:00')
  choose(group('Domingo'), 'Almoço', 'Outro almoço')
  choose(group('Domingo'), 'Almoço', 'Almoço padrão')
  // The switch of the week closes a day with hours of its own, too.
  fireEvent.click(screen.getByRole('switch', { name: 'Quarta' }))
  expect(screen.queryByRole('group', { name: 'Horário de Quarta' })).toBeNull()
  save()
  const workingHours = {
    start: '09:00',
    end: '18:00',
    days: [1, 2, 4, 5],
    differentDays: [{ day: 0, start: '10:00', end: '11:00', lunch: 'usual' }],
  }
  await waitFor(() => expect(saved[0]).toMatchObject({ workingHours }))
  expect(saved[0]?.['workingHours']).toEqual(workingHours)
})

test('days with hours of their own come back with their switch, which the last one turns off', async () => {
  const sunday = { day: 0, start: '10:00', end: '11:00', lunch: 'usual' }
  show({ workingHours: { ...settings.workingHours, differentDays: [sunday] } })
  fireEvent.click(await screen.findByRole('switch', { name: days }))
  expect(screen.queryByRole('group', { name: 'Horário de Domingo' })).toBeNull()
  fireEvent.click(screen.getByRole('switch', { name: days }))
  group('Domingo')
  fireEvent.click(screen.getByRole('button', { name: 'Remover horário de Domingo' }))
  expect(screen.getByRole('switch', { name: days }).getAttribute('aria-checked')).toBe('false')
  save()
  await waitFor(() => expect(saved[0]?.['workingHours']).toEqual(settings.workingHours))
})

test('days that are switched on and off again leave nothing to save', async () => {
  show({})
  const toggle = await screen.findByRole('switch', { name: days })
  fireEvent.click(toggle)
  screen.getByText('1 mudança não salva')
  fireEvent.click(toggle)
  await waitFor(() => expect(screen.queryByText(/não salva/)).toBeNull())
})

test('what is wrong with a day with hours of its own is said beside its field, and not saved', async () => {
  show({})
  fireEvent.click(await screen.findByRole('switch', { name: days }))
  type(group('Sábado'), 'Das', '')
  type(group('Sábado'), 'Até', '25:00')
  choose(group('Sábado'), 'Almoço', 'Outro almoço')
  type(group('Sábado'), 'Almoço até', '11:30')
  save()
  for (const text of [
    'Horário de início é obrigatório',
    'Horário de fim inválido',
    'O almoço termina antes de começar',
  ])
    await group('Sábado').findByText(text)
  type(group('Sábado'), 'Das', '8')
  type(group('Sábado'), 'Até', '8')
  type(group('Sábado'), 'Almoço até', '12')
  await group('Sábado').findByText(/^O fim é igual ao início; para o dia inteiro/)
  await group('Sábado').findByText(/^O fim é igual ao início; se não há almoço, escolha 'Sem almoço'/)
  expect(saved).toEqual([])
})

test('where only days with hours of their own are open, these are the usual days', async () => {
  show({})
  fireEvent.click(await screen.findByRole('switch', { name: days }))
  for (const name of ['Segunda', 'Terça', 'Quarta', 'Quinta', 'Sexta'])
    fireEvent.click(screen.getByRole('switch', { name }))
  expect(screen.queryByText('Selecione pelo menos um dia')).toBeNull()
  save()
  await waitFor(() =>
    expect(saved[0]).toMatchObject({ workingHours: { days: [6], differentDays: [{ day: 6 }] } }),
  )
})

test('days with hours of their own that were changed stand as before once that is discarded', async () => {
  const lunch = { start: '11:00', end: '11:30' }
  const saturday = { day: 6, start: '08:00', end: '12:00', lunch }
  show({ workingHours: { ...settings.workingHours, differentDays: [saturday] } })
  choose(within(await screen.findByRole('group', { name: 'Horário de Sábado' })), 'Almoço', 'Sem almoço')
  fireEvent.click(screen.getByRole('button', { name: 'Adicionar dia' }))
  group('Domingo')
  fireEvent.click(screen.getByRole('button', { name: 'Descartar' }))
  expect(screen.queryByRole('group', { name: 'Horário de Domingo' })).toBeNull()
  expect(group('Sábado').getByLabelText<HTMLInputElement>('Almoço até').value).toBe('11:30')
  fireEvent.click(screen.getByRole('button', { name: 'Remover horário de Sábado' }))
  screen.getByText(/não salva/)
  fireEvent.click(screen.getByRole('button', { name: 'Descartar' }))
  expect(group('Sábado').getByLabelText<HTMLInputElement>('Almoço das').value).toBe('11:00')
  expect(screen.queryByText(/não salva/)).toBeNull()
})
