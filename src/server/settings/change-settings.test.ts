import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { ErrorBody } from '#shared/errors.ts'
import type { MediaSettings } from '#shared/settings/settings-endpoints.ts'
import type { SystemSettings } from '#shared/settings/settings.ts'
import { movableClock } from '#server/testing/database/movable-clock.ts'
import { connectLive } from '../testing/live-client.ts'
import { resetSettings } from '../testing/quiet-settings.ts'
import { saveSettings } from './settings.ts'
import { type Client, forAllTests, testApp } from '../testing/test-app.ts'

const t = forAllTests(testApp)
const clock = forAllTests(() => movableClock(t.database))
// Before the sessions begin.
beforeAll(() => clock.set(new Date('2027-03-09T10:00:00-03:00')))
const admin = forAllTests(() => t.signIn('admin', 'adm'))
const ana = forAllTests(() => t.signIn('operator', 'ana'))
const chief = forAllTests(() => t.signIn('supervisor', 'sup'))
beforeEach(() => resetSettings(t.database))

type Read = Partial<SystemSettings> & { isOpenNow: boolean; changesAt: string | null; version: number }
const read = (who = admin) => who.get<Read>('/api/system-settings')
const save = (who: Client, body: unknown) =>
  who.request<Read & ErrorBody>('PATCH', '/api/system-settings', body)

test('the sent settings are changed and pushed, and the rest stays', async () => {
  const tab = await connectLive(t.app.url, { token: ana.token })
  await tab.heard('hello')
  const before = await read()
  const { status, body } = await save(admin, {
    queueMessage: 'Você é o {{position}}º',
    maxActivePerOperator: 7,
  })
  expect(status).toBe(200)
  expect(body).toMatchObject({ queueMessage: 'Você é o {{position}}º', maxActivePerOperator: 7 })
  expect(body.version).toBeGreaterThan(before.version)
  await tab.heard('settings_changed')
  expect(await read()).toEqual({ ...before, ...body, changesAt: expect.anything() as unknown })
  const [entry] = await t.sql`select user_id as "userId", details from audit_logs
    where action = 'settings.change' order by id desc limit 1`
  expect(entry).toEqual({
    userId: admin.userId,
    details: {
      version: body.version,
      names: ['queueMessage', 'maxActivePerOperator'],
      changes: {
        queueMessage: [before.queueMessage, 'Você é o {{position}}º'],
        maxActivePerOperator: [before.maxActivePerOperator, 7],
      },
    },
  })
  await tab.close()
})

test('the second of two who edit one setting is refused with the name of the first', async () => {
  const { version } = await read()
  expect(await save(chief, { transferMessage: 'da supervisora', version })).toMatchObject({ status: 200 })
  const refused = await save(admin, { transferMessage: 'da administração', queueMessage: 'fila', version })
  expect(refused).toMatchObject({
    status: 409,
    body: { code: 'settings.changed', message: 'Sup mudou estas configurações enquanto você editava.' },
  })
  expect(await read()).toMatchObject({ transferMessage: 'da supervisora', queueMessage: '' })
  // A change of another setting is no conflict.
  expect(await save(admin, { farewellMessage: 'até mais', version })).toMatchObject({ status: 200 })
  expect(await read()).toMatchObject({ transferMessage: 'da supervisora', farewellMessage: 'até mais' })
})

test('whoever goes on from the version of their own change meets no conflict', async () => {
  const first = await save(admin, { transferMessage: 'uma' })
  const { version } = first.body
  expect(await save(admin, { transferMessage: 'outra', version })).toMatchObject({ status: 200 })
  expect(await read()).toMatchObject({ transferMessage: 'outra' })
})

test('an equal value is no change of the settings', async () => {
  const { version } = await read()
  expect((await save(admin, { isAutoReplyEnabled: false })).body.version).toBe(version)
})

test.each([
  [{ workingHours: { start: '', end: '18:00', days: [1] } }, 'Horário de início é obrigatório'],
  [{ workingHours: { start: '09:00', end: '', days: [1] } }, 'Horário de fim é obrigatório'],
  [{ workingHours: { start: '09:00', end: '18:00', days: [] } }, 'Selecione pelo menos um dia'],
  [{ workingHours: { start: '09:00', end: '09:00', days: [1] } }, 'O fim é igual ao início; para o dia'],
  [{ lunchBreak: { start: '12:00', end: '12:00' } }, 'O fim é igual ao início; se não há almoço'],
  [{ timezone: 'Mars/Olympus' }, 'Fuso horário é obrigatório'],
  [{ maxActivePerOperator: 0 }, undefined],
  [{ inactivityWarningMinutes: 30 }, undefined],
  [{ undoSendSeconds: 1 }, undefined],
  [{ undoSendSeconds: 2 }, undefined],
  [{ undoSendSeconds: 11 }, undefined],
  [{ nothing: true }, undefined],
  [{ queueMessage: 'a'.repeat(4097) }, undefined],
])('the settings refuse %j, and nothing is changed', async (body, message) => {
  const before = await read()
  const answer = await save(admin, body)
  expect(answer.status).toBe(400)
  if (message) expect(JSON.stringify(answer.body)).toContain(message)
  expect((await read()).version).toBe(before.version)
})

test('hours and a lunch break that leave no open minute are refused', async () => {
  const lunchBreak = { enabled: true, start: '08:00', end: '19:00' }
  const workingHours = { start: '09:00', end: '18:00', days: [1, 2] }
  expect(await save(admin, { workingHours, lunchBreak })).toMatchObject({
    status: 422,
    body: { code: 'settings.never_opens' },
  })
  expect((await read()).lunchBreak).not.toMatchObject(lunchBreak)
})

test('hours that were stored before days could differ are read as they were, and changed', async () => {
  const workingHours = { start: '08:00', end: '17:00', days: [1, 2, 3, 4, 5] }
  await saveSettings(t.database, { workingHours })
  expect((await read()).workingHours).toEqual(workingHours)
  const differentDays = [{ day: 6, start: '08:00', end: '12:00', lunch: 'usual' }]
  const saved = { workingHours: { ...workingHours, differentDays } }
  expect(await save(admin, saved)).toMatchObject({ status: 200, body: saved })
  expect((await read(ana)).workingHours).toEqual(saved.workingHours)
  const [entry] = await t.sql`select details -> 'changes' as changes from audit_logs
                               where action = 'settings.change' order by id desc limit 1`
  expect(entry?.['changes']).toEqual({ workingHours: [{}, { differentDays }] })
  // Days belong to the hours: who sends hours without any has none.
  expect(await save(admin, { workingHours })).toMatchObject({ status: 200 })
  expect((await read()).workingHours).toEqual(workingHours)
})

test('a lunch break of no length is saved only while it is switched off', async () => {
  const lunchBreak = { enabled: false, start: '12:00', end: '12:00' }
  expect(await save(admin, { lunchBreak })).toMatchObject({ status: 200, body: { lunchBreak } })
  // One that was stored before that was refused.
  await saveSettings(t.database, { lunchBreak: { ...lunchBreak, enabled: true } })
  expect((await read()).lunchBreak).toEqual(lunchBreak)
})

test.each([0, 3, 10])(
  'a send can be undone for %i seconds if the settings say so',
  async (undoSendSeconds) => {
    expect((await save(admin, { undoSendSeconds })).status).toBe(200)
    expect((await read(ana)).undoSendSeconds).toBe(undoSendSeconds)
  },
)

test('everybody reads the working hours, and whether it is open now', async () => {
  await clock.set(new Date('2027-03-09T11:59:00-03:00'))
  expect(await read(ana)).toMatchObject({
    isOpenNow: true,
    changesAt: '2027-03-09T15:00:00.000Z',
    timezone: 'America/Sao_Paulo',
  })
  await clock.set(new Date('2027-03-09T12:00:00-03:00'))
  expect(await read(ana)).toMatchObject({ isOpenNow: false, changesAt: '2027-03-09T16:00:00.000Z' })
  expect(Object.keys(await read(ana))).not.toContain('queueMessage')
})

const readMedia = (who: Client) => who.get<MediaSettings>('/api/media-settings')
const places = ['baseMediaUrl', 'evolutionApiProxyUrl', 'localFilesUrl', 'uploadDirectory', 'cacheDirectory']

test('a reader of settings sees where files are, an uploader only what may be uploaded', async () => {
  const all = await readMedia(admin)
  expect(all).toMatchObject({
    id: 1,
    maxFileSize: 10_485_760,
    allowedImageTypes: ['image/jpeg', 'image/png', 'image/gif', 'image/webp'],
    baseMediaUrl: '/api/media',
  })
  expect(Object.keys(all)).toEqual(expect.arrayContaining(places))
  const own = await readMedia(ana)
  expect(own.allowedDocumentTypes).toContain('application/pdf')
  expect(Object.keys(own).filter((key) => places.includes(key))).toEqual([])
})

test('the text of a refused file is changed once for both screens, and pushed', async () => {
  const tab = await connectLive(t.app.url, { token: ana.token })
  await tab.heard('hello')
  const text = 'Este arquivo não podemos abrir.'
  const saved = await admin.request<MediaSettings>('PUT', '/api/media-settings', { blockedFileMessage: text })
  expect(saved).toMatchObject({ status: 200, body: { blockedFileMessage: text } })
  await tab.heard('settings_changed')
  const { body } = await admin.request<SystemSettings>('GET', '/api/system-settings')
  expect(body.blockedFileMessage).toBe(text)
  await tab.close()
})

test('nothing but the text is changed by this call', async () => {
  const more = await admin.request('PUT', '/api/media-settings', { blockedFileMessage: '', maxFileSize: 1 })
  expect(more.status).toBe(400)
  expect((await readMedia(admin)).maxFileSize).toBe(10_485_760)
})
