import { type BucketClient, elementOf } from './bucket-client.ts'

export interface ListedObject {
  key: string
  sizeBytes: number
  /** By the clock of the bucket. */
  changedAt: Date
}

/** As many as S3 lists. */
const mostListed = 1000

/**
 * Lists objects in the order of their keys, from the one after `after`.
 * @param asked.delimiter leaves out what has it behind the prefix
 * @returns `next` is where the next list begins; undefined: there is none
 * @throws BucketError
 */
export async function listObjects(
  client: BucketClient,
  asked: {
    prefix?: string
    delimiter?: string
    after?: string | undefined
    most?: number
  },
): Promise<{ objects: ListedObject[]; next: string | undefined }> {
  const { prefix = '', delimiter, after, most = mostListed } = asked
  const query = {
    prefix,
    'max-keys': String(most),
    ...(delimiter !== undefined && { delimiter }),
    ...(after !== undefined && { marker: after }),
  }
  const answer = await client.ask({ what: 'a listing', method: 'GET', key: '', query })
  const text = await answer.text()
  const objects = text
    .split('<Contents>')
    .slice(1)
    .map((part) => ({
      key: elementOf(part, 'Key') ?? '',
      sizeBytes: Number(elementOf(part, 'Size') ?? 0),
      changedAt: new Date(elementOf(part, 'LastModified') ?? 0),
    }))
  const isMore = elementOf(text, 'IsTruncated') === 'true'
  return { objects, next: isMore ? (elementOf(text, 'NextMarker') ?? objects.at(-1)?.key) : undefined }
}
