import { readdirSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterEach, expect, test, vi } from 'vitest'
import type { ContactImport } from '#shared/contacts/contact-imports.ts'
import type { ErrorBody } from '#shared/errors.ts'
import type { Message } from '#shared/messages/messages.ts'
import { DiskFull } from '#server/platform/file-store/disk-room.ts'
import { testAtNight } from '#server/testing/nightly.ts'
import { given } from '#server/testing/given.ts'
import { newTalk } from '#server/testing/new-talk.ts'
import { makeBackup, startRestore, writePast } from '#server/testing/past.ts'
import { forAllTests, formOf, eventually, testApp } from '#server/testing/test-app.ts'

// A full disk, as the file store reports it; the proof 'disk-full' fills a real one.

const t = forAllTests(() => testApp({}, { hasJobs: true }))
const admin = forAllTests(() => t.signIn('admin', 'chefe'))
afterEach(() => vi.restoreAllMocks())

const pdf = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\n%%EOF\n')

/** From now on nothing can be stored, as it is known beforehand or only shown by writing. */
function fill(isKnown: boolean): void {
  const error = isKnown ? new DiskFull('x') : Object.assign(new Error('no space'), { code: 'ENOSPC' })
  vi.spyOn(t.app.files, 'spool').mockRejectedValue(error)
  vi.spyOn(t.app.files, 'hasRoom').mockResolvedValue(!isKnown)
}

const upload = (path: string, fields: Record<string, string>, name: string, bytes: Buffer) =>
  admin.request<ErrorBody & { id: number }>('POST', path, formOf(fields, name, new Uint8Array(bytes)))

test('a file is refused with a message, a text is not', async () => {
  const { conversation, phoneId } = await newTalk(t, admin)
  const other = await newTalk(t, admin)
  fill(true)
  const refused = {
    status: 507,
    body: { code: 'request.disk_full', message: expect.stringContaining('O disco do servidor está cheio') },
  }
  const fields = { conversationId: String(conversation.id) }
  expect(await upload('/api/media/upload', fields, 'nota.pdf', pdf)).toMatchObject(refused)
  expect(await upload('/api/contacts/import', {}, 'a.csv', Buffer.from('Nome;Telefone\n'))).toMatchObject(
    refused,
  )
  // A file of a client that is not here yet is forwarded once it is fetched.
  const base64 = pdf.toString('base64')
  t.simulator.control.send(phoneId, {
    kind: 'document',
    base64,
    fileName: 'a.pdf',
    mimetype: 'application/pdf',
  })
  const messages = () => admin.get<Message[]>(`/api/conversations/${conversation.id}/messages`)
  const received = (await eventually(messages, (all) => all.at(-1)?.messageType === 'document')).at(-1)
  expect(
    await admin.request('POST', `/api/conversations/${conversation.id}/messages/${received?.id}/forward`, {
      to: { conversationId: other.conversation.id },
    }),
  ).toMatchObject(refused)
  const text = { content: 'bom dia', clientMessageId: 'disk-full-text' }
  const path = `/api/conversations/${conversation.id}/messages`
  expect((await admin.request('POST', path, text)).status).toBe(201)
})

test('what follows a refused file on its connection is answered', async () => {
  const conversation = await given.conversation(t, admin)
  fill(true)
  // The spool stops after the first bytes, as it does on a disk that is full.
  vi.mocked(t.app.files.spool).mockImplementation(async (bytes) => {
    for await (const _chunk of bytes) throw new DiskFull('x')
    throw new Error('no bytes')
  })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const call = (method: string, path: string, body?: { type: string; bytes: Buffer }) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${admin.token}`,
        ...(body && { 'content-type': body.type, 'content-length': body.bytes.length }),
      }
      const sent = request(`${t.app.url}${path}`, { method, agent, headers, timeout: 5000 }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode))
      })
      sent.on('timeout', () => sent.destroy(new Error('no answer')))
      sent.on('error', reject)
      sent.end(body?.bytes)
    })
  const large = new Uint8Array(Buffer.concat([pdf, Buffer.alloc(700_000)]))
  const encoded = new Response(formOf({ conversationId: conversation.id }, 'nota.pdf', large))
  const body = {
    type: encoded.headers.get('content-type') ?? '',
    bytes: Buffer.from(await encoded.arrayBuffer()),
  }
  for (let n = 0; n < 3; n++) {
    expect(await call('POST', '/api/media/upload', body)).toBe(507)
    expect(await call('GET', '/api/conversations')).toBe(200)
  }
  agent.destroy()
})

test.each([true, false])(
  'what a client sends is fetched once there is space (known: %s)',
  async (isKnown) => {
    const { phoneId, conversation } = await newTalk(t, admin)
    fill(isKnown)
    t.simulator.control.send(phoneId, { kind: 'document', base64: pdf.toString('base64'), fileName: 'a.pdf' })
    const document = async () =>
      (await admin.get<Message[]>(`/api/conversations/${conversation.id}/messages`)).find(
        ({ messageType }) => messageType === 'document',
      )
    const shown = await eventually(document, (message) => message !== undefined)
    const opened = await admin.request('GET', `/api/media/evolution/${shown?.id}`)
    expect([opened.status, opened.body.code]).toEqual([507, 'request.disk_full'])
    if (!isKnown)
      await eventually(
        () => t.sql<{ tries: number }>`
          select tries from media_fetches where message_id = ${shown?.id} and last_error <> ''`,
        (all) => all.length === 1 && all[0]?.tries === 0,
      )
    vi.restoreAllMocks()
    await eventually(document, (message) => message?.fileUrl != null, 10_000)
  },
)

test('an import of contacts stops, and goes on once there is space', async () => {
  const csv = Buffer.from('Nome;Telefone\nRita;(41) 98800-1122\nZé;(41) 98800-1123\n')
  const uploaded = await upload('/api/contacts/import', {}, 'contatos.csv', csv)
  const path = `/api/contacts/imports/${uploaded.body.id}`
  const job = () => admin.get<ContactImport>(path)
  fill(true)
  await admin.request('POST', `${path}/start`, { mapping: ['name', 'phone'], known: 'update' })
  expect(await eventually(job, ({ state }) => state !== 'running')).toMatchObject({
    state: 'failed',
    created: 0,
  })
  vi.restoreAllMocks()
  await admin.request('POST', `${path}/continue`)
  expect(await eventually(job, ({ state }) => state === 'done')).toMatchObject({ created: 2 })
})

testAtNight('a restore fails with a message, leaves nothing, and works once there is space', async () => {
  await writePast(t, admin.userId, 2)
  const made = await makeBackup(admin)
  const stored = await t.sql<{ name: string }>`
    select f.name from files f join messages m on m.id = f.message_id
     where m.whatsapp_message_id like 'PAST%'`
  await t.database.execute(sql.raw('delete from messages; delete from conversations; delete from files'))
  for (const { name } of stored) await t.app.files.remove(name)
  const spool = t.app.files.spool.bind(t.app.files)
  // One file is there before it is full.
  fill(false)
  vi.mocked(t.app.files.spool).mockImplementationOnce(spool)
  expect(await startRestore(admin, made)).toMatchObject({
    state: 'failed',
    error: 'O disco está cheio',
  })
  const count = async (what: ReturnType<typeof sql>) => (await t.sql`select from ${what}`).length
  expect(await count(sql`pg_namespace where nspname like 'balcao\\_scratch%'`)).toBe(0)
  expect(await count(sql`restored_files`)).toBe(0)
  const left = readdirSync(join(t.config.dataDir, 'uploads'), { recursive: true, encoding: 'utf8' })
  expect(stored.filter(({ name }) => left.some((path) => path.endsWith(name)))).toEqual([])
  vi.restoreAllMocks()
  expect((await startRestore(admin, made)).state).toBe('done')
  expect(await count(sql`files where message_id is not null`)).toBe(stored.length)
})
