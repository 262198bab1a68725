import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'

const bucketName = 'balcao'
const objectEnd = '._S3rver_object'

/** A real S3 server with a bucket, which stores in a folder. */
export interface BucketServer {
  /** The variables of the environment that name the bucket. */
  env: Record<string, string>
  /** The bucket in the file system: an object has the path of its name, and `objectEnd`. */
  pathOf(key: string): string
  /** The names of all objects, sorted. */
  keys(): string[]
  /** The names of objects whose uploads in parts have neither ended nor been given up. */
  unfinished(): string[]
  /** What it was asked: `PUT /balcao/a?uploadId=1`. */
  asked: string[]
  /** Says with which status a request is refused, or 'cut' to close its connection; undefined: it is not. */
  refuse: ((request: string) => number | 'cut' | undefined) | undefined
  /** Closes the connections that are open. */
  cut(): void
  close(): Promise<void>
}

/** Starts one. Uploads that are given up or listed are ours: the server lacks these two calls. */
export async function startBucketServer(): Promise<BucketServer> {
  const directory = mkdtempSync(join(tmpdir(), 'balcao-s3-'))
  const s3 = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: bucketName, configs: [] }],
  })
  await s3.configureBuckets()
  const answerAsS3 = s3.callback()
  const folder = join(directory, bucketName)
  const uploadsFolder = join(folder, '._S3rver_uploads')
  const uploads = () =>
    namesIn(uploadsFolder).map((id) => ({ id, key: readFileSync(join(uploadsFolder, id, 'key'), 'utf8') }))

  const server = createServer((request, response) => {
    const line = `${request.method} ${request.url}`
    bucket.asked.push(line)
    const refusal = bucket.refuse?.(line)
    if (refusal === 'cut') return void request.socket.destroy()
    if (refusal !== undefined)
      return answer(request, response, refusal, '<Error><Code>Refused</Code></Error>')
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://bucket')
    const [isBucket, uploadId] = [pathname === `/${bucketName}`, searchParams.get('uploadId')]
    if (request.method === 'GET' && isBucket && searchParams.has('uploads')) {
      const found = uploads().filter(({ key }) => key.startsWith(searchParams.get('prefix') ?? ''))
      const list = found.map(({ id, key }) => `<Upload><Key>${key}</Key><UploadId>${id}</UploadId></Upload>`)
      return answer(
        request,
        response,
        200,
        `<ListMultipartUploadsResult>${list.join('')}</ListMultipartUploadsResult>`,
      )
    }
    if (request.method === 'DELETE' && uploadId !== null && /^[0-9a-f]+$/.test(uploadId)) {
      rmSync(join(uploadsFolder, uploadId), { recursive: true, force: true })
      return answer(request, response, 204, '')
    }
    // The server takes a range that ends at 0 for one without an end.
    const key = decodeURIComponent(pathname.slice(bucketName.length + 2))
    if (request.method === 'GET' && request.headers.range === 'bytes=0-0' && existsSync(bucket.pathOf(key))) {
      const content = readFileSync(bucket.pathOf(key))
      const range = { 'content-range': `bytes 0-0/${content.length}`, 'content-length': 1 }
      return void response.writeHead(206, range).end(content.subarray(0, 1))
    }
    return answerAsS3(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  const bucket: BucketServer = {
    env: {
      S3_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      S3_BUCKET: bucketName,
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    },
    pathOf: (key) => join(folder, `${key}${objectEnd}`),
    keys: () =>
      (readdirSync(folder, { recursive: true }) as string[])
        .filter((name) => name.endsWith(objectEnd))
        .map((name) => name.slice(0, -objectEnd.length))
        .toSorted(),
    unfinished: () => uploads().map(({ key }) => key),
    asked: [],
    refuse: undefined,
    cut: () => server.closeAllConnections(),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      rmSync(directory, { recursive: true, force: true })
    },
  }
  return bucket
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function answer(request: IncomingMessage, response: ServerResponse, status: number, body: string): void {
  request.resume()
  response.writeHead(status, { 'content-type': 'application/xml' }).end(body)
}
