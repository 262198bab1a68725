import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import type { Bucket } from '#server/platform/config.ts'
import type { Figures } from '#server/platform/metrics.ts'

/** A bucket that does not answer, or refuses. The message says why, without keys. */
export class BucketError extends Error {
  override readonly name = 'BucketError'
  /** Of the answer; undefined when there was none. */
  readonly status: number | undefined

  // No cause: its code would be taken for one of the database's connection.
  constructor(message: string, status?: number) {
    super(message)
    this.status = status
  }
}

export interface BucketRequest {
  /** For errors: 'a read'. */
  what: string
  method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  /** '': the bucket itself. */
  key: string
  query?: Record<string, string>
  headers?: Record<string, string>
  /** It may be sent several times. */
  body?: Blob | Buffer<ArrayBuffer> | string
  /** Statuses that are answers as well; any other one besides 2xx is an error. */
  accepts?: readonly number[]
  /** Until the whole answer has come; by default two minutes. Absent for reads, whose answers may be long. */
  timeoutMs?: number
}

/** Whether each bucket answered the last time that it was asked, by this process. */
const isUp = new Map<string, boolean>()

/** Metrics of the buckets that were asked. */
export function bucketFigures(): Figures {
  return {
    balcao_bucket_up: {
      help: '1 when the bucket has answered the last request to it, 0 when it was away or has refused',
      value: [...isUp].map(([bucket, up]) => ({ labels: { bucket }, value: Number(up) })),
    },
  }
}

const askTimeoutMs = 120_000
/** Before it is asked again. A connection that was kept open may just have been closed by the other side. */
const waitsMs = [200, 1000]
const passingStatuses = new Set([429, 500, 502, 503, 504])

export interface BucketClient {
  /** @throws BucketError */
  ask(request: BucketRequest): Promise<Response>
  /** The same for what may not be there: then it is undefined. */
  find(request: BucketRequest): Promise<Response | undefined>
}

/** Asks a bucket of any S3, with path-style addresses and signatures of version 4. */
export function createBucketClient(bucket: Bucket): BucketClient {
  const { endpoint, name, region, accessKeyId, secretAccessKey } = bucket
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3' })

  async function askOnce({ method, key, query, headers, body, timeoutMs }: BucketRequest): Promise<Response> {
    const url = new URL(`${endpoint}/${name}${key === '' ? '' : `/${key}`}`)
    for (const [parameter, value] of Object.entries(query ?? {})) url.searchParams.set(parameter, value)
    const isRead = method === 'GET' && key !== ''
    const signed = await client.sign(url.href, {
      method,
      ...(headers && { headers }),
      ...(body !== undefined && { body }),
      ...(!isRead && { signal: AbortSignal.timeout(timeoutMs ?? askTimeoutMs) }),
    })
    return fetch(signed)
  }

  async function ask(request: BucketRequest): Promise<Response> {
    try {
      const answer = await askRepeatedly(request)
      isUp.set(name, true)
      return answer
    } catch (error) {
      isUp.set(name, false)
      throw error
    }
  }

  async function askRepeatedly(request: BucketRequest): Promise<Response> {
    const { what, accepts = [] } = request
    for (let attempt = 0; ; attempt++) {
      const waitMs = waitsMs[attempt]
      const answer = await askOnce(request).catch((error: unknown) => {
        if (waitMs === undefined || isTimeout(error))
          throw new BucketError(`the bucket did not answer ${what}: ${reasonOf(error)}`)
      })
      if (answer?.ok || (answer && accepts.includes(answer.status))) return answer
      if (answer && (waitMs === undefined || !passingStatuses.has(answer.status)))
        throw await refusalOf(answer, what)
      await answer?.body?.cancel()
      await sleep(waitMs)
    }
  }

  return {
    ask,
    async find(request) {
      const answer = await ask({ ...request, accepts: [...(request.accepts ?? []), 404] })
      if (answer.status !== 404) return answer
      const refusal = await refusalOf(answer, request.what)
      // The bucket that is not there is another matter than a file that is not.
      if (refusal.message.includes('NoSuchBucket')) throw refusal
      return undefined
    },
  }
}

/** The bytes of an answer. What breaks them off is a BucketError. */
export function bytesOf({ body }: Response, what: string): Readable {
  if (!body) return Readable.from([])
  const source = Readable.fromWeb(body as ReadableStream)
  // It may fail before anybody reads.
  source.on('error', () => undefined)
  const bytes = Readable.from(
    (async function* () {
      try {
        yield* source as AsyncIterable<Buffer>
      } catch (error) {
        throw new BucketError(`the bucket broke off ${what}: ${reasonOf(error)}`)
      }
    })(),
    { objectMode: false },
  )
  return bytes.once('close', () => source.destroy())
}

/** The text of an XML element, if the answer has one. */
export function elementOf(xml: string, name: string): string | undefined {
  const [, behind] = xml.split(`<${name}>`, 2)
  const [text, ...more] = behind?.split(`</${name}>`, 2) ?? []
  return more.length > 0 ? text : undefined
}

async function refusalOf(answer: Response, what: string): Promise<BucketError> {
  const code = elementOf(await answer.text().catch(() => ''), 'Code')
  return new BucketError(
    `the bucket answered ${answer.status}${code === undefined ? '' : ` ${code}`} to ${what}`,
    answer.status,
  )
}

const isTimeout = (error: unknown) => error instanceof Error && error.name === 'TimeoutError'

/** The code of the connection's error, such as ECONNREFUSED, which is the cause of what `fetch` throws. */
function reasonOf(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause)
    if ('code' in at && typeof at.code === 'string') return at.code
  return error instanceof Error ? error.name : 'unknown'
}
