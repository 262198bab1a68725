import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** A gateway that stores no files: it keeps checksums of those received and generates those it serves. */
export interface FileGateway {
  url: string
  /** The address and secret of the webhook. Resolves when the product has set it. */
  webhook: Promise<{ url: string; secret: string }>
  /** The checksums of the received files, in order. */
  taken: string[]
  close(): Promise<void>
}

/**
 * The bytes of a file, determined by its number. They begin like a PDF, so that the product takes it for one.
 */
export function* fileOf(number: number, sizeBytes: number): Generator<Buffer> {
  const head = Buffer.from('%PDF-1.4\n')
  const piece = Buffer.alloc(48 * 1024, number % 251)
  yield head
  for (let left = sizeBytes - head.length; left > 0; left -= piece.length)
    yield left < piece.length ? piece.subarray(0, left) : piece
}

export function sumOf(pieces: Iterable<Buffer>): string {
  const hash = createHash('sha256')
  for (const piece of pieces) hash.update(piece)
  return hash.digest('hex')
}

export async function startFileGateway(sizeBytes: number): Promise<FileGateway> {
  const taken: string[] = []
  let texts = 0
  let reported: (webhook: { url: string; secret: string }) => void
  const webhook = new Promise<{ url: string; secret: string }>((resolve) => (reported = resolve))

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? ''
    const end = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (path.includes('/message/sendMedia/')) {
      taken.push(await sumOfMedia(request))
      return end(201, { key: { id: `SENT${taken.length}`, fromMe: true }, status: 'PENDING' })
    }
    if (path.includes('/chat/getBase64FromMediaMessage/')) {
      const { message } = (await json(request)) as { message: { key: { id: string } } }
      return giveFile(response, Number(message.key.id.replace(/\D/g, '')), sizeBytes)
    }
    const body = request.method === 'POST' ? await json(request).catch(() => undefined) : undefined
    // Outside working hours an automatic text precedes the files, and would block them without an answer.
    if (path.includes('/message/sendText/'))
      return end(201, { key: { id: `TEXT${++texts}`, fromMe: true }, status: 'PENDING' })
    if (path.includes('/webhook/set/')) {
      const { url, headers } = (body as { webhook: { url: string; headers: { authorization: string } } })
        .webhook
      reported({ url, secret: headers.authorization })
    }
    if (path.includes('/instance/fetchInstances'))
      return end(200, [{ name: 'loja1', connectionStatus: 'open', ownerJid: '5511900000000@s.whatsapp.net' }])
    return end(200, { instance: { state: 'open' }, messages: { total: 0, pages: 0, records: [] } })
  }
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    webhook,
    taken,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The checksum of the one long string in the body, computed from the stream. */
async function sumOfMedia(request: IncomingMessage): Promise<string> {
  const hash = createHash('sha256')
  let rest = ''
  let isInside = false
  for await (const piece of request) {
    rest += (piece as Buffer).toString('latin1')
    if (!isInside) {
      const at = rest.indexOf('"media":"')
      if (at === -1) continue
      isInside = true
      rest = rest.slice(at + '"media":"'.length)
    }
    const end = rest.indexOf('"')
    const text = end === -1 ? rest : rest.slice(0, end)
    const whole = text.length - (text.length % 4)
    hash.update(Buffer.from(text.slice(0, whole), 'base64'))
    rest = rest.slice(whole)
  }
  return hash.digest('hex')
}

async function giveFile(response: ServerResponse, number: number, sizeBytes: number): Promise<void> {
  response.writeHead(201, { 'content-type': 'application/json' })
  response.write('{"mediaType":"documentMessage","fileName":"grande.pdf","base64":"')
  let rest = Buffer.alloc(0)
  for (const piece of fileOf(number, sizeBytes)) {
    const all = Buffer.concat([rest, piece])
    const whole = all.length - (all.length % 3)
    rest = all.subarray(whole)
    if (!response.write(all.toString('base64', 0, whole))) await once(response, 'drain')
  }
  response.end(`${rest.toString('base64')}","buffer":null}`)
}
