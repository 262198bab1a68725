import { openAsBlob } from 'node:fs'
import type { Bucket } from '#server/platform/config.ts'
import { bytesOf, createBucketClient } from './bucket-client.ts'
import { listObjects } from './bucket-list.ts'
import { type FileHolder, nameForm } from './holder.ts'

/**
 * Stores files in an S3 bucket. They go through the spool first, since a bucket requires the size before the
 * bytes.
 */
export function createBucket(bucket: Bucket): FileHolder {
  const client = createBucketClient(bucket)
  return {
    async keep(name, whole) {
      await client.ask({
        what: 'a write',
        method: 'PUT',
        key: name,
        body: await openAsBlob(whole.path),
        headers: { 'x-amz-content-sha256': whole.sha256, 'content-length': String(whole.sizeBytes) },
      })
      await whole.drop()
    },
    async read(name, range) {
      const what = 'a read'
      const answer = await client.find({
        what,
        method: 'GET',
        key: name,
        ...(range && { headers: { range: `bytes=${range.start}-${range.end}` } }),
      })
      return answer && bytesOf(answer, what)
    },
    async remove(name) {
      await client.find({ what: 'a removal', method: 'DELETE', key: name })
    },
    async *list() {
      // Backups may be in the same bucket, below a name of their own.
      for (let after: string | undefined; ;) {
        const { objects, next } = await listObjects(client, { delimiter: '/', after })
        for (const { key, ...listed } of objects) if (nameForm.test(key)) yield { name: key, ...listed }
        if (next === undefined) return
        after = next
      }
    },
  }
}
