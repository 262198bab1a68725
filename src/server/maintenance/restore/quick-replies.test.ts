import { afterAll, beforeAll, expect, test } from 'vitest'
import type { KnownReplies } from '#shared/quick-replies/quick-replies.ts'
import type { QuickResponseFile } from '#shared/settings/settings.ts'
import { sweepFiles } from '#server/media/media.ts'
import { createFileStore } from '#server/platform/file-store.ts'
import { voiceOf } from '#server/testing/files/voice.ts'
import { carryBackup, makeBackup, startRestore } from '#server/testing/past.ts'
import { type Client, formOf, forAllTests, testApp, type TestApp } from '#server/testing/test-app.ts'

const from = forAllTests(() => testApp({}, { hasJobs: true }))
const there = forAllTests(() => from.signIn('admin', 'chefe'))
let to: TestApp
let here: Client
beforeAll(async () => {
  to = await testApp({}, { hasJobs: true })
  here = await to.signIn('admin', 'chefe')
})
afterAll(() => to.close())

const make = async (shortcut: string, body: object, who: Client) =>
  expect(
    await who.request('POST', '/api/quick-replies', { shortcut, text: 'Olá', sectorId: null, ...body }),
  ).toMatchObject({ status: 201 })

test('quick replies of sectors and people come back with their files, once', async () => {
  const ana = await from.signIn('operator', 'ana')
  const { body: sector } = await there.request<{ id: number }>('POST', '/api/sectors', {
    name: 'Suporte',
    color: '#2563eb',
  })
  const bytes = voiceOf(4, 'oi')
  const { body: file } = await ana.request<QuickResponseFile>(
    'POST',
    '/api/quick-replies/file',
    formOf({}, 'voz.ogg', bytes),
  )
  await make('ola', { file: { ...file, voiceSeconds: 4 } }, ana)
  await make('garantia', { sectorId: sector.id, text: 'Do suporte' }, there)
  await make('minha', {}, there)
  // The same person has another text under one of the shortcuts here.
  await make('minha', { text: 'Daqui' }, here)

  const carried = await carryBackup({ from, to, admin: here }, await makeBackup(there), { name: 'De outra' })
  const run = await startRestore(here, carried)
  expect(run).toMatchObject({ state: 'done', error: null })
  const found = () =>
    to.sql`select q.shortcut, q.text, u.username as owner, s.name as sector, q.file ->> 'fileName' as file
             from quick_replies q left join users u on u.id = q.owner_id
             left join sectors s on s.id = q.sector_id order by q.shortcut`
  const expected = [
    { shortcut: 'garantia', text: 'Do suporte', owner: null, sector: 'Suporte', file: null },
    { shortcut: 'minha', text: 'Daqui', owner: 'chefe', sector: null, file: null },
    { shortcut: 'ola', text: '', owner: 'ana', sector: null, file: 'voz.ogg' },
  ]
  expect(await found()).toEqual(expected)
  const { replies } = await here.get<KnownReplies>('/api/quick-replies')
  expect(replies.map(({ shortcut }) => shortcut)).toEqual(['garantia', 'minha'])

  // Its file is kept, and is there.
  await to.sql`update files set created_at = created_at - interval '25 hours'`
  const store = await createFileStore(to.config)
  await sweepFiles(to.database, store)
  const pieces: Buffer[] = []
  for await (const piece of (await store.read(file.name)) ?? []) pieces.push(piece as Buffer)
  expect(Buffer.concat(pieces)).toEqual(bytes)

  const again = await startRestore(here, carried)
  expect(again.plan?.tables.filter(({ added }) => added > 0)).toEqual([])
  expect(await found()).toEqual(expected)
})
