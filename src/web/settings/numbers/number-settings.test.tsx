// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { ManagedNumber } from '#shared/gateway/gateway.ts'
import type { Flags } from '#shared/permissions.ts'
import { type SystemSettings, systemSettings } from '#shared/settings/settings.ts'
import { settingsQueries } from '#web/settings/form/queries.ts'
import { toastStore } from '#web/ui/states/toast.ts'
import { NumberSettings } from './number-settings.tsx'
import { inApp } from '#web/users/test-app.tsx'

const texts = Object.fromEntries(
  Object.keys(systemSettings.shape).map((key) => [key, key.endsWith('Message') ? `Texto ${key}` : false]),
)
const installation = {
  ...texts,
  workingHours: { start: '09:00', end: '18:00', days: [1, 2, 3, 4, 5] },
  lunchBreak: { enabled: false, start: '12:00', end: '13:00' },
  timezone: 'America/Sao_Paulo',
  scheduleExceptions: [],
  quickResponses: [],
  companyName: '',
  whatsappNumber: '',
  undoSendSeconds: 0,
  maxActivePerOperator: 5,
  preAttendanceMostInvalid: 3,
  inactivityWarningMinutes: 0,
  inactivityAppliesTo: 'client',
} as unknown as SystemSettings

let saved: unknown[]
/** Why the server refuses, if it does. */
let refusal: string | undefined
beforeEach(() => {
  saved = []
  refusal = undefined
  vi.stubGlobal('fetch', async (path: string, { method = 'GET', body }: RequestInit) => {
    if (method === 'GET') return Response.json([])
    if (refusal) return Response.json({ code: 'gateway.not_found', message: refusal }, { status: 404 })
    const own = JSON.parse(body as string) as ManagedNumber['own']
    saved.push([`${method} ${path}`, own])
    return Response.json({ ...numberWith(own) })
  })
})

const numberWith = (own: ManagedNumber['own']) => ({ id: 2, instanceName: 'loja2', own }) as ManagedNumber

function show(own: ManagedNumber['own'], may: Partial<Flags> = { canEditSettings: true }) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  const known = { ...installation, isOpenNow: true, changesAt: null, version: 4 }
  client.setQueryData(settingsQueries.system().queryKey, known)
  render(<NumberSettings number={numberWith(own)} onSaved={() => undefined} />, {
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

test('the settings of a number save only its own values', async () => {
  show({ finalizationMessage: 'Até logo' })
  choose('Avaliação', 'Próprio')
  screen.getByText('1 mudança não salva')
  fireEvent.change(section('Avaliação').getByRole('textbox'), { target: { value: 'Que nota?' } })
  save()
  const own = { finalizationMessage: 'Até logo', ratingsEnabled: false, ratingMessage: 'Que nota?' }
  await waitFor(() => expect(saved).toEqual([['PUT /api/evolution-config/2/settings', own]]))
  await screen.findByText('Tudo salvo')
})

test('a number returns to the settings of the installation, until saved', async () => {
  show({ finalizationMessage: 'Até logo' })
  choose('Finalização', 'Da instalação')
  section('Finalização').getByText('Texto finalizationMessage')
  choose('Finalização', 'Próprio')
  expect(textIn('Finalização')).toBe('Até logo')
  screen.getByText('Tudo salvo')
  choose('Finalização', 'Da instalação')
  save()
  await waitFor(() => expect(saved).toEqual([['PUT /api/evolution-config/2/settings', {}]]))
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
