import { parse as parseDisposition } from 'content-disposition'
import { beforeAll, expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { disguisedNames } from '#shared/messages/disguised-names.ts'
import type { ErrorBody } from '#shared/errors.ts'
import { finalFileName } from '#shared/messages/media.ts'
import { spread } from '#server/testing/nightly.ts'
import { eventually, forAllTests, testApp } from '#server/testing/test-app.ts'

// File names that disguise the type by which a system opens the file, in uploads and in webhooks.

let id: number

const t = forAllTests(testApp)
const ana = forAllTests(() => t.signIn('admin', 'ana'))

beforeAll(async () => {
  t.simulator.control.createPhone({ id: 'bia', name: 'Bia', number: '5511940000001' })
  t.simulator.control.sendText('bia', 'oi')
  const [conversation] = await eventually(() => ana.get<Conversation[]>('/api/conversations'), { length: 1 })
  id = conversation?.id ?? 0
})

const pdf = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\n%%EOF\n')
const headers = () => ({ authorization: `Bearer ${ana.token}` })

async function inGroups<One>(many: readonly One[], each: (one: One) => Promise<void>): Promise<void> {
  for (let at = 0; at < many.length; at += 25) await Promise.all(many.slice(at, at + 25).map(each))
}

test('a program is never accepted from an operator', async () => {
  const taken: string[] = []
  await inGroups(spread(disguisedNames, 300), async (name) => {
    const form = new FormData()
    form.set('conversationId', String(id))
    form.set('file', new Blob([pdf]), name)
    const answer = await fetch(`${t.app.url}/api/media/upload`, {
      method: 'POST',
      body: form,
      headers: headers(),
    })
    const { code } = (await answer.json()) as Partial<ErrorBody>
    if (answer.status !== 422 || code !== 'media.blocked') taken.push(name)
  })
  expect(taken).toEqual([])
}, 60_000)

test('a program sent by a client is only a download, with its real extension', async () => {
  for (const fileName of someNames)
    t.simulator.control.send('bia', { kind: 'document', base64: pdf.toString('base64'), fileName })
  const files = await eventually(fetched, { length: someNames.length }, 40_000)
  const strange: string[] = []
  await inGroups(files, async ({ fileName, fileUrl }) => {
    const { headers: received } = await fetch(`${t.app.url}${fileUrl}`, { headers: headers() })
    const { type, parameters } = parseDisposition(received.get('content-disposition') ?? '')
    const isInert = type === 'attachment' && received.get('content-type') === 'application/octet-stream'
    if (!isInert || parameters['filename'] !== fileName || finalFileName(fileName) !== fileName)
      strange.push(fileName)
  })
  expect(strange).toEqual([])
}, 60_000)

/** At least one of every disguise. All would take too long, since each file is fetched. */
const someNames = disguisedNames.filter((_, at) => at % 40 === 0)

interface Fetched extends Record<string, unknown> {
  fileName: string
  fileUrl: string
}
const fetched = () =>
  t.sql<Fetched>`select file_name as "fileName", '/api/media/evolution/' || id as "fileUrl"
          from messages where message_type = 'document' and file_url is not null`
