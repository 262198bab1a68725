import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import type { ErrorBody } from '#shared/errors.ts'
import type { Message } from '#shared/messages/messages.ts'
import type { MediaSettings } from '#shared/settings/settings-endpoints.ts'
import { sweepFiles } from '#server/media/media.ts'
import { type Config, readConfig } from '#server/platform/config.ts'
import type { Database } from '#server/platform/database/db.ts'
import { armFailpoints } from '#server/platform/failpoints.ts'
import { createFileStore, newFileName } from '#server/platform/file-store.ts'
import type { FilePlace } from '#server/platform/file-store/places.ts'
import { contactFiles } from '#server/testing/files/contact-files.ts'
import { spread, testAtNight } from '#server/testing/nightly.ts'
import { newTalk, type Talk } from '#server/testing/new-talk.ts'
import { type BucketServer, startBucketServer } from '#server/testing/servers/bucket-server.ts'
import {
  type Client,
  eventually,
  filled,
  forAllTests,
  formOf,
  including,
  testApp,
} from '#server/testing/test-app.ts'
import { moveFiles } from './move.ts'
import { removeOrphans, scanFiles } from './scan.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

let bucket: BucketServer
let ana: Client
let admin: Client
let talk: Talk
/** What a command opens beside the server. */
let beside: Database
beforeAll(async () => {
  bucket = await startBucketServer()
})
const t = forAllTests(() => testApp({ ...bucket.env, MEDIA_STORE: 'disk' }))
beforeAll(async () => {
  beside = t.openAgain()
  ana = await t.signIn('operator', 'ana')
  admin = await t.signIn('admin')
  talk = await newTalk(t, ana)
})
let disarm: (() => void) | undefined
afterEach(() => {
  disarm?.()
  disarm = undefined
  bucket.refuse = undefined
})
afterAll(() => bucket.close())

const uploads = () => join(t.config.dataDir, 'uploads')
const pathOf = (name: string) => join(uploads(), name.slice(0, 2), name)
const onDisk = () =>
  readdirSync(uploads(), { recursive: true, withFileTypes: true })
    // Of what a program that was killed has not finished, something may be left in the folder of the spool.
    .filter((entry) => entry.isFile() && entry.parentPath !== join(uploads(), 'cache'))
    .map(({ name }) => name)
    .toSorted()
/** Of files that belong to somebody. */
const named = async () =>
  (await t.sql<{ name: string }>`select name from files where message_id is not null`)
    .map(({ name }) => name)
    .toSorted()

async function move(to: FilePlace, config: Config = t.config) {
  const files = await createFileStore(config, { database: beside })
  return moveFiles({ config, database: beside, files }, to, () => Promise.resolve())
}
const scan = async () => {
  const files = await createFileStore(t.config, { database: beside })
  return scanFiles({ config: t.config, database: beside, files })
}

/** A file that an operator has sent, by its address. */
const sent = new Map<string, Buffer>()

const post = (bytes: Buffer, name: string) =>
  fetch(`${t.app.url}/api/media/upload`, {
    method: 'POST',
    body: formOf({ conversationId: talk.conversation.id }, name, new Uint8Array(bytes)),
    headers: { authorization: `Bearer ${ana.token}` },
  })
async function upload(bytes = randomBytes(30_000)): Promise<string> {
  const answer = await post(bytes, 'nota.txt')
  expect(answer.status).toBe(201)
  const { fileUrl } = (await answer.json()) as { fileUrl: string }
  sent.set(fileUrl, bytes)
  return fileUrl
}
const get = (url: string, headers: Record<string, string> = {}) =>
  fetch(`${t.app.url}${url}`, { headers: { authorization: `Bearer ${ana.token}`, ...headers } })

async function expectAllReadable(): Promise<void> {
  for (const [url, bytes] of sent) {
    const answer = await get(url)
    expect(answer.status, url).toBe(200)
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes), url).toBe(true)
    const part = await get(url, { range: 'bytes=100-199' })
    expect(part.status, url).toBe(206)
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(100, 200)), url).toBe(true)
  }
}

const messages = () => admin.get<Message[]>(`/api/conversations/${talk.conversation.id}/messages`)
const sendPicture = () =>
  t.simulator.control.send(talk.phoneId, {
    kind: 'image',
    base64: png.toString('base64'),
    mimetype: 'image/png',
  })
/** A picture of the client, as soon as it has been fetched. */
async function receivePicture(): Promise<void> {
  const before = (await messages()).filter(({ fileUrl }) => fileUrl !== null).length
  sendPicture()
  const all = await eventually(
    messages,
    (now) => now.filter(({ fileUrl }) => fileUrl !== null).length > before,
  )
  const url = all.findLast(({ fileUrl }) => fileUrl !== null)?.fileUrl ?? ''
  expect(Buffer.from(await (await get(url)).arrayBuffer())).toEqual(png)
}

/** Every file is at the one place, and nothing at the other. */
async function expectAllAt(place: FilePlace): Promise<void> {
  const names = await named()
  expect(onDisk()).toEqual(place === 'disk' ? names : [])
  expect(bucket.keys()).toEqual(place === 's3' ? names : [])
}

test('all files move to the bucket and back while people write, send and read', async () => {
  for (let n = 0; n < 20; n++) await upload()
  await receivePicture()
  await expectAllAt('disk')
  for (const to of ['s3', 'disk'] as const) {
    let isMoving = true
    const work = (async () => {
      while (isMoving) {
        await upload(randomBytes(2000))
        await receivePicture()
        await expectAllReadable()
      }
    })()
    // Slow enough for some of that to happen meanwhile.
    disarm = armFailpoints('move.copied=sleep:150,move.verified=sleep:50')
    try {
      expect(await move(to)).toMatchObject({ to, damaged: 0, otherDisks: [] })
    } finally {
      isMoving = false
      await work
    }
    await expectAllReadable()
    await expectAllAt(to)
    const body = await admin.get<MediaSettings>('/api/media-settings')
    expect(body.uploadDirectory).toBe(to === 's3' ? 's3://balcao' : uploads())
  }
  await t.settled()
  const left = (await messages()).filter(({ deliveryStatus }) => deliveryStatus === 'failed')
  expect(left).toEqual([])
})

test('all files that are there already need no move', async () => {
  expect(await move('disk')).toMatchObject({ files: 0 })
})

testAtNight('all files of which one is damaged move as they are, and it is reported', async () => {
  const name = (await upload()).split('/').at(-1) ?? ''
  const bytes = readFileSync(pathOf(name))
  writeFileSync(pathOf(name), 'outra coisa')
  expect(await move('s3')).toMatchObject({ damaged: 1 })
  expect(readFileSync(bucket.pathOf(name), 'utf8')).toBe('outra coisa')
  // The right bytes at the other place take the place of the wrong ones, not the other way round.
  writeFileSync(pathOf(name), bytes)
  expect(await move('disk')).toMatchObject({ damaged: 0 })
  expect(readFileSync(pathOf(name)).equals(bytes)).toBe(true)
  await expectAllAt('disk')
  await expectAllReadable()
})

const points = ['s3', 'disk'].flatMap((to) => [
  [to, 'move.switched=kill'],
  ...['move.copied', 'move.verified', 'move.removed'].flatMap((point) =>
    [1, 4, 9].map((hit) => [to, `${point}=kill@${hit}`]),
  ),
]) as [FilePlace, string][]

async function start(to: FilePlace, failpoints: string) {
  const { host, port, user } = inject('postgres')
  const child = spawn(process.execPath, [join(import.meta.dirname, 'test-move-process.ts')], {
    env: {
      PATH: process.env['PATH'],
      ...bucket.env,
      MEDIA_STORE: 'disk',
      DATA_DIR: t.config.dataDir,
      CONNECTION: JSON.stringify({ host, port, user, database: t.name }),
      TO: to,
      FAILPOINTS: failpoints,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [[code, signal], stdout, stderr] = await Promise.all([
    once(child, 'close') as Promise<[number | null, string | null]>,
    text(child.stdout),
    text(child.stderr),
  ])
  return { code, signal, stdout, stderr }
}

test.each(spread(points, 1))(
  'a move to %s that is killed at %s loses nothing, and goes on',
  async (to, point) => {
    while (sent.size < 14) await upload(randomBytes(3000))
    await move(to === 's3' ? 'disk' : 's3')
    expect(await start(to, point)).toMatchObject({ signal: 'SIGKILL' })
    await expectAllReadable()
    await upload(randomBytes(2000))
    await receivePicture()
    expect(await start(to, '')).toMatchObject({ code: 0, stderr: '' })
    await expectAllReadable()
    await expectAllAt(to)
    expect(await scan()).toMatchObject({ orphans: [], danglers: [] })
  },
)

const moments = [
  ['s3', 'move.copied'],
  ['s3', 'move.verified'],
  ['disk', 'move.copied'],
] as const
test.each(spread(moments, 1))(
  'a file that is deleted while it moves to %s, at %s, comes back nowhere',
  async (to, point) => {
    await move(to === 's3' ? 'disk' : 's3')
    const url = await upload()
    const name = url.split('/').at(-1) ?? ''
    sent.delete(url)
    await t.settled()
    // Slow enough for the file to go meanwhile.
    disarm = armFailpoints(`${point}=sleep:500`)
    const moving = move(to)
    await eventually(() => (to === 's3' ? bucket.keys() : onDisk()), including(name))
    await t.sql`update files set message_id = null, is_erased = true where name = ${name}`
    await Promise.all([moving, sweepFiles(t.database, t.app.files)])
    expect([...bucket.keys(), ...onDisk()]).not.toContain(name)
    await expectAllAt(to)
  },
)

describe('a bucket that is away', () => {
  beforeAll(() => move('s3'))
  afterAll(() => move('disk'))

  test('without a bucket texts are stored, files fetched and sent later', async () => {
    const waiting = await upload()
    await t.settled()
    bucket.refuse = () => 'cut'
    const away = {
      code: 'media.store_away',
      message: expect.stringContaining('O armazenamento de arquivos não responde'),
    }
    for (const answer of [await post(randomBytes(100), 'nota.txt'), await get(waiting)]) {
      expect(answer.status).toBe(503)
      expect(answer.headers.get('retry-after')).toBe('10')
      expect((await answer.json()) as ErrorBody).toMatchObject(away)
    }
    t.simulator.control.sendText(talk.phoneId, 'e sem arquivo?')
    sendPicture()
    const all = await eventually(messages, (now) => now.at(-1)?.messageType === 'image')
    expect(all.at(-2)).toMatchObject({ content: 'e sem arquivo?' })
    const image = all.at(-1)
    const [fetching] = await eventually(
      () =>
        t.sql<{ tries: number; lastError: string | null }>`
          select tries, last_error as "lastError" from media_fetches
           where message_id = ${image?.id ?? 0}`,
      ([row]) => row?.lastError != null,
    )
    expect(fetching).toMatchObject({ tries: 0, lastError: expect.stringContaining('BucketError') })
    bucket.refuse = undefined
    await t.sql`update media_fetches set not_before = now()`
    await eventually(
      messages,
      (now) => now.some((one) => one.id === image?.id && one.fileUrl !== null),
      40_000,
    )
  })

  test('a bucket that is away delays the send of a file, and does not fail it', async () => {
    const before = t.simulator.control.chat(talk.phoneId).length
    // The file is stored; then the bucket goes away before it is read for the gateway.
    bucket.refuse = (line) => (line.startsWith('GET') ? 'cut' : undefined)
    const url = await upload()
    const [row] = await eventually(
      () =>
        t.sql<{ id: number; state: string }>`
          select o.id, o.state from outbox o join messages m on m.id = o.message_id
           where m.file_url = ${url} and o.state = 'pending' and o.not_before > now()`,
      filled,
    )
    expect(row).toMatchObject({ state: 'pending' })
    bucket.refuse = undefined
    await t.sql`update outbox set not_before = now() where state = 'pending'`
    t.database.signals.send('outbox')
    await t.settled()
    expect(t.simulator.control.chat(talk.phoneId).length).toBe(before + 1)
  })

  testAtNight('a bucket that is away stops a move, which goes on when it is back', async () => {
    disarm = armFailpoints('move.removed=sleep:1')
    let removed = 0
    bucket.refuse = (line) => (line.startsWith('DELETE') && ++removed > 3 ? 'cut' : undefined)
    await expect(move('disk')).rejects.toThrow('the bucket did not answer')
    bucket.refuse = undefined
    await expectAllReadable()
    await move('s3')
    await expectAllAt('s3')
  })

  testAtNight('files are not moved to a bucket that refuses', async () => {
    await move('disk')
    bucket.refuse = (line) => (line.startsWith('PUT') ? 403 : undefined)
    await expect(move('s3')).rejects.toThrow('the bucket answered 403')
    const url = await upload()
    expect(existsSync(pathOf(url.split('/').at(-1) ?? ''))).toBe(true)
    bucket.refuse = undefined
    await move('s3')
  })
})

testAtNight('is refused while a server does not know the bucket', async () => {
  const { bucket: _none, ...rest } = t.config
  const other = await t.startAnother({ config: { ...rest, bucket: undefined } })
  try {
    await expect(move('s3')).rejects.toThrow(/O servidor em .* não usa este bucket/)
  } finally {
    await other.stop()
  }
  expect(await move('s3')).toMatchObject({ otherDisks: [] })
})

testAtNight('a file that began to be kept before the switch follows it', async () => {
  await move('s3')
  let switched: Promise<unknown> | undefined
  // The bucket is asked again after 200 ms.
  bucket.refuse = (line) => {
    if (!line.startsWith('PUT') || switched) return undefined
    switched = Promise.resolve(t.sql`update installation set file_place = 'disk'`)
    return 503
  }
  const name = (await upload()).split('/').at(-1) ?? ''
  await switched
  expect(existsSync(pathOf(name))).toBe(true)
  expect(bucket.keys()).not.toContain(name)
  bucket.refuse = undefined
  await move('disk')
  await expectAllAt('disk')
})

testAtNight('only one move at a time', async () => {
  await move('disk')
  disarm = armFailpoints('move.switched=block')
  const first = move('s3')
  await eventually(() => t.sql<{ at: string }>`select file_place as at from installation`, {
    0: { at: 's3' },
  })
  await expect(move('s3')).rejects.toThrow('Outra mudança dos arquivos está em andamento')
  disarm()
  await first
})

test('without a bucket in the environment nothing moves', async () => {
  const config = readConfig({ DATA_DIR: t.config.dataDir }, false)
  await expect(move('disk', config)).rejects.toThrow('Falta o bucket')
})

test('the scan finds files without a row, and rows without a file', async () => {
  await move('disk')
  const lost = (await upload()).split('/').at(-1) ?? ''
  await t.settled()
  await t.sql`update files set created_at = app_now() - interval '1 hour' where name = ${lost}`
  sent.delete(`/api/media/files/${lost}`)
  await t.app.files.remove(lost)
  const [onDiskName, inBucketName] = [newFileName(), newFileName()]
  for (const [name, place] of [
    [onDiskName, 'disk'],
    [inBucketName, 's3'],
  ] as const) {
    const store = await createFileStore({ ...t.config, mediaStore: place })
    await store.keep(name, await store.spool(piece('órfão'), 100))
  }
  const found = await scan()
  expect(found.danglers).toMatchObject([{ name: lost, messageId: expect.any(Number) }])
  expect(found.orphans.map(({ name, place, isOld }) => [name, place, isOld])).toEqual([
    [onDiskName, 'disk', false],
    [inBucketName, 's3', false],
  ])
  expect(found.known).toEqual({ disk: (await named()).length - 1, s3: 0 })
  const files = await createFileStore(t.config, { database: beside })
  expect(await removeOrphans({ database: beside, files }, found.orphans)).toEqual([])
  const old = found.orphans.map((orphan) => ({ ...orphan, isOld: true }))
  expect(await removeOrphans({ database: beside, files }, old)).toHaveLength(2)
  expect(await scan()).toMatchObject({ orphans: [], danglers: [{ name: lost }] })
  await expectAllReadable()
})

test('the scan keeps files that an import or a restore needs', async () => {
  const known = new Set(onDisk())
  await contactFiles(admin).upload('Nome;Telefone\nBia;11987654321\n')
  expect(onDisk().filter((name) => !known.has(name))).toHaveLength(1)
  const restored = newFileName()
  await t.app.files.keep(restored, await t.app.files.spool(piece('de volta'), 100))
  await t.sql`insert into restored_files (name, run_id) values (${restored}, gen_random_uuid())`
  expect((await scan()).orphans).toEqual([])
})

async function* piece(content: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(content)
}
