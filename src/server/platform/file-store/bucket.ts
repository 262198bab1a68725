import { openAsBlob } from 'node:fs'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { AwsClient } from 'aws4fetch'
import type { Config } from '#server/platform/config.ts'
import type { FileHolder } from './holder.ts'

const askTimeoutMs = 120_000

/**
 * Stores files in an S3 bucket. They go through the spool first, since a bucket requires the size before the
 * bytes.
 */
export function createBucket(bucket: NonNullable<Config['bucket']>): FileHolder {
  const { endpoint, name: bucketName, region, accessKeyId, secretAccessKey } = bucket
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 2 })
  const urlOf = (name: string) => `${endpoint}/${bucketName}/${name}`
  const refused = (what: string, { status }: Response) =>
    new Error(`the bucket answered ${status} to ${what}`)
  return {
    async keep(name, spooled) {
      const answer = await client.fetch(urlOf(name), {
        method: 'PUT',
        body: await openAsBlob(spooled.path),
        headers: { 'x-amz-content-sha256': spooled.sha256, 'content-length': String(spooled.sizeBytes) },
        signal: AbortSignal.timeout(askTimeoutMs),
      })
      if (!answer.ok) throw refused('a write', answer)
      await spooled.drop()
    },
    async read(name, range) {
      const answer = await client.fetch(urlOf(name), {
        headers: range ? { range: `bytes=${range.start}-${range.end}` } : {},
      })
      if (answer.status === 404) return undefined
      if (!answer.ok || !answer.body) throw refused('a read', answer)
      return Readable.fromWeb(answer.body as ReadableStream)
    },
    async remove(name) {
      const answer = await client.fetch(urlOf(name), {
        method: 'DELETE',
        signal: AbortSignal.timeout(askTimeoutMs),
      })
      if (!answer.ok && answer.status !== 404) throw refused('a removal', answer)
    },
  }
}
