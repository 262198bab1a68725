import { expect, test } from 'vitest'
import type { QuickResponseFile } from '#shared/settings/settings.ts'
import { sweepFiles } from '#server/media/media.ts'
import { createFileStore } from '#server/platform/file-store.ts'
import { type Client, eventually, formOf, forAllTests, testApp } from '#server/testing/test-app.ts'
import { disguisedNames } from '#shared/messages/disguised-names.ts'
import { finalFileName } from '#shared/messages/media.ts'
import { given } from '#server/testing/given.ts'
import { newTalk } from '#server/testing/new-talk.ts'
import { spread } from '#server/testing/nightly.ts'

const t = forAllTests(testApp)
const admin = forAllTests(() => t.signIn('admin', 'chefe'))
const ana = forAllTests(() => t.signIn('operator', 'ana'))

const pdf = Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n')

const upload = (name: string, bytes: Buffer) =>
  admin.request<QuickResponseFile>(
    'POST',
    '/api/quick-responses/file',
    formOf({}, name, new Uint8Array(bytes)),
  )
const taken = async (name: string) => {
  const { status, body } = await upload(name, pdf)
  expect(status).toBe(201)
  return body
}
const open = (name: string, who: Client = ana) =>
  fetch(`${t.app.url}/api/quick-responses/files/${name}`, {
    headers: { authorization: `Bearer ${who.token}` },
  })
const save = (file: QuickResponseFile | undefined) =>
  admin.request('PATCH', '/api/system-settings', {
    quickResponses: [{ shortcut: 'tabela', text: 'Segue a tabela', ...(file && { file }) }],
  })

test('a file belongs to a quick response once the settings name it; whoever may send gets it', async () => {
  const file = await taken('tabela de preços.pdf')
  expect(file).toMatchObject({
    fileName: 'tabela de preços.pdf',
    mimeType: 'application/pdf',
    sizeBytes: pdf.length,
  })
  expect((await open(file.name)).status).toBe(404)
  expect((await save(file)).status).toBe(200)
  const answer = await open(file.name)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment/)
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(pdf)
  await save(undefined)
  expect((await open(file.name)).status).toBe(404)
})

test('what the settings name is kept, and what they name no more is swept away after a day', async () => {
  const store = await createFileStore(t.config)
  const [kept, left] = [await taken('fica.pdf'), await taken('sobra.pdf')]
  await save(kept)
  await t.sql`update files set created_at = created_at - interval '25 hours'`
  await sweepFiles(t.database, store)
  const names = (await t.sql<{ name: string }>`select name from files`).map(({ name }) => name)
  expect(names).toContain(kept.name)
  expect(names).not.toContain(left.name)
  expect((await open(kept.name)).status).toBe(200)
})

test('a quick response is no way to the file of a message', async () => {
  const file = await taken('alheio.pdf')
  await save(file)
  const phone = t.simulator.control.createPhone({ name: 'Dona', number: '5511946000077' })
  t.simulator.control.sendText(phone.id, 'oi')
  await expect.poll(async () => (await t.sql`select id from messages limit 1`).length).toBe(1)
  await t.sql`update files set message_id = (select id from messages limit 1) where name = ${file.name}`
  expect((await open(file.name, admin)).status).toBe(404)
})

test.each([
  ['x.exe', pdf, 422],
  ['vazio.pdf', Buffer.alloc(0), 422],
  ['foto.jpg', Buffer.from('#!/bin/sh\nrm -rf /\n'), 422],
])('the quick response file %s is refused', async (name, bytes, status) => {
  expect((await upload(name, bytes)).status).toBe(status)
})

test('a quick response file of an unknown name is not found', async () => {
  expect((await open('x'.repeat(32))).status).toBe(404)
  expect((await open('..%2f..%2fetc')).status).toBe(404)
})

// File names that disguise the type by which a system opens the file, in uploads and in webhooks.

async function inGroups<One>(many: readonly One[], each: (one: One) => Promise<void>): Promise<void> {
  for (let at = 0; at < many.length; at += 25) await Promise.all(many.slice(at, at + 25).map(each))
}

test('a program is never accepted from an operator', async () => {
  const { id } = await given.conversation(t, admin)
  const taken: string[] = []
  await inGroups(spread(disguisedNames, 300), async (name) => {
    const form = formOf({ conversationId: id }, name, pdf)
    const { status, body } = await admin.request('POST', '/api/media/upload', form)
    if (status !== 422 || body.code !== 'media.blocked') taken.push(name)
  })
  expect(taken).toEqual([])
}, 60_000)

test('a program of a client is neither fetched nor handed out, however its name is disguised', async () => {
  const { phoneId } = await newTalk(t, admin)
  for (const fileName of someNames)
    t.simulator.control.send(phoneId, { kind: 'document', base64: pdf.toString('base64'), fileName })
  const sent = await eventually(received, { length: someNames.length })
  const strange: string[] = []
  await inGroups(sent, async ({ id, fileName, isWanted }) => {
    const { status } = await admin.request('GET', `/api/media/evolution/${id}?download=1`)
    if (isWanted || status !== 404 || finalFileName(fileName) !== fileName) strange.push(fileName)
  })
  expect(strange).toEqual([])
}, 60_000)

/** At least one of every disguise. */
const someNames = disguisedNames.filter((_, at) => at % 40 === 0)

interface Received extends Record<string, unknown> {
  id: number
  fileName: string
  isWanted: boolean
}
const received = () =>
  t.sql<Received>`select id, file_name as "fileName",
          file_url is not null or exists (select from media_fetches where message_id = m.id) as "isWanted"
          from messages m where message_type = 'document'`
