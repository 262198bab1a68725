import { expect, test } from 'vitest'
import type { Message } from '#shared/messages/messages.ts'
import { given } from '#server/testing/given.ts'
import { forAllTests, formOf, testApp } from '#server/testing/test-app.ts'

const t = forAllTests(testApp)
const chefe = forAllTests(() => t.signIn('admin', 'chefe'))

test('nothing of a note about a person is left once they are anonymized', async () => {
  const { id, contactId } = await given.conversation(t, chefe)
  const path = `/api/conversations/${id}/notes`
  const first = await chefe.request<Message>('POST', path, { content: 'mora na rua Azul-Cobalto' })
  await chefe.request('PATCH', `${path}/${first.body.id}`, { content: 'mora na rua Verde-Musgo' })
  const second = await chefe.request<{ message: Message }>(
    'POST',
    '/api/media/upload',
    formOf({ conversationId: id, isNote: 'true', caption: 'segue' }, 'rg-da-pessoa.txt', 'dado pessoal'),
  )
  await chefe.request('PATCH', `/api/conversations/${id}/assign-operator`, { operatorId: chefe.userId })
  await chefe.request('POST', `/api/conversations/${id}/finalize`, {})

  expect((await chefe.request('POST', `/api/contacts/${contactId}/anonymize`)).status).toBe(200)
  const [row] = await t.sql`
    select content, metadata ->> 'isErased' as erased, message_type as type from messages
     where id = ${first.body.id}`
  expect(row).toEqual({ content: '', erased: 'true', type: 'note' })
  expect(await t.sql`select 1 from message_versions where message_id = ${first.body.id}`).toEqual([])
  const { id: fileNote, fileUrl } = second.body.message
  expect(await t.sql`select 1 from files where name = ${fileUrl?.split('/').at(-1) ?? ''}`).toEqual([])
  expect(
    await t.sql`select content, file_name as "fileName", file_url as "fileUrl" from messages
                 where id = ${fileNote}`,
  ).toEqual([{ content: '', fileName: null, fileUrl: null }])
})
