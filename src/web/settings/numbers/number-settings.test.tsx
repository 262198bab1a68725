// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { ManagedNumber } from '#shared/gateway/gateway.ts'
import type { Flags } from '#shared/permissions.ts'
import type { NumberSettingsChange } from '#shared/settings/own-settings.ts'
import { settingsQueries } from '#web/settings/form/queries.ts'
import { testSettings } from '#web/settings/form/test-settings.ts'
import { toastStore } from '#web/ui/states/toast.ts'
import { NumberSettings } from './number-settings.tsx'
import { inApp } from '#web/users/test-app.tsx'

let saved: unknown[]
/** Why the server refuses, if it does. */
let refusal: string | undefined
beforeEach(() => {
  saved = []
  refusal = undefined
  vi.stubGlobal('fetch', async (path: string, { method = 'GET', body }: RequestInit) => {
    if (method === 'GET') return Response.json([])
    if (refusal) return Response.json({ code: 'gateway.not_found', message: refusal }, { status: 404 })
    const { version, ...change } = JSON.parse(body as string) as NumberSettingsChange
    saved.push([`${method} ${path}`, version, change])
    const after = Object.entries({ ...stored.own, ...change }).filter(([, value]) => value !== null)
    return Response.json({ ...stored, own: Object.fromEntries(after), ownVersion: stored.ownVersion + 1 })
  })
})

/** As the server has it, version 3 of what is its own. */
let stored: ManagedNumber

function show(own: ManagedNumber['own'], may: Partial<Flags> = { canEditSettings: true }, more: object = {}) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  const known = { ...testSettings, ...more, isOpenNow: true, changesAt: null, version: 4 }
  client.setQueryData(settingsQueries.system().queryKey, known)
  stored = { id: 2, instanceName: 'loja2', own, ownVersion: 3 } as ManagedNumber
  return render(<NumberSettings number={stored} onSaved={() => undefined} />, {
    wrapper: inApp(client, { id: 1, name: 'Eu', role: 'admin', permissions: may }),
  })
}

const section = (name: string) => within(screen.getByRole('region', { name }))
const choose = (name: string, where: string) =>
  fireEvent.click(section(name).getByRole('radio', { name: where }))
const save = () => fireEvent.click(screen.getByRole('button', { name: 'Salvar' }))
const textIn = (name: string) => section(name).queryByRole<HTMLTextAreaElement>('textbox')?.value

test('the settings of a number show inherited values as such', () => {
  show({ finalizationMessage: 'Até logo' })
  expect(textIn('Finalização')).toBe('Até logo')
  expect(textIn('Transferência')).toBeUndefined()
  section('Transferência').getByText('Texto transferMessage')
  screen.getByText('Tudo salvo')
})

test('the settings of a number save only what was changed, with the version that was seen', async () => {
  show({ finalizationMessage: 'Até logo' })
  choose('Avaliação', 'Próprio')
  screen.getByText('1 mudança não salva')
  fireEvent.change(section('Avaliação').getByRole('textbox'), { target: { value: 'Que nota?' } })
  save()
  const change = { ratingsEnabled: false, ratingMessage: 'Que nota?' }
  await waitFor(() => expect(saved).toEqual([['PATCH /api/evolution-config/2/settings', 3, change]]))
  await screen.findByText('Tudo salvo')
})

test('a number returns to the settings of the testSettings, until saved', async () => {
  show({ finalizationMessage: 'Até logo' })
  choose('Finalização', 'Da instalação')
  section('Finalização').getByText('Texto finalizationMessage')
  choose('Finalização', 'Próprio')
  expect(textIn('Finalização')).toBe('Até logo')
  screen.getByText('Tudo salvo')
  choose('Finalização', 'Da instalação')
  save()
  const change = { finalizationMessage: null }
  await waitFor(() => expect(saved).toEqual([['PATCH /api/evolution-config/2/settings', 3, change]]))
})

test('hours that a number makes its own begin with the days of the installation', async () => {
  const saturday = { day: 6, start: '08:00', end: '12:00', lunch: 'usual' as const }
  const workingHours = { ...testSettings.workingHours, differentDays: [saturday] }
  show({}, undefined, { workingHours })
  section('Horário').getByText('08:00–12:00')
  choose('Horário', 'Próprio')
  const days = section('Horário').getByRole('switch', { name: 'Horário diferente em alguns dias' })
  expect(days.getAttribute('aria-checked')).toBe('true')
  const day = within(section('Horário').getByRole('group', { name: 'Horário de Sábado' }))
  fireEvent.change(day.getByLabelText('Até'), { target: { value: '13:00' } })
  save()
  const change = {
    workingHours: { ...workingHours, differentDays: [{ ...saturday, end: '13:00' }] },
    lunchBreak: testSettings.lunchBreak,
    scheduleExceptions: [],
  }
  await waitFor(() => expect(saved).toEqual([['PATCH /api/evolution-config/2/settings', 3, change]]))
})

test('what a colleague makes of a number meanwhile stays, and the same text is asked about', async () => {
  const { rerender } = show({})
  choose('Finalização', 'Próprio')
  fireEvent.change(section('Finalização').getByRole('textbox'), { target: { value: 'Tchau' } })
  const theirs = (own: ManagedNumber['own'], ownVersion: number) =>
    rerender(<NumberSettings number={{ ...stored, own, ownVersion }} onSaved={() => undefined} />)
  theirs({ transferMessage: 'Um instante' }, 4)
  await waitFor(() => expect(textIn('Transferência')).toBe('Um instante'))
  expect(textIn('Finalização')).toBe('Tchau')
  expect(screen.queryByText(/Outra pessoa mudou/)).toBeNull()
  theirs({ transferMessage: 'Um instante', finalizationMessage: 'Até' }, 5)
  await screen.findByText(/Outra pessoa mudou/)
  fireEvent.click(screen.getByRole('button', { name: 'Manter o meu' }))
  save()
  const change = { finalizationMessage: 'Tchau' }
  await waitFor(() => expect(saved).toEqual([['PATCH /api/evolution-config/2/settings', 5, change]]))
})

test('a refusal is reported, and nothing that was typed is lost', async () => {
  refusal = 'Número não encontrado'
  show({})
  choose('Finalização', 'Próprio')
  fireEvent.change(section('Finalização').getByRole('textbox'), { target: { value: 'Tchau' } })
  save()
  const words = 'Falha ao salvar configurações: Número não encontrado'
  await waitFor(() => expect(toastStore.get()?.title).toBe(words))
  expect(textIn('Finalização')).toBe('Tchau')
})

test('a person who may not edit settings reads those of a number', () => {
  show({ finalizationMessage: 'Até logo' }, {})
  const fields = section('Finalização').getByRole('textbox').closest('fieldset')
  expect(fields?.disabled).toBe(true)
  expect(screen.queryByRole('button', { name: 'Salvar' })).toBeNull()
})
