import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { type BackupStore, folderForm, measure, MemberMissing } from '#server/maintenance/archive/store.ts'
import { memberForm } from '#server/maintenance/archive/tar.ts'
import type { Bucket } from '#server/platform/config.ts'
import {
  type BucketClient,
  BucketError,
  bytesOf,
  createBucketClient,
  elementOf,
} from '#server/platform/file-store/bucket-client.ts'
import { listObjects } from '#server/platform/file-store/bucket-list.ts'
import { sideBySide } from '#server/platform/work/side-by-side.ts'
import { partsOf } from './parts.ts'

/** Files of the product are beside it, at the root of the bucket. */
const root = 'backups/'
/** S3 takes parts from 5 MiB on, up to 10,000 of them. A member has 8 GiB at most. */
const partBytes = 8 * 1024 * 1024
const removedAtOnce = 16
/** After all names of members, in the order of S3. */
const afterMembers = '~'
/** While the bucket copies an object, or joins the parts of one. */
const longTimeoutMs = 15 * 60_000

/**
 * Keeps backups in a bucket, each member as an object `backups/FOLDER/MEMBER`. What an earlier backup has is
 * copied within the bucket.
 */
export function createBucketStore(bucket: Bucket): BackupStore {
  const client = createBucketClient(bucket)
  const prefixOf = (folder: string) => {
    if (!folderForm.test(folder)) throw new Error('not a name of the store of backups')
    return `${root}${folder}/`
  }
  const keyOf = (folder: string, name: string) => {
    if (!memberForm.test(name)) throw new Error('not a name of a member')
    return `${prefixOf(folder)}${name}`
  }
  return {
    async write(folder, name, bytes) {
      const key = keyOf(folder, name)
      const measured = measure(bytes)
      await putObject(client, key, partsOf(measured.bytes, partBytes))
      return measured.result()
    },
    async reuse(folder, name, from) {
      const answer = await client.find({
        what: 'a copy',
        method: 'PUT',
        key: keyOf(folder, name),
        headers: { 'x-amz-copy-source': `/${bucket.name}/${keyOf(from, name)}` },
        // One that cannot copy, or not so much at once, is given the bytes anew.
        accepts: [400, 405, 501],
        timeoutMs: longTimeoutMs,
      })
      // A copy that fails midway has the status of one that did not.
      return answer !== undefined && answer.ok && (await answer.text()).includes('<CopyObjectResult')
    },
    async settle() {
      // What a bucket has answered is there to stay.
    },
    async read(folder, name, range) {
      const what = 'a read'
      const answer = await client.find({
        what,
        method: 'GET',
        key: keyOf(folder, name),
        ...(range && { headers: { range: `bytes=${range.start}-${range.end}` } }),
        // Nothing is where the range begins: it was cut.
        accepts: [416],
      })
      if (!answer) throw new MemberMissing(name)
      if (answer.ok) return bytesOf(answer, what)
      await answer.body?.cancel()
      return Readable.from([])
    },
    async remove(folder) {
      const prefix = prefixOf(folder)
      await abortUploads(client, prefix)
      for (let keys = await listKeys(client, prefix); keys.length > 0;) {
        await sideBySide(keys, removedAtOnce, async (key) => {
          await client.find({ what: 'a removal', method: 'DELETE', key })
        })
        keys = await listKeys(client, prefix, { after: keys.at(-1) })
      }
    },
    async has(folder) {
      return (await listKeys(client, prefixOf(folder), { most: 1 })).length > 0
    },
    async list() {
      const folders: string[] = []
      for (let after: string | undefined; ;) {
        const [key] = await listKeys(client, root, { after, most: 1 })
        if (key === undefined) return folders
        const folder = key.slice(root.length).split('/', 1)[0] ?? ''
        if (folderForm.test(folder)) folders.push(folder)
        after = `${root}${folder}/${afterMembers}`
      }
    },
    freeBytes: () => Promise.resolve(undefined),
  }
}

/**
 * Writes an object of the parts. It is there when all of them are, and not before.
 * @throws BucketError, or what the parts threw; then nothing of it is there
 */
async function putObject(
  client: BucketClient,
  key: string,
  parts: AsyncIterable<Buffer<ArrayBuffer>>,
): Promise<void> {
  let upload: Upload | undefined
  let isWritten = false
  const put = (body: Buffer<ArrayBuffer>) =>
    client.ask({ what: 'a write', method: 'PUT', key, ...signed(body) })
  try {
    for await (const part of parts) {
      if (!upload && part.length < partBytes) await put(part)
      else {
        upload ??= await beginUpload(client, key)
        await upload.add(part)
      }
      isWritten = true
    }
    await upload?.complete()
  } catch (error) {
    // What an absent bucket misses now is repeated when the backup is removed.
    await upload?.abort().catch(() => undefined)
    throw error
  }
  if (!isWritten) await put(Buffer.alloc(0))
}

/** The bucket refuses bytes that are not those of the hash. */
const signed = (body: Buffer<ArrayBuffer>) => ({
  body,
  headers: { 'x-amz-content-sha256': createHash('sha256').update(body).digest('hex') },
})

/** An object that is uploaded in several parts. */
interface Upload {
  add(part: Buffer<ArrayBuffer>): Promise<void>
  complete(): Promise<void>
  abort(): Promise<void>
}

async function beginUpload(client: BucketClient, key: string): Promise<Upload> {
  const what = 'a write in parts'
  const begun = await client.ask({ what, method: 'POST', key, query: { uploads: '' } })
  const uploadId = elementOf(await begun.text(), 'UploadId')
  if (uploadId === undefined) throw new BucketError(`the bucket gave no id of ${what}`)
  const tags: string[] = []
  return {
    async add(part) {
      const query = { uploadId, partNumber: String(tags.length + 1) }
      const answer = await client.ask({ what, method: 'PUT', key, query, ...signed(part) })
      const tag = answer.headers.get('etag')
      if (tag === null) throw new BucketError(`the bucket gave no tag of a part of ${what}`)
      tags.push(tag)
    },
    async complete() {
      const list = tags.map((tag, n) => `<Part><PartNumber>${n + 1}</PartNumber><ETag>${tag}</ETag></Part>`)
      const answer = await client.ask({
        what,
        method: 'POST',
        key,
        query: { uploadId },
        body: `<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`,
        timeoutMs: longTimeoutMs,
      })
      // One that fails while the parts are joined has the status of one that did not.
      const text = await answer.text()
      if (text.includes('<Error>'))
        throw new BucketError(`the bucket answered ${elementOf(text, 'Code') ?? 'an error'} to ${what}`)
    },
    abort: () => abortUpload(client, key, uploadId),
  }
}

async function abortUpload(client: BucketClient, key: string, uploadId: string): Promise<void> {
  await client.find({ what: 'the end of a write in parts', method: 'DELETE', key, query: { uploadId } })
}

/**
 * Ends the uploads of a program that died, whose parts nothing else shows. A bucket that does not list them,
 * or not to us, has a rule of its own for them.
 */
async function abortUploads(client: BucketClient, prefix: string): Promise<void> {
  const answer = await client.ask({
    what: 'a listing of uploads',
    method: 'GET',
    key: '',
    query: { uploads: '', prefix },
    accepts: [403, 405, 501],
  })
  if (!answer.ok) return answer.body?.cancel()
  for (const upload of (await answer.text()).split('<Upload>').slice(1)) {
    const [key, uploadId] = [elementOf(upload, 'Key'), elementOf(upload, 'UploadId')]
    if (key?.startsWith(prefix) && uploadId !== undefined) await abortUpload(client, key, uploadId)
  }
}

/** Names of objects in their order, from the one after `after`. */
async function listKeys(
  client: BucketClient,
  prefix: string,
  asked: { after?: string | undefined; most?: number } = {},
): Promise<string[]> {
  const { objects } = await listObjects(client, { prefix, ...asked })
  return objects.map(({ key }) => key)
}
