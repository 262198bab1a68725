import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Conversation } from '#shared/conversations/conversations.ts'
import type { Message } from '#shared/messages/messages.ts'
import { read } from '../support/http.ts'
import { adminEnv, connectNumber, signIn } from '../support/installation.ts'
import { defineScenario } from '../support/scenario.ts'
import { makeTemporaryFolder } from '../support/throwaway-database.ts'
import { type FileGateway, fileOf, startFileGateway, sumOf } from './gateway.ts'
import { until } from '../support/waiting.ts'
import { watchMemory } from '../support/watch-memory.ts'
import { startWatched, type WatchedProgram } from '../support/watched-program.ts'

interface Environment {
  program: WatchedProgram
  gateway: FileGateway
  token: string
  hook: (data: unknown) => Promise<void>
}

async function connect(program: WatchedProgram, gateway: FileGateway): Promise<Environment> {
  const { token } = await signIn(program.url)
  const number = { url: gateway.url, apiKey: 'chave-de-prova-longa', instanceName: 'loja1' }
  await connectNumber(program.url, token, number)
  const { url, secret } = await gateway.webhook
  const hook = async (data: unknown) => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { authorization: secret, 'content-type': 'application/json' },
      body: JSON.stringify({ event: 'messages.upsert', instance: 'loja1', data }),
    })
    if (!answer.ok) throw new Error(`the webhook answered ${answer.status}`)
  }
  return { program, gateway, token, hook }
}

const from = { remoteJid: '5511987654321@s.whatsapp.net', fromMe: false }
const seconds = () => Math.floor(Date.now() / 1000)
const textMessage = (id: string) => ({
  key: { ...from, id },
  pushName: 'Maria',
  messageType: 'conversation',
  message: { conversation: 'oi' },
  messageTimestamp: seconds(),
})
const fileMessage = (id: string, sizeBytes: number) => ({
  key: { ...from, id },
  pushName: 'Maria',
  messageType: 'documentMessage',
  message: {
    documentMessage: { fileName: `${id}.pdf`, mimetype: 'application/pdf', fileLength: sizeBytes },
  },
  messageTimestamp: seconds(),
})

/** Uploads a file as a stream; `fetch` would keep the whole form in memory. */
async function upload(
  { program, token }: Environment,
  { conversationId, number, sizeBytes }: { conversationId: number; number: number; sizeBytes: number },
): Promise<void> {
  const boundary = 'fim-da-parte'
  const head = Buffer.from(
    `--${boundary}\r\ncontent-disposition: form-data; name="conversationId"\r\n\r\n${conversationId}\r\n` +
      `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="grande ${number}.pdf"\r\n` +
      `content-type: application/pdf\r\n\r\n`,
  )
  const foot = Buffer.from(`\r\n--${boundary}--\r\n`)
  const sent = request(`${program.url}/api/media/upload`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': head.length + sizeBytes + foot.length,
    },
  })
  const answered = new Promise<number>((resolve, reject) => {
    sent.on('response', (response) => response.resume().on('end', () => resolve(response.statusCode ?? 0)))
    sent.on('error', reject)
  })
  const pieces = function* () {
    yield head
    yield* fileOf(number, sizeBytes)
    yield foot
  }
  await pipeline(Readable.from(pieces()), sent)
  const status = await answered
  if (status !== 201) throw new Error(`the upload of ${number} was answered ${status}`)
}

/** @returns the SHA-256 of the file */
async function download({ program, token }: Environment, messageId: number): Promise<string> {
  const answer = await fetch(`${program.url}/api/media/evolution/${messageId}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  if (!answer.ok || !answer.body) throw new Error(`${messageId} was answered ${answer.status}`)
  const hash = createHash('sha256')
  for await (const piece of answer.body) hash.update(piece)
  return hash.digest('hex')
}

async function inTurns(count: number, atOnce: number, act: (n: number) => Promise<void>): Promise<void> {
  let next = 0
  const runners = Array.from({ length: atOnce }, async () => {
    while (next < count) await act(next++)
  })
  await Promise.all(runners)
}

const formatMemory = ({ rss, heap }: { rss: number; heap: number }) =>
  `${rss.toFixed(0)} MiB (heap ${heap.toFixed(0)})`

/** Creates a conversation with this many received files. */
async function receiveFiles(environment: Environment, count: number, sizeBytes: number) {
  const { program, token, hook } = environment
  const get = <Reply>(path: string) => read<Reply>(`${program.url}${path}`, { method: 'GET', token })
  await hook(textMessage('FIRST'))
  const [talk] = await until(
    'the conversation',
    () => get<Conversation[]>('/api/conversations'),
    (all) => all.length > 0,
  )
  const id = talk?.id ?? 0
  for (let n = 0; n < count; n++) await hook(fileMessage(`FILE${1000 + n}`, sizeBytes))
  const messages = await until(
    'the files',
    async () => {
      const all = await get<Message[]>(`/api/conversations/${id}/messages`)
      return all.filter(({ messageType }) => messageType === 'document')
    },
    (withFile) => withFile.length === count,
    120_000,
  )
  return { conversationId: id, messages }
}

/**
 * Sends files through the console to a gateway, one after the other and then several at once, and receives as
 * many. Each must arrive unchanged. Peak memory may be at most `most` MiB above that after the first files.
 */
export const files = defineScenario({
  options: { files: 8, megabytes: 50, together: 4, most: 64 },
  nightly: { files: 4, megabytes: 25 },

  async arrange({ options: { megabytes }, defer }) {
    const { dataDir, remove } = makeTemporaryFolder('files')
    defer(remove)
    const program = await startWatched({
      env: {
        ...adminEnv,
        DATA_DIR: dataDir,
        LOG_LEVEL: 'error',
      },
    })
    defer(() => program.stop())
    const gateway = await startFileGateway(megabytes * 1024 * 1024)
    defer(() => gateway.close())
    return connect(program, gateway)
  },

  async act(environment, { options, print }) {
    const { files: count, megabytes, together, most } = options
    const sizeBytes = megabytes * 1024 * 1024
    const { program, gateway } = environment
    const { conversationId, messages } = await receiveFiles(environment, count * 2 + together, sizeBytes)
    const different: string[] = []
    const grown: string[] = []
    const up = async (number: number, atOnce: number) => {
      const first = gateway.taken.length
      await inTurns(number, atOnce, (n) => upload(environment, { conversationId, number: 10 + n, sizeBytes }))
      await until('the gateway to take all', () => gateway.taken.length === first + number, Boolean, 120_000)
      const wanted = Array.from({ length: number }, (_, n) => sumOf(fileOf(10 + n, sizeBytes)))
      if (gateway.taken.slice(first).toSorted().join() !== wanted.toSorted().join())
        different.push('a file reached the gateway different')
    }
    const down = (first: number, number: number, atOnce: number) =>
      inTurns(number, atOnce, async (n) => {
        const message = messages[first + n]
        const sum = await download(environment, message?.id ?? 0)
        if (sum !== sumOf(fileOf(Number(message?.whatsappMessageId?.slice(4)), sizeBytes)))
          different.push(`file ${first + n} came different`)
      })

    // The first files make the process allocate pools and arenas, which later ones reuse.
    await up(together, together)
    await down(count * 2, together, together)
    const warm = await program.memory()
    const phase = async (name: string, work: () => Promise<void>) => {
      const watch = watchMemory(program.pid)
      const startedAt = performance.now()
      await work()
      const growth = watch.stop() - warm.rss
      const rate = (count * megabytes * 1000) / (performance.now() - startedAt)
      print(`  ${name}: ${rate.toFixed(0)} MB/s, memory at most +${growth.toFixed(0)} MiB`)
      if (growth > most) grown.push(`${name}: +${growth.toFixed(0)} MiB`)
    }
    print(`${count} files of ${megabytes} MB, memory ${formatMemory(warm)}`)
    await phase('up, one by one', () => up(count, 1))
    await phase(`up, ${together} together`, () => up(count, together))
    await phase('down, one by one', () => down(0, count, 1))
    await phase(`down, ${together} together`, () => down(count, count, together))
    print(`at the end: ${formatMemory(await program.memory())}`)
    return { different, grown }
  },

  check({ different, grown }, { program }, { options, print }) {
    const { unhandled, exits, errors } = program.seen
    for (const [message, n] of errors) print(`  log: ${message} × ${n}`)
    const trouble = [
      ...(unhandled > 0 ? [`${unhandled} unhandled errors`] : []),
      ...(exits > 0 ? [`the program ended ${exits} times`] : []),
    ]
    return [
      { property: 'every file arrives byte by byte', checked: options.files * 4, faults: different },
      { property: `memory stays within ${options.most} MiB`, checked: 4, faults: grown },
      { property: 'the program runs on, with no unhandled error', checked: 1, faults: trouble },
    ]
  },
})
