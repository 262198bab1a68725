import { expect, test } from 'vitest'
import type { MediaSettings, SystemSettings } from '#shared/settings/settings.ts'
import { connectLive } from '../testing/live-client.ts'
import { type Client, forAllTests, testApp } from '../testing/test-app.ts'

const t = forAllTests(testApp)
const admin = forAllTests(() => t.signIn('admin', 'chefe'))
const ana = forAllTests(() => t.signIn('operator', 'ana'))

const read = (who: Client) => who.get<MediaSettings>('/api/media-settings')
const places = ['baseMediaUrl', 'evolutionApiProxyUrl', 'localFilesUrl', 'uploadDirectory', 'cacheDirectory']

test('a reader of settings sees where files are, an uploader only what may be uploaded', async () => {
  const all = await read(admin)
  expect(all).toMatchObject({
    id: 1,
    maxFileSize: 10_485_760,
    allowedImageTypes: ['image/jpeg', 'image/png', 'image/gif', 'image/webp'],
    baseMediaUrl: '/api/media',
  })
  expect(Object.keys(all)).toEqual(expect.arrayContaining(places))
  const own = await read(ana)
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
  expect((await read(admin)).maxFileSize).toBe(10_485_760)
})
