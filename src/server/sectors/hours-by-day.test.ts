import { beforeEach, expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { ManagedNumber } from '#shared/gateway/gateway.ts'
import type { Sector } from '#shared/sectors/sectors.ts'
import type { SystemSettings } from '#shared/settings/settings.ts'
import { sendPositions } from '#server/conversations/automatic/queue-turns.ts'
import { settingsOfNumber } from '#server/settings/settings.ts'
import { eventually, forAllTests, testApp, withoutJobs } from '#server/testing/test-app.ts'

const t = forAllTests(() => testApp({}, withoutJobs))
const chefe = forAllTests(() => t.signIn('admin', 'chefe'))

type WorkingHours = SystemSettings['workingHours']
type DifferentDays = NonNullable<WorkingHours['differentDays']>

const timezone = 'America/Sao_Paulo'
/** 'HH:MM' in so many minutes. */
const clock = (inMinutes: number) =>
  new Date(Date.now() + inMinutes * 60_000).toLocaleTimeString('pt-BR', {
    timeZone: timezone,
    hour: '2-digit',
    minute: '2-digit',
  })
const today = new Date(new Date().toLocaleString('en-US', { timeZone: timezone })).getDay()
/** Today, and the day that it may become while the test runs. */
const now = [today, (today + 1) % 7]
const wholeDay = { start: '00:00', end: '00:00' }
const always: WorkingHours = { ...wholeDay, days: [0, 1, 2, 3, 4, 5, 6] }
const notNow: WorkingHours = { start: '09:00', end: '18:00', days: [(today + 4) % 7] }
const open: DifferentDays = now.map((day) => ({ day, ...wholeDay, lunch: 'none' as const }))
const atLunch: DifferentDays = now.map((day) => ({
  day,
  ...wholeDay,
  lunch: { start: clock(-60), end: clock(120) },
}))
const settings = (values: object) => chefe.request('PATCH', '/api/system-settings', values)
const ofNumber = (values: object) =>
  chefe.request<ManagedNumber>('PATCH', `/api/evolution-config/${t.instanceId}/settings`, values)

beforeEach(async () => {
  await t.sql`delete from conversations`
  await t.sql`update evolution_api_config set default_sector_id = null, own_settings = '{}'`
  await t.sql`delete from sectors`
  await settings({
    timezone,
    workingHours: always,
    lunchBreak: { enabled: false, start: '12:00', end: '13:00' },
    isAutoReplyEnabled: true,
    autoReplyMessage: 'fechado',
    queueMessage: 'fila {{position}}',
    queueWelcomeMessage: '',
    queuePositionUpdateMessage: 'agora {{position}}',
  })
})

async function sector(name: string, workingHours: WorkingHours): Promise<number> {
  const made = await chefe.request<{ id: number }>('POST', '/api/sectors', {
    name,
    color: '#2563eb',
    people: [],
  })
  const { status } = await chefe.request('PATCH', `/api/sectors/${made.body.id}`, { own: { workingHours } })
  expect(status).toBe(204)
  return made.body.id
}
const states = async () =>
  Object.fromEntries((await chefe.get<Sector[]>('/api/sectors')).map((one) => [one.name, one.isOpenNow]))

let clients = 0
/** Somebody writes, whose conversation comes into a sector. @returns their phone */
async function writes(sectorId: number | null): Promise<string> {
  await t.sql`update evolution_api_config set default_sector_id = ${sectorId}`
  const name = `Rita ${++clients}`
  const phone = t.simulator.control.createPhone({ name, number: `5511960640${100 + clients}` })
  t.simulator.control.sendText(phone.id, 'oi')
  const found = () => chefe.get<Conversation[]>('/api/conversations')
  await eventually(found, (all) => all.some((one) => one.contact.name === name && one.sectorId === sectorId))
  return phone.id
}
const toldTo = (phoneId: string) =>
  t.simulator.control.chat(phoneId).flatMap(({ from, text }) => (from === 'company' ? [text] : []))

test('a sector and its queue are opened by days of its own, and closed by their lunch', async () => {
  const [a, b] = [
    await sector('Plantão', { ...notNow, differentDays: open }),
    await sector('Comercial', { ...always, differentDays: atLunch }),
  ]
  expect(await states()).toEqual({ Plantão: true, Comercial: false })
  const ofA = [await writes(a), await writes(a)]
  const ofB = [await writes(b), await writes(b)]
  await t.settled()
  expect(ofA.map(toldTo)).toEqual([['fila 1'], ['fila 2']])
  expect(ofB.map(toldTo)).toEqual([['fechado'], ['fechado']])
  // The first of both leaves: only who waits where it is open learns of the new place.
  await t.sql`delete from conversations where id in (select min(id) from conversations group by sector_id)`
  await t.sql`update queue_pending_conversations
                 set told_at = app_now() - interval '2 minutes', told_position = 2`
  await sendPositions(t.database)
  await t.settled()
  expect(toldTo(ofA[1] ?? '')).toEqual(['fila 2', 'agora 1'])
  expect(toldTo(ofB[1] ?? '')).toEqual(['fechado'])
})

test('a number inherits days with their hours, and has none where it has hours of its own', async () => {
  await settings({ workingHours: { ...notNow, differentDays: open } })
  expect(await chefe.get('/api/system-settings')).toMatchObject({ isOpenNow: true })
  const first = await writes(null)
  // As a version that knew of no such days has stored it.
  await ofNumber({ workingHours: notNow })
  const second = await writes(null)
  const own = { ...notNow, differentDays: open }
  expect((await ofNumber({ workingHours: own })).body.own).toEqual({ workingHours: own })
  const third = await writes(null)
  await t.settled()
  expect([first, second, third].map(toldTo)).toEqual([['fila 1'], ['fechado'], ['fila 3']])
  const inherited = await settingsOfNumber(t.database, t.instanceId, await sector('Financeiro', notNow))
  expect(inherited.workingHours).toEqual(notNow)
})

test.each<[string, unknown, string]>([
  ['twice', [open[0], open[0]], 'Este dia já tem um horário diferente'],
  [
    'of no length',
    [{ day: 6, start: '08:00', end: '08:00', lunch: 'none' }],
    'O fim é igual ao início; para o dia',
  ],
  [
    'without a beginning',
    [{ day: 6, start: '', end: '08:00', lunch: 'none' }],
    'Horário de início é obrigatório',
  ],
  [
    'with a lunch that ends before',
    [{ day: 6, ...wholeDay, lunch: { start: '13:00', end: '12:00' } }],
    'O almoço termina antes de começar',
  ],
  [
    'with a lunch of no length',
    [{ day: 6, ...wholeDay, lunch: { start: '12:00', end: '12:00' } }],
    "O fim é igual ao início; se não há almoço, escolha 'Sem almoço'",
  ],
  [
    'with a lunch of no time',
    [{ day: 6, ...wholeDay, lunch: { start: '1', end: '2' } }],
    'Horário de início inválido',
  ],
  ['with another lunch', [{ day: 6, ...wholeDay, lunch: 'tarde' }], 'Valor inválido'],
  ['that no week has', [{ day: 7, ...wholeDay, lunch: 'none' }], 'No máximo 6'],
])('a day %s is refused in words by the calls for hours of all three', async (_, differentDays, message) => {
  const workingHours = { ...always, differentDays }
  const id = await sector('Financeiro', always)
  const answers = [
    await settings({ workingHours }),
    await ofNumber({ workingHours }),
    await chefe.request('PATCH', `/api/sectors/${id}`, { own: { workingHours } }),
  ]
  for (const { status, body } of answers)
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining(message)])
})
