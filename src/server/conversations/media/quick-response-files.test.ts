import { expect, test } from 'vitest'
import type { QuickResponseFile } from '#shared/settings/settings.ts'
import { sweepFiles } from '#server/media/media.ts'
import { createFileStore } from '#server/platform/file-store.ts'
import { type Client, forAllTests, testApp } from '#server/testing/test-app.ts'

const pdf = Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n')

const t = forAllTests(testApp)
const admin = forAllTests(() => t.signIn('admin', 'chefe'))
const ana = forAllTests(() => t.signIn('operator', 'ana'))

function upload(who: Client, name: string, bytes: Buffer): Promise<Response> {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(bytes)]), name)
  return fetch(`${t.app.url}/api/quick-responses/file`, {
    method: 'POST',
    headers: { authorization: `Bearer ${who.token}` },
    body: form,
  })
}
const taken = async (name: string) => {
  const answer = await upload(admin, name, pdf)
  expect(answer.status).toBe(201)
  return (await answer.json()) as QuickResponseFile
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
  expect((await upload(admin, name, bytes)).status).toBe(status)
})

test('a quick response file of an unknown name is not found', async () => {
  expect((await open('x'.repeat(32))).status).toBe(404)
  expect((await open('..%2f..%2fetc')).status).toBe(404)
})
