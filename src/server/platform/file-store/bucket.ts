import { openAsBlob } from 'node:fs'
import type { Bucket } from '#server/platform/config.ts'
import { bytesOf, createBucketClient } from './bucket-client.ts'
import type { FileHolder } from './holder.ts'

/**
 * Stores files in an S3 bucket. They go through the spool first, since a bucket requires the size before the
 * bytes.
 */
export function createBucket(bucket: Bucket): FileHolder {
  const client = createBucketClient(bucket)
  return {
    async keep(name, spooled) {
      await client.ask({
        what: 'a write',
        method: 'PUT',
        key: name,
        body: await openAsBlob(spooled.path),
        headers: { 'x-amz-content-sha256': spooled.sha256, 'content-length': String(spooled.sizeBytes) },
      })
      await spooled.drop()
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
  }
}
