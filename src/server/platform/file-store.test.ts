import { mkdtempSync, rmSync } from 'node:fs'
import { readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import S3rver from 's3rver'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { folderForTests } from '#server/testing/for-all-tests.ts'
import { freePort } from '../testing/servers/free-port.ts'
import { readConfig } from './config.ts'
import { DiskFull } from './file-store/disk-room.ts'
import { createFileStore, type FileStore, FileTooLarge, newFileName } from './file-store.ts'

const gathered = async (pieces: AsyncIterable<Uint8Array>) => {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all)
}
const bytesOf = (text: string) => Buffer.from(text)
const piecesOf = async function* (bytes: Buffer, length = 1000) {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}

const folder = folderForTests()
const newFolder = () => mkdtempSync(join(folder, 'files-'))

// A real S3 server that stores in a folder.
let bucketServer: S3rver
let s3: Record<string, string>
beforeAll(async () => {
  const port = await freePort()
  bucketServer = new S3rver({
    address: '127.0.0.1',
    port,
    silent: true,
    directory: newFolder(),
    configureBuckets: [{ name: 'balcao', configs: [] }],
  })
  await bucketServer.run()
  s3 = {
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_BUCKET: 'balcao',
    S3_ACCESS_KEY_ID: 'S3RVER',
    S3_SECRET_ACCESS_KEY: 'S3RVER',
  }
})
afterAll(() => bucketServer.close())

describe.each(['folder', 'bucket'])('in a %s', (kind) => {
  const dataDir = newFolder()
  let files: FileStore
  beforeAll(async () => {
    files = await createFileStore(readConfig({ DATA_DIR: dataDir, ...(kind === 'bucket' && s3) }, false))
  })

  const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, n) => n % 251))
  const kept = async () => {
    const name = newFileName()
    await files.keep(name, await files.spool(piecesOf(bytes), 1_000_000))
    return name
  }
  const read = async (name: string, range?: { start: number; end: number }) => {
    const found = await files.read(name, range)
    return found && gathered(found as AsyncIterable<Uint8Array>)
  }

  test('a file comes back as it was, whole and in parts', async () => {
    const name = await kept()
    expect((await read(name))?.equals(bytes)).toBe(true)
    expect((await read(name, { start: 250, end: 2999 }))?.equals(bytes.subarray(250, 3000))).toBe(true)
    expect((await read(name, { start: 99_999, end: 99_999 }))?.length).toBe(1)
  })

  test('what is on its way is measured, and is nowhere yet', async () => {
    const spooled = await files.spool(piecesOf(bytes), 1_000_000)
    expect(spooled).toMatchObject({ sizeBytes: 100_000, head: bytes.subarray(0, 65_536) })
    expect(spooled.sha256).toMatch(/^[0-9a-f]{64}$/)
    await spooled.drop()
    await spooled.drop()
    expect(await readdir(join(dataDir, 'uploads', 'cache'))).toEqual([])
  })

  test('too much is broken off at once, and so is what breaks off itself', async () => {
    let given = 0
    const endless = (async function* () {
      for (;;) {
        given += 1000
        yield Buffer.alloc(1000)
      }
    })()
    await expect(files.spool(endless, 10_000)).rejects.toThrow(FileTooLarge)
    expect(given).toBeLessThan(200_000)
    const broken = (async function* () {
      yield Buffer.alloc(1000)
      throw new Error('line lost')
    })()
    await expect(files.spool(broken, 10_000)).rejects.toThrow('line lost')
    expect(await readdir(join(dataDir, 'uploads', 'cache'))).toEqual([])
  })

  test('what is not there is not there, and may be removed all the same', async () => {
    const name = await kept()
    await files.remove(name)
    await files.remove(name)
    expect(await read(name)).toBeUndefined()
    expect(await read(newFileName())).toBeUndefined()
  })

  test.each(['../secret-key', '..', '/etc/passwd', 'a/b', 'a\\b', '', 'ção', 'x'.repeat(65)])(
    'the file store refuses the name %j',
    async (name) => {
      expect(await read(name)).toBeUndefined()
      const spooled = await files.spool(piecesOf(bytes), 1_000_000)
      await expect(async () => files.keep(name, spooled)).rejects.toThrow('not a name')
      await expect(async () => files.remove(name)).rejects.toThrow('not a name')
      await spooled.drop()
    },
  )
})

test('what is left for the database is not for files', async () => {
  const dataDir = newFolder()
  const config = readConfig({ DATA_DIR: dataDir }, false)
  const name = newFileName()
  const before = await createFileStore(config)
  await before.keep(name, await before.spool(piecesOf(Buffer.from('x')), 10))
  const full = await createFileStore(config, { reserve: Number.MAX_SAFE_INTEGER })
  await expect(full.spool(piecesOf(Buffer.from('y')), 10)).rejects.toThrow(DiskFull)
  expect(await readdir(join(dataDir, 'uploads', 'cache'))).toEqual([])
  expect([await before.hasRoom(), await full.hasRoom()]).toEqual([true, false])
  expect(await gathered((await full.read(name)) as AsyncIterable<Uint8Array>)).toEqual(Buffer.from('x'))
})

test('a disk through which files only pass may be filled, unless the database is on it', async () => {
  const dataDir = newFolder()
  const reserve = Number.MAX_SAFE_INTEGER
  const [inBucket, elsewhere] = [{ DATA_DIR: dataDir, ...s3 }, { DATABASE_URL: 'postgres://a:b@c/d' }]
  const passing = await createFileStore(readConfig({ ...inBucket, ...elsewhere }, false), { reserve })
  expect(await passing.hasRoom()).toBe(true)
  await (await passing.spool(piecesOf(Buffer.from('y')), 10)).drop()
  for (const env of [inBucket, { ...inBucket, ...elsewhere, MEDIA_STORE: 'disk' }]) {
    const full = await createFileStore(readConfig(env, false), { reserve })
    expect(await full.hasRoom()).toBe(false)
    await expect(full.spool(piecesOf(Buffer.from('y')), 10)).rejects.toThrow(DiskFull)
  }
})

test('a file is found at either place, and removed from both', async () => {
  const dataDir = newFolder()
  const at = (place: string) =>
    createFileStore(readConfig({ DATA_DIR: dataDir, ...s3, MEDIA_STORE: place }, false))
  const [onDisk, inBucket] = [await at('disk'), await at('s3')]
  const alone = await createFileStore(readConfig({ DATA_DIR: dataDir }, false))
  const name = newFileName()
  for (const store of [onDisk, inBucket])
    await store.keep(name, await store.spool(piecesOf(bytesOf('x')), 10))
  expect(await gathered((await inBucket.read(name)) as AsyncIterable<Uint8Array>)).toEqual(bytesOf('x'))
  await alone.remove(name)
  expect(await alone.read(name)).toBeUndefined()
  expect(await gathered((await onDisk.read(name)) as AsyncIterable<Uint8Array>)).toEqual(bytesOf('x'))
  await onDisk.keep(name, await onDisk.spool(piecesOf(bytesOf('x')), 10))
  await inBucket.remove(name)
  expect([await alone.read(name), await onDisk.read(name)]).toEqual([undefined, undefined])
  expect([await onDisk.freeBytes(), await inBucket.freeBytes()]).toEqual([expect.any(Number), undefined])
})

test('a link that somebody planted in the folder leads nowhere', async () => {
  const dataDir = newFolder()
  const files = await createFileStore(readConfig({ DATA_DIR: dataDir }, false))
  const name = newFileName()
  await files.keep(name, await files.spool(piecesOf(Buffer.from('x')), 10))
  const path = join(dataDir, 'uploads', name.slice(0, 2), name)
  rmSync(path)
  await writeFile(join(dataDir, 'secret'), 'geheim')
  await symlink(join(dataDir, 'secret'), path)
  expect(await files.read(name)).toBeUndefined()
})

test('a bucket that refuses says so', async () => {
  const dataDir = newFolder()
  const files = await createFileStore(readConfig({ DATA_DIR: dataDir, ...s3, S3_BUCKET: 'outro' }, false))
  const spooled = await files.spool(piecesOf(Buffer.from('x')), 10)
  await expect(files.keep(newFileName(), spooled)).rejects.toThrow(/the bucket answered 404/)
})
