import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { isCountedMessage } from '#shared/messages/message-kinds.ts'
import type { Message } from '#shared/messages/messages.ts'
import type { ErrorBody } from '#shared/errors.ts'
import { maxFileSize, maxUploadBytes } from '#shared/messages/media.ts'
import { sweepFiles } from '#server/media/media.ts'
import { newFileName } from '#server/platform/file-store.ts'
import { hostileFiles } from '#server/testing/inputs/hostile-files.ts'
import {
  type Client,
  eventually,
  forAllTests,
  formOf,
  not,
  refusal,
  testApp,
} from '#server/testing/test-app.ts'
import { spread } from '#server/testing/nightly.ts'
import { defaultFlags } from '#shared/users/default-flags.ts'
import { userPermissions } from '#server/schema/users.ts'
import { newTalk } from '#server/testing/new-talk.ts'

const t = forAllTests(testApp)
const ana = forAllTests(() => t.signIn('operator', 'ana'))
const admin = forAllTests(() => t.signIn('admin', 'chefe'))
afterEach(() => t.simulator.control.setFaults({ failMedia: { on: false } }))

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const pdf = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\n%%EOF\n')

const get = (path: string, headers: Record<string, string> = {}, who: Client | undefined = ana) =>
  fetch(`${t.app.url}${path}`, {
    headers: { ...(who && { authorization: `Bearer ${who.token}` }), ...headers },
  })
const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer())

const image = { kind: 'image', base64: png.toString('base64'), mimetype: 'image/png' } as const
const note = { kind: 'document', base64: pdf.toString('base64'), fileName: 'nota.pdf' } as const

/** A new conversation, and the client's phone. */
async function talk(): Promise<{ phone: string; id: number; contactId: number }> {
  const { conversation, phoneId } = await newTalk(t, ana)
  return { phone: phoneId, id: conversation.id, contactId: conversation.contactId }
}
const messagesOf = (id: number) => admin.get<Message[]>(`/api/conversations/${id}/messages`)
/** The client's 'oi'. */
const firstOf = async (id: number) => (await messagesOf(id))[0] as Message
/** Waits for a message of the conversation. */
const received = async (id: number, isIt: (message: Message) => boolean, withinMs?: number) =>
  (await eventually(async () => (await messagesOf(id)).find(isIt), not(undefined), withinMs)) as Message
/** What an operator has sent, without the acts. */
const sentIn = async (id: number) =>
  (await messagesOf(id)).filter((one) => one.senderType === 'user' && isCountedMessage(one.messageType))
const onPhone = (phone: string) => t.simulator.control.chat(phone).filter(({ from }) => from === 'company')

interface Uploaded {
  fileUrl: string
  messageType: string
  message: Message
}
/** Sends a form as the browser does: the fields, then the file. */
const upload = (fields: Record<string, string | number>, name?: string, bytes: Buffer = png, who = ana) =>
  who.request<Uploaded>('POST', '/api/media/upload', formOf(fields, name, new Uint8Array(bytes)))

test('an answer quotes on the phone what a client sent without words', async () => {
  const { phone, id } = await talk()
  const sent = [
    t.simulator.control.send(phone, { kind: 'sticker', base64: image.base64 }),
    t.simulator.control.send(phone, image),
    t.simulator.control.send(phone, { ...image, caption: 'o defeito' }),
    t.simulator.control.sendText(phone, 'e agora?'),
  ]
  const all = await eventually(
    () => messagesOf(id),
    (found) => found.filter(({ senderType }) => senderType === 'contact').length === 5,
  )
  for (const quoted of all.slice(1))
    await ana.request('POST', `/api/conversations/${id}/messages`, {
      content: 'sobre isto',
      quotedMessageId: quoted.id,
    })
  await t.settled()
  const shown = t.simulator.control
    .chat(phone)
    .flatMap(({ text, quoted }) => (text === 'sobre isto' ? [quoted] : []))
  expect(shown).toEqual([
    { id: sent[0]?.id, kind: 'sticker', text: '', from: 'phone' },
    { id: sent[1]?.id, kind: 'image', text: '', from: 'phone' },
    { id: sent[2]?.id, kind: 'image', text: 'o defeito', from: 'phone' },
    { id: sent[3]?.id, kind: 'text', text: 'e agora?', from: 'phone' },
  ])
})

test('many files of a client at once, also of an album, are fetched once each and handed out', async () => {
  const { phone, id } = await talk()
  for (let n = 0; n < 12; n++)
    t.simulator.control.send(phone, {
      ...image,
      caption: `foto ${n}`,
      ...(n % 2 === 0 && { wrap: 'albumChild' }),
    })
  const all = await eventually(
    () => messagesOf(id),
    (found) => found.filter(({ fileUrl }) => fileUrl !== null).length === 12,
  )
  const urls = new Set(all.flatMap(({ fileUrl }) => fileUrl ?? []))
  expect(urls.size).toBe(12)
  for (const url of urls) {
    const answer = await get(url)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(await bytesOf(answer)).toEqual(png)
  }
})

test('a large file of a client is fetched once somebody opens it', async () => {
  const { phone, id } = await talk()
  const large = Buffer.concat([pdf, Buffer.alloc(maxFileSize, 7)])
  t.simulator.control.send(phone, { ...note, base64: large.toString('base64') })
  const { id: messageId } = await received(id, (message) => message.messageType === 'document')
  expect(await t.sql`select id from media_fetches where message_id = ${messageId}`).toEqual([])
  const url = `/api/media/evolution/${messageId}`
  const [one, two] = await Promise.all([get(url), get(url)])
  expect((await bytesOf(one)).equals(large) && (await bytesOf(two)).equals(large)).toBe(true)
  expect((await messagesOf(id)).at(-1)?.fileUrl).toBeNull()
  t.simulator.control.setFaults({ failMedia: { on: true, oneIn: 1 } })
  expect((await get(url)).status).toBe(200)
  await t.sql`update files set created_at = app_now() - interval '2 days' where is_passing`
  expect(await sweepFiles(t.database, t.app.files)).toBe(1)
  expect((await get(url)).status).toBe(502)
})

test('a program that a client sends is neither fetched nor handed out', async () => {
  const { phone, id } = await talk()
  t.simulator.control.send(phone, { ...note, fileName: 'boleto.pdf.exe' })
  const message = await received(id, (one) => one.messageType === 'document')
  expect(message).toMatchObject({ fileName: 'boleto.pdf.exe', fileUrl: null })
  const path = `/api/media/evolution/${message.id}?download=1`
  expect(await ana.request('GET', path)).toMatchObject(refusal(404, 'media.not_found'))
  expect(await t.sql`select from media_fetches where message_id = ${message.id}`).toEqual([])
})

test('a message without a file has no file fetched', async () => {
  const { id } = await talk()
  const path = `/api/media/evolution/${(await firstOf(id)).id}`
  expect(await ana.request('GET', path)).toMatchObject(refusal(404, 'media.not_found'))
})

test('a file that never arrives does not delay the stop of the server', async () => {
  const other = await testApp()
  const asked = Promise.withResolvers<void>()
  const gateway = createServer(({ url }, answer) => {
    if (url?.startsWith('/chat/getBase64FromMediaMessage')) asked.resolve()
    else answer.writeHead(503).end()
  }).listen(0, '127.0.0.1')
  try {
    await once(gateway, 'listening')
    const { port } = gateway.address() as AddressInfo
    await other.sql`update evolution_api_config set base_url = ${`http://127.0.0.1:${port}`}`
    other.simulator.control.createPhone({ id: 'p', name: 'P', number: '5511940000000' })
    other.simulator.control.send('p', image)
    await asked.promise
    // The answer would be waited for several times as long.
    const late = wait(10_000, 'late', { ref: false })
    expect(await Promise.race([other.app.stop(), late])).not.toBe('late')
  } finally {
    gateway.closeAllConnections()
    gateway.close()
    await other.close()
  }
})

test('an operator’s file reaches the phone as what it is, and comes back as it was', async () => {
  const { phone, id } = await talk()
  const sent: [string, Buffer, string][] = [
    ['foto.png', png, 'image'],
    ['contrato.pdf', pdf, 'document'],
  ]
  for (const [name, bytes, kind] of sent) {
    const { status, body } = await upload({ conversationId: id, caption: `segue ${name}` }, name, bytes)
    expect([status, body.messageType, body.message.messageType, body.message.fileName]).toEqual([
      201,
      kind,
      kind,
      name,
    ])
    expect(await bytesOf(await get(body.fileUrl))).toEqual(bytes)
  }
  await received(id, (one) => one.fileName === 'contrato.pdf' && one.deliveryStatus === 'delivered')
  expect(onPhone(phone).map(({ kind, text }) => [kind, text])).toEqual([
    ['image', 'segue foto.png'],
    ['document', 'segue contrato.pdf'],
  ])
})

test('an operator’s file is recognized by its echo', async () => {
  const { phone, id } = await talk()
  t.simulator.control.nextSendAnswers(Array.from({ length: 3 }, () => ({ echo: 'early', hangMs: 50 })))
  for (const [name, bytes] of [
    ['uma.png', png],
    ['outra.png', png],
    ['contrato', pdf],
  ] as const)
    expect((await upload({ conversationId: id }, name, bytes)).status).toBe(201)
  // Meanwhile a voice message is sent from the connected phone.
  t.simulator.control.sendAsOwner(phone, { kind: 'audio', base64: image.base64, seconds: 1 })
  const isThere = ({ deliveryStatus, metadata }: Message) =>
    deliveryStatus === 'delivered' || metadata.origin === 'phone'
  const ours = await eventually(
    () => sentIn(id),
    (all) => all.length >= 4 && all.every(isThere),
  )
  expect(ours).toHaveLength(4)
  expect(new Set(ours.map(({ fileName, metadata }) => metadata.origin ?? fileName))).toEqual(
    new Set(['uma.png', 'outra.png', 'contrato.pdf', 'phone']),
  )
  expect(onPhone(phone)).toHaveLength(4)
})

test('an unconfirmed file of an operator is found in the record of the gateway', async () => {
  const { phone, id } = await talk()
  t.simulator.control.nextSendAnswers([{ status: 500, delivered: true, stored: true, echo: 'never' }])
  await upload({ conversationId: id }, 'contrato', pdf)
  await received(id, (one) => one.deliveryStatus === 'sent' || one.deliveryStatus === 'delivered', 15_000)
  expect(onPhone(phone)).toHaveLength(1)
})

test.each([
  ['shorter', Buffer.from('outra')],
  ['longer', Buffer.concat([png, png])],
])(
  'an operator’s file of which the stored bytes have become %s fails at once, and the next message goes',
  async (_how, bytes) => {
    const { phone, id } = await talk()
    const paused = (until: string) =>
      t.sql`update evolution_api_config set next_send_at = ${until}::timestamptz`
    await paused('2100-01-01')
    const { fileUrl, message } = (await upload({ conversationId: id }, 'foto.png')).body
    await ana.request('POST', `/api/conversations/${id}/messages`, { content: 'e depois' })
    const name = fileUrl.split('/').at(-1) ?? ''
    writeFileSync(join(t.config.dataDir, 'uploads', name.slice(0, 2), name), bytes)
    await paused('2000-01-01')
    const failed = await received(id, (one) => one.id === message.id && one.deliveryStatus === 'failed')
    expect(failed.failureReason).toBe('O arquivo não está mais guardado')
    await received(id, (one) => one.content === 'e depois' && one.deliveryStatus === 'delivered')
    expect(onPhone(phone).map(({ text }) => text)).toEqual(['e depois'])
  },
)

test('an operator’s file twice under one id is sent once', async () => {
  const { id } = await talk()
  const send = () => upload({ conversationId: id, clientMessageId: 'duas-vezes-1' }, 'a.png')
  const answers = await Promise.all([send(), send(), send()])
  expect(new Set(answers.map(({ body }) => body.message.id)).size).toBe(1)
  expect(await sentIn(id)).toHaveLength(1)
})

test('an operator’s file answers what it quotes, and takes the conversation', async () => {
  const { id } = await talk()
  const first = await firstOf(id)
  const { message } = (await upload({ conversationId: id, quotedMessageId: first.id }, 'a.png')).body
  expect(message.quoted?.messageId).toBe(first.id)
  const { body } = await ana.request<Conversation>('GET', `/api/conversations/${id}`)
  expect(body).toMatchObject({ status: 'active', assignedUserId: ana.userId, waitingFor: 'client' })
})

test('an operator’s file is refused for what it is, whatever its name says', async () => {
  const { id } = await talk()
  const send = (name: string, bytes: Buffer) => upload({ conversationId: id }, name, bytes)
  expect((await send('fatura.exe', pdf)).body.message).toBe(
    'Extensão .exe não é permitida por motivos de segurança. ' +
      'Use apenas imagens, vídeos, áudios ou documentos PDF/Word.',
  )
  for (const program of ['#!/bin/sh\nrm -rf /\n', `MZ${'\0'.repeat(200)}`, `\x7fELF${'\0'.repeat(200)}`])
    expect(await send('foto.jpg', Buffer.from(program, 'latin1'))).toMatchObject(
      refusal(422, 'media.blocked'),
    )
  expect(await send('vazio.pdf', Buffer.alloc(0))).toMatchObject(refusal(422, 'media.empty'))
  expect(await messagesOf(id)).toHaveLength(1)
})

test('an operator’s file of more than 50 MB is refused, and nothing of it stays', async () => {
  const { id } = await talk()
  const bytes = Buffer.alloc(maxUploadBytes + 1, 7)
  expect(await upload({ conversationId: id }, 'a.bin1', bytes)).toMatchObject({
    status: 413,
    body: { code: 'media.too_large', message: 'O arquivo deve ter no máximo 50MB' },
  })
  expect(await messagesOf(id)).toHaveLength(1)
})

test('a file to nobody, to another’s conversation or without content is refused', async () => {
  const { id } = await talk()
  expect(await upload({}, 'a.png')).toMatchObject(refusal(400, 'request.invalid'))
  expect(await upload({ conversationId: 999_999 }, 'a.png')).toMatchObject({ status: 404 })
  expect(await upload({ conversationId: id })).toMatchObject(refusal(400, 'media.missing'))
  await ana.request('POST', `/api/conversations/${id}/finalize`, {})
  expect(await upload({ conversationId: id }, 'a.png')).toMatchObject({ status: 409 })
  const json = await ana.request('POST', '/api/media/upload', { conversationId: id })
  expect(json.status).toBeGreaterThanOrEqual(400)
  expect(json.status).toBeLessThan(500)
})

test('an operator’s file that quotes what is not there is refused, and nothing of it stays', async () => {
  const { id } = await talk()
  const before = await t.sql`select name from files`
  const answer = await upload({ conversationId: id, quotedMessageId: 2_000_000_000 }, 'a.png')
  expect(answer).toMatchObject(refusal(404, 'messages.not_found'))
  expect(await t.sql`select name from files`).toEqual(before)
})

test.each([
  ['is none', '[0]'],
  ['ends in a head', '--b\r\ncontent-dispo'],
  ['ends in a field', '--b\r\ncontent-disposition: form-data; name="caption"\r\n\r\nx'],
  [
    'ends in the file',
    '--b\r\ncontent-disposition: form-data; name="conversationId"\r\n\r\n{id}\r\n' +
      '--b\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.4',
  ],
  ['has no end to its head', `--b\r\n${'a: b\r\n'.repeat(5000)}`],
])('an operator’s file in a form that %s is refused, and nothing of it stays', async (_how, form) => {
  const { id } = await talk()
  const answer = await t.request('POST', '/api/media/upload', form.replace('{id}', String(id)), {
    authorization: `Bearer ${ana.token}`,
    'content-type': 'multipart/form-data; boundary=b',
  })
  expect(answer).toMatchObject(refusal(400, 'request.invalid'))
  expect(await messagesOf(id)).toHaveLength(1)
})

test('a recorded file is sent as a voice message', async () => {
  const { phone, id } = await talk()
  const quotedMessageId = (await firstOf(id)).id
  const ogg = Buffer.concat([
    Buffer.from('OggS\0\x02', 'latin1'),
    Buffer.alloc(22),
    Buffer.from('\x13OpusHead\x01'),
  ])
  const voice = { conversationId: id, isVoice: 'true', seconds: 3, caption: 'sem lugar', quotedMessageId }
  const { message } = (await upload(voice, 'voz.ogg', ogg)).body
  expect(message).toMatchObject({
    messageType: 'audio',
    content: '',
    quoted: null,
    metadata: { isVoice: true, seconds: 3 },
  })
  await received(id, (one) => one.id === message.id && one.deliveryStatus === 'delivered')
  expect(t.simulator.control.chat(phone).at(-1)).toMatchObject({ kind: 'audio', from: 'company' })
})

describe('a file that is handed out', () => {
  let url: string
  let conversationId: number
  beforeAll(async () => {
    conversationId = (await talk()).id
    url = (await upload({ conversationId, caption: 'x' }, 'nota "fiscal" ção.png')).body.fileUrl
  })

  test('a file that is handed out comes with headers under which nothing in it can run', async () => {
    const { headers } = await get(url)
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'content-type': 'image/png',
      'cache-control': 'private, no-cache',
    })
    expect(headers.get('content-disposition')).toMatch(/^inline; filename=/)
    expect((await get(`${url}?download=1`)).headers.get('content-disposition')).toMatch(
      /^attachment; .*filename\*=UTF-8''nota%20%22fiscal%22%20%C3%A7%C3%A3o\.png$/,
    )
  })

  test('a file that is handed out comes in the part that is asked for', async () => {
    const part = await get(url, { range: 'bytes=4-9' })
    expect([part.status, part.headers.get('content-range'), part.headers.get('content-length')]).toEqual([
      206,
      `bytes 4-9/${png.length}`,
      '6',
    ])
    expect(await bytesOf(part)).toEqual(png.subarray(4, 10))
    expect(await bytesOf(await get(url, { range: 'bytes=-5' }))).toEqual(png.subarray(-5))
    expect(await bytesOf(await get(url, { range: 'bytes=60-' }))).toEqual(png.subarray(60))
    const beyond = await get(url, { range: 'bytes=9999-' })
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${png.length}`])
    for (const range of ['bytes=0-1,4-5', 'items=0-1', 'bytes=b-a', 'bytes='])
      expect(await bytesOf(await get(url, { range }))).toEqual(png)
  })

  test('a file with a known ETag is not sent twice', async () => {
    const etag = (await get(url)).headers.get('etag') ?? ''
    const again = await get(url, { 'if-none-match': etag })
    expect([again.status, (await bytesOf(again)).length]).toEqual([304, 0])
  })

  test('a file that is handed out goes to nobody without a session or without the conversation', async () => {
    expect((await get(url, {}, undefined)).status).toBe(200)
    expect((await fetch(`${t.app.url}${url}`)).status).toBe(401)
    const other = await t.signIn('operator')
    expect((await get(url, {}, other)).status).toBe(200)
    // A completed conversation of somebody else.
    const { id } = await talk()
    const { fileUrl, message } = (await upload({ conversationId: id }, 'a.png')).body
    await ana.request('POST', `/api/conversations/${id}/finalize`, {})
    const third = await t.signIn('operator')
    expect((await get(fileUrl, {}, ana)).status).toBe(200)
    expect((await get(fileUrl, {}, third)).status).toBe(404)
    expect((await get(`/api/media/evolution/${message.id}`, {}, third)).status).toBe(404)
  })

  test.each([
    '../../secret-key',
    '..%2f..%2fsecret-key',
    '%252e%252e%252fsecret-key',
    '..\\..\\secret-key',
    '/etc/passwd',
    'C:\\boot.ini',
    '\\\\host\\share',
    '%00',
    'x'.repeat(32),
    'aa/../aa',
    '.',
    '',
  ])('no file is served under the name %j', async (name) => {
    const answer = await get(`/api/media/files/${encodeURIComponent(name)}`)
    expect(answer.status).toBe(404)
  })

  test('a file that is handed out lies nowhere outside its folder, also when a row says so', async () => {
    const { id: messageId } = (await messagesOf(conversationId)).at(-1) as Message
    const name = '../../../../etc/passwd'
    await t.sql`update files set name = ${name} where message_id = ${messageId}`
    expect((await get(`/api/media/files/${encodeURIComponent(name)}`)).status).toBe(404)
    expect((await get(`/api/media/evolution/${messageId}`)).status).toBe(404)
  })
})

describe('a hostile file', () => {
  let id: number
  let phone: string
  beforeAll(async () => {
    ;({ id, phone } = await talk())
  })

  test('there are at least forty kinds of hostile files', () => {
    expect(Object.keys(hostileFiles).length).toBeGreaterThanOrEqual(40)
  })

  test.each(spread(Object.entries(hostileFiles), 8))(
    'a hostile file (%s) is refused or served inert',
    async (_name, bytes) => {
      for (const name of ['foto.jpg', 'documento.html', 'desenho.svg', 'sem']) {
        const { status, body } = await upload({ conversationId: id }, name, bytes)
        if (status === 201) expectInert(await get(body.fileUrl))
        else expect(status).toBe(422)
      }
      t.simulator.control.send(phone, {
        kind: 'image',
        base64: bytes.toString('base64'),
        mimetype: 'image/svg+xml',
        caption: _name,
      })
      const { fileUrl } = await received(id, (one) => one.content === _name && one.fileUrl !== null)
      const downloaded = await get(`${fileUrl}?download=1`)
      expect(downloaded.headers.get('content-disposition')).toMatch(/^attachment/)
      expect(await bytesOf(downloaded)).toEqual(bytes)
      const drawn = await get(fileUrl ?? '')
      if (drawn.status === 415) expect(drawn.headers.get('content-type')).toMatch(/^application\/json/)
      else expectInert(drawn)
    },
  )

  test('a file that is no picture is served as a download', async () => {
    const client = await talk()
    const behindComment = ['ffd8', 'fffeffff', '00'.repeat(65_533), 'ffc0001108c350c35003012200021101031101']
    const bytes = Buffer.from(behindComment.join(''), 'hex')
    for (const kind of ['image', 'sticker'] as const) {
      t.simulator.control.send(client.phone, {
        kind,
        base64: bytes.toString('base64'),
        mimetype: 'image/jpeg',
      })
      const message = await received(client.id, (one) => one.messageType === kind && one.fileUrl !== null)
      expect(message.metadata.isDownloadOnly).toBe(true)
      for (const path of [message.fileUrl ?? '', `/api/media/evolution/${message.id}`]) {
        expect(await ana.request('GET', path)).toMatchObject(refusal(415, 'media.not_shown'))
        const answer = await get(`${path}?download=1`)
        expectInert(answer)
        expect(answer.headers.get('content-disposition')).toMatch(/^attachment/)
        expect(await bytesOf(answer)).toEqual(bytes)
      }
      const forwarded = await forward(
        message,
        { conversationId: client.id },
        { clientMessageId: `as-${kind}` },
      )
      expect(forwarded.body.message).toMatchObject({
        messageType: 'document',
        metadata: { isForwarded: true },
      })
    }
    t.simulator.control.send(client.phone, { ...image, caption: 'pequena' })
    const small = await received(client.id, (one) => one.content === 'pequena' && one.fileUrl !== null)
    expect(small.metadata.isDownloadOnly).toBeUndefined()
    expectInert(await get(small.fileUrl ?? ''))
  })

  const expectInert = ({ status, headers }: Response) => {
    expect(status).toBe(200)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toContain('sandbox')
    const type = headers.get('content-type')
    const isShown = headers.get('content-disposition')?.startsWith('inline')
    if (isShown)
      expect(type).toMatch(/^(image\/(jpeg|png|gif|webp)|video\/(mp4|webm)|audio\/(mpeg|mp4|ogg|wav))$/)
    else expect(type).toBe('application/octet-stream')
  }
})

test('a file that belongs to no message is removed after a day', async () => {
  const name = newFileName()
  const spooled = await t.app.files.spool([png] as never, 1000)
  await t.sql`insert into files (name, size_bytes, mime_type, sha256, created_at)
        values (${name}, 3, 'image/png', ${spooled.sha256}, app_now() - interval '23 hours')`
  await t.app.files.keep(name, spooled)
  expect(await sweepFiles(t.database, t.app.files)).toBe(0)
  await t.sql`update files set created_at = app_now() - interval '25 hours' where name = ${name}`
  expect(await sweepFiles(t.database, t.app.files)).toBe(1)
  expect(await t.app.files.read(name)).toBeUndefined()
})

test('one sweep removes all files without an owner, also more than a hundred', async () => {
  const names = Array.from({ length: 101 }, () => newFileName())
  await t.sql`insert into files (name, size_bytes, mime_type, sha256, created_at)
        select name, 3, 'image/png', 'none', app_now() - interval '25 hours'
          from unnest(${sql.param(names)}::text[]) as name`
  expect(await sweepFiles(t.database, t.app.files)).toBe(101)
})

interface Forwarded {
  conversation: Conversation
  message: Message
}
type To = { conversationId: number } | { contactId: number }
const forward = (message: Message, to: To, { who = ana, clientMessageId = 'forward-key-1' } = {}) =>
  who.request<Forwarded & ErrorBody>(
    'POST',
    `/api/conversations/${message.conversationId}/messages/${message.id}/forward`,
    { to, clientMessageId },
  )
const delivered = (phoneId: string, count: number) => eventually(() => onPhone(phoneId), { length: count })

test('a client’s text reaches another client, as a message of the person, marked as forwarded', async () => {
  const [from, to] = [await talk(), await talk()]
  const source = await firstOf(from.id)
  const { status, body } = await forward(source, { conversationId: to.id })
  expect(status).toBe(201)
  expect(body.message).toMatchObject({
    conversationId: to.id,
    content: 'oi',
    senderId: ana.userId,
    metadata: { isForwarded: true },
  })
  expect(body.conversation).toMatchObject({ id: to.id, assignedUserId: ana.userId })
  // Sent again by a browser that has no answer, it is the same message.
  const again = await forward(source, { conversationId: to.id })
  expect(again.body.message.id).toBe(body.message.id)
  expect((await delivered(to.phone, 1)).map(({ text }) => text)).toEqual(['oi'])
})

test('pictures, documents and stickers are copied with their captions, and their sources stay', async () => {
  const [from, to] = [await talk(), await talk()]
  const { control } = t.simulator
  control.send(from.phone, { ...image, caption: 'a foto' })
  control.send(from.phone, note)
  control.send(from.phone, { kind: 'sticker', base64: image.base64 })
  const kinds = ['image', 'document', 'sticker'] as const
  for (const [n, messageType] of kinds.entries()) {
    const source = await received(
      from.id,
      (each) => each.messageType === messageType && each.fileUrl !== null,
    )
    const { status, body } = await forward(
      source,
      { conversationId: to.id },
      { clientMessageId: `forward-file-${n}` },
    )
    expect({ messageType, status, code: body.code }).toEqual({ messageType, status: 201, code: undefined })
    expect(body.message.fileUrl).not.toBe(source.fileUrl)
    const [before, after] = await Promise.all(
      [source, body.message].map(async ({ fileUrl }) => bytesOf(await get(fileUrl ?? ''))),
    )
    expect(after).toEqual(before)
  }
  const arrived = await delivered(to.phone, 3)
  expect(arrived.map(({ kind, text, media }) => [kind, text, media?.fileName])).toEqual([
    ['image', 'a foto', 'arquivo.png'],
    ['document', '', 'nota.pdf'],
    ['image', '', 'arquivo.png'],
  ])
})

test('a forward to a contact opens a conversation, and to a blocked one it is refused', async () => {
  const [from, { contactId, id }] = [await talk(), await talk()]
  await admin.request('POST', `/api/conversations/${id}/finalize`, {})
  const source = await firstOf(from.id)
  const { status, body } = await forward(source, { contactId }, { who: admin })
  expect([status, body.conversation?.contactId, body.conversation?.initiatedBy]).toEqual([
    201,
    contactId,
    'operator',
  ])
  expect(body.conversation.id).not.toBe(id)
  // An operator may not begin conversations, and a completed one takes nothing.
  expect(await forward(source, { contactId })).toMatchObject({ status: 403 })
  expect(await forward(source, { conversationId: id })).toMatchObject(refusal(409, 'conversations.completed'))
  await t.sql`update contacts set is_blocked = true where id = ${contactId}`
  expect(
    await forward(source, { contactId }, { who: admin, clientMessageId: 'forward-key-2' }),
  ).toMatchObject({ status: 403, body: { code: 'contacts.blocked' } })
})

test('what WhatsApp shows once, what is deleted, and what is neither text nor file is refused', async () => {
  const { phone, id } = await talk()
  const refused = async (source: Message) =>
    expect(await forward(source, { conversationId: id })).toMatchObject(
      refusal(409, 'messages.not_forwardable'),
    )
  const place = { kind: 'location', latitude: 1, longitude: 2, name: 'Praça', address: '' } as const
  t.simulator.control.send(phone, place)
  await refused(await received(id, ({ messageType }) => messageType === 'location'))
  const first = await firstOf(id)
  await t.sql`update messages set metadata = '{"isViewOnce": true}' where id = ${first.id}`
  await refused(first)
  await t.sql`update messages set metadata = '{}', deleted_at = app_now() where id = ${first.id}`
  await refused(first)
})

test('a file is not forwarded by who may not get or send files, and not without its bytes', async () => {
  const { phone, id } = await talk()
  t.simulator.control.send(phone, note)
  const source = await received(id, ({ fileUrl }) => fileUrl !== null)
  const bia = await t.signIn('operator', 'bia')
  const to = { conversationId: id }
  for (const flag of ['canDownloadMedia', 'canUploadMedia']) {
    const flags = { ...defaultFlags('operator'), [flag]: false }
    await t.database.insert(userPermissions).values({ userId: bia.userId, flags })
    expect(await forward(source, to, { who: bia })).toMatchObject({ status: 403 })
    await t.database.delete(userPermissions).where(eq(userPermissions.userId, bia.userId))
  }
  expect(await forward(source, to, { who: bia })).toMatchObject({ status: 201 })
  const [file] = await t.sql<{ name: string }>`select name from files where message_id = ${source.id}`
  await t.sql`update files set name = 'gone_gone_gone_gone' where name = ${file?.name}`
  expect(await forward(source, to, { clientMessageId: 'forward-key-3' })).toMatchObject(
    refusal(502, 'media.unavailable'),
  )
})
