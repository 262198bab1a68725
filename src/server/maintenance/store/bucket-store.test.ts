import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type BackupStore, MemberMissing } from '#server/maintenance/archive/store.ts'
import { failureText } from '#server/maintenance/runs/failure.ts'
import { readConfig } from '#server/platform/config.ts'
import { BucketError } from '#server/platform/file-store/bucket-client.ts'
import { atNight, testAtNight } from '#server/testing/nightly.ts'
import { type BucketServer, startBucketServer } from '#server/testing/servers/bucket-server.ts'
import { createBucketStore } from './bucket-store.ts'

let bucket: BucketServer
let store: BackupStore
beforeAll(async () => {
  bucket = await startBucketServer()
  const config = readConfig(bucket.env, false)
  if (!config.backupBucket) throw new Error('no bucket')
  store = createBucketStore(config.backupBucket)
})
afterAll(() => bucket.close())

let made = 0
let folder: string
beforeEach(() => {
  made += 1
  folder = `folder-of-a-backup-${made}`
  bucket.asked = []
})
afterEach(() => {
  bucket.refuse = undefined
})

const mebibyte = 1024 * 1024
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
async function* pieces(bytes: Uint8Array, length = 100_000) {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}
async function read(name: string, range?: { start: number; end: number }, from = folder): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of await store.read(from, name, range)) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
const ours = () => bucket.keys().filter((key) => key.startsWith(`backups/${folder}/`))

describe('a member', () => {
  test.each([
    ['nothing', 0],
    ['a byte', 1],
    ['less than a part', 3 * mebibyte + 7],
    ['exactly a part', 8 * mebibyte],
    ['two parts and a byte', 16 * mebibyte + 1],
  ])('a member of %s comes back as it was, whole and in ranges', async (_what, length) => {
    const bytes = randomBytes(length)
    expect(await store.write(folder, 'files/a', pieces(bytes))).toEqual({
      size: length,
      sha256: hashOf(bytes),
    })
    expect((await read('files/a')).equals(bytes)).toBe(true)
    for (const [start, end] of [
      [0, length - 1],
      [length >> 1, length - 1],
      [1, Math.min(length - 1, 70_000)],
    ] as const)
      if (end > 0 && start <= end)
        expect((await read('files/a', { start, end })).equals(bytes.subarray(start, end + 1))).toBe(true)
    expect(ours()).toEqual([`backups/${folder}/files/a`])
    expect(bucket.unfinished()).toEqual([])
  })

  test('a member whose source breaks off is not there, and neither are its parts', async () => {
    const broken = (async function* () {
      yield* pieces(randomBytes(20 * mebibyte))
      expect(bucket.unfinished()).toHaveLength(1)
      throw new Error('line lost')
    })()
    await expect(store.write(folder, 'files/a', broken)).rejects.toThrow('line lost')
    expect(ours()).toEqual([])
    expect(bucket.unfinished()).toEqual([])
    await expect(read('files/a')).rejects.toThrow(MemberMissing)
  })

  test('a member that is not there is missing; of one that was cut comes what is left', async () => {
    await expect(read('tables/a')).rejects.toThrow(MemberMissing)
    await store.write(folder, 'tables/a', pieces(randomBytes(1000)))
    truncateSync(bucket.pathOf(`backups/${folder}/tables/a`), 10)
    expect(await read('tables/a', { start: 0, end: 999 })).toHaveLength(10)
    expect(await read('tables/a', { start: 500, end: 999 })).toHaveLength(0)
  })

  test.each(['../a', 'files/../../a', '/a', 'files/A', ''])(
    'the bucket store refuses the member name %j',
    async (name) => {
      await expect(store.write(folder, name, pieces(randomBytes(1)))).rejects.toThrow('not a name')
      await expect(store.write('../outside-of-it', 'a', pieces(randomBytes(1)))).rejects.toThrow('not a name')
      await expect(store.remove('')).rejects.toThrow('not a name')
    },
  )

  const length = atNight(300, 200)
  testAtNight(`of ${length} MB takes no more memory than some parts`, async () => {
    const piece = randomBytes(mebibyte)
    const hash = createHash('sha256')
    for (let n = 0; n < length; n++) hash.update(piece)
    let most = 0
    let before = 0
    const look = () => (most = Math.max(most, process.memoryUsage().rss))
    const watched = (async function* () {
      for (let n = 0; n < length; n++) {
        // What the first parts need stays.
        if (n === 40) before = process.memoryUsage().rss
        if (n > 40) look()
        yield piece
      }
    })()
    const written = await store.write(folder, 'files/a', watched)
    const sum = createHash('sha256')
    let size = 0
    for await (const chunk of await store.read(folder, 'files/a')) {
      sum.update(chunk as Buffer)
      size += (chunk as Buffer).length
      if (size % (8 * mebibyte) < 65_536) look()
    }
    expect([size, sum.digest('hex')]).toEqual([written.size, written.sha256])
    expect(written).toEqual({ size: length * mebibyte, sha256: hash.digest('hex') })
    expect((most - before) / mebibyte).toBeLessThan(100)
  })
})

describe('what an earlier backup has', () => {
  test('is copied in the bucket, and each backup is whole on its own', async () => {
    const bytes = randomBytes(2 * mebibyte)
    await store.write(folder, 'files/a', pieces(bytes))
    const later = `${folder}-later`
    bucket.asked = []
    expect(await store.reuse(later, 'files/a', folder)).toBe(true)
    expect(bucket.asked).toEqual([`PUT /balcao/backups/${later}/files/a`])
    await store.remove(folder)
    expect(await store.has(folder)).toBe(false)
    expect((await read('files/a', undefined, later)).equals(bytes)).toBe(true)
  })

  test('and has no more, or a bucket does not copy, is to be written anew', async () => {
    expect(await store.reuse(folder, 'files/a', 'folder-of-nothing')).toBe(false)
    bucket.refuse = () => 501
    expect(await store.reuse(folder, 'files/a', 'folder-of-nothing')).toBe(false)
  })
})

describe('a backup', () => {
  test('a backup is listed as long as anything of it is there', async () => {
    const other = folder.replace('backup', 'secund')
    await store.write(other, 'tables/a', pieces(randomBytes(1)))
    await store.write(folder, 'files/a', pieces(randomBytes(1)))
    await store.write(folder, 'manifest.json', pieces(randomBytes(1)))
    expect(await store.list()).toEqual(expect.arrayContaining([folder, other]))
    await store.remove(folder)
    expect(await store.list()).toContain(other)
    expect(await store.list()).not.toContain(folder)
    await store.remove(folder)
  })

  test('a backup of more members than are listed at once is removed whole, and nothing else', async () => {
    const beside = [`backups/${folder}-b/files/a`, 'a-file-of-a-conversation']
    const members = Array.from({ length: 1100 }, (_, n) => `backups/${folder}/files/${n}`)
    for (const key of [...members, ...beside]) {
      mkdirSync(dirname(bucket.pathOf(key)), { recursive: true })
      writeFileSync(bucket.pathOf(key), 'x')
    }
    await store.remove(folder)
    const left = bucket.keys()
    expect(left).toEqual(expect.arrayContaining(beside))
    expect(left.filter((key) => members.includes(key))).toEqual([])
  })
})

describe('a bucket', () => {
  test.each([503, 'cut'] as const)('a bucket that fails once (%s) is asked again', async (refusal) => {
    let isFirst = true
    bucket.refuse = () => {
      if (!isFirst) return undefined
      isFirst = false
      return refusal
    }
    await store.write(folder, 'files/a', pieces(randomBytes(1000)))
    expect(await read('files/a')).toHaveLength(1000)
  })

  test.each([
    ['that is away', 'cut', 'O bucket S3 não responde: tente de novo mais tarde'],
    ['that refuses', 403, 'O bucket S3 recusou um pedido (403): confira o bucket e as suas chaves'],
  ] as const)('%s is reported with a message', async (_what, refusal, words) => {
    bucket.refuse = () => refusal
    for (const act of [
      () => store.write(folder, 'files/a', pieces(randomBytes(10))),
      () => store.read(folder, 'files/a'),
      () => store.list(),
    ]) {
      const error: unknown = await act().catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(BucketError)
      expect(failureText(error)).toBe(words)
    }
  })

  test('parts that a failed bucket leaves are removed with the backup', async () => {
    const source = (async function* () {
      yield* pieces(randomBytes(9 * mebibyte))
      bucket.refuse = () => 'cut'
      yield* pieces(randomBytes(9 * mebibyte))
    })()
    await expect(store.write(folder, 'files/a', source)).rejects.toThrow(BucketError)
    bucket.refuse = undefined
    expect([ours(), bucket.unfinished()]).toEqual([[], [`backups/${folder}/files/a`]])
    await store.remove(folder)
    expect(bucket.unfinished()).toEqual([])
  })

  test('a bucket that lists no uploads removes the objects all the same', async () => {
    await store.write(folder, 'files/a', pieces(randomBytes(10)))
    bucket.refuse = (request) => (request.includes('?uploads') ? 501 : undefined)
    await store.remove(folder)
    expect(ours()).toEqual([])
  })

  test('a bucket that breaks off while it is read says so', async () => {
    await store.write(folder, 'files/a', pieces(randomBytes(20 * mebibyte)))
    const stream = await store.read(folder, 'files/a')
    const error: unknown = await (async () => {
      let count = 0
      for await (const chunk of stream) {
        count += (chunk as Buffer).length
        if (count > mebibyte) bucket.cut()
      }
    })().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(BucketError)
  })
})
