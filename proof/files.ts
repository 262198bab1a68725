import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Conversation } from '#shared/conversations.ts'
import type { Message } from '#shared/messages.ts'
import { read } from './ask.ts'
import { readOptions, say } from './command.ts'
import { fileOf, startFileGateway, sumOf } from './files/gateway.ts'
import { startWatched, type WatchedProgram } from './fuzz/watched-program.ts'

/**
 * `npm run files -- --files 8 --megabytes 50`: so many files of this size go up through the console to a gateway, one
 * after the other and then several at once, and so many come down; each arrives byte by byte, and the program's memory
 * does not grow with them. Fails when one differs, or when memory at its highest is more than `--most` MiB above what the first files left.
 */
const { files, megabytes, together, most } = readOptions({ files: 8, megabytes: 50, together: 4, most: 64 })
const sizeBytes = megabytes * 1024 * 1024

const dataDir = mkdtempSync(join(tmpdir(), 'balcao-files-'))
// Started as root, the database runs as another account, which must be able to pass through.
chmodSync(dataDir, 0o711)
const password = 'senha-de-prova-1'

/** The highest that the process held, looked at all the time. */
function watchMemory(pid: number): { stop(): number } {
  let highest = 0
  const look = () => {
    const kilobytes = Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }))
    highest = Math.max(highest, kilobytes / 1024)
  }
  const timer = setInterval(look, 100)
  return {
    stop: () => {
      clearInterval(timer)
      return highest
    },
  }
}

interface Ground {
  program: WatchedProgram
  token: string
  hook: (data: unknown) => Promise<void>
}

async function connect(program: WatchedProgram, gatewayUrl: string, hooked: Promise<Hook>): Promise<Ground> {
  const login = { username: 'admin', password }
  const { token } = await read<{ token: string }>(`${program.url}/api/auth/login`, {
    method: 'POST',
    body: login,
  })
  const config = {
    instanceName: 'loja1',
    apiKey: 'chave-de-prova-longa',
    baseUrl: gatewayUrl,
    isActive: true,
  }
  const webhookUrl = `${program.url}/api/webhook/evolution`
  await read(`${program.url}/api/evolution-config`, {
    method: 'POST',
    token,
    body: { ...config, webhookUrl },
  })
  await read(`${program.url}/api/evolution-config/setup-webhook`, { method: 'POST', token })
  const { url, secret } = await hooked
  const hook = async (data: unknown) => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { authorization: secret, 'content-type': 'application/json' },
      body: JSON.stringify({ event: 'messages.upsert', instance: 'loja1', data }),
    })
    if (!answer.ok) throw new Error(`o webhook respondeu ${answer.status}`)
  }
  return { program, token, hook }
}
type Hook = { url: string; secret: string }

const from = { remoteJid: '5511987654321@s.whatsapp.net', fromMe: false }
const seconds = () => Math.floor(Date.now() / 1000)
const textMessage = (id: string) => ({
  key: { ...from, id },
  pushName: 'Maria',
  messageType: 'conversation',
  message: { conversation: 'oi' },
  messageTimestamp: seconds(),
})
const fileMessage = (id: string) => ({
  key: { ...from, id },
  pushName: 'Maria',
  messageType: 'documentMessage',
  message: {
    documentMessage: { fileName: `${id}.pdf`, mimetype: 'application/pdf', fileLength: sizeBytes },
  },
  messageTimestamp: seconds(),
})

async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  const deadline = performance.now() + 120_000
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (performance.now() > deadline) throw new Error('nada aconteceu em dois minutos')
    await sleep(100)
  }
}

/** By hand, in pieces: what `fetch` does with a form would hold the file here. */
async function sendUp({ program, token }: Ground, conversationId: number, number: number): Promise<void> {
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
  if (status !== 201) throw new Error(`o envio de ${number} respondeu ${status}`)
}

async function bringDown({ program, token }: Ground, messageId: number): Promise<string> {
  const answer = await fetch(`${program.url}/api/media/evolution/${messageId}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  if (!answer.ok || !answer.body) throw new Error(`${messageId} respondeu ${answer.status}`)
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

const told = ({ rss, heap }: { rss: number; heap: number }) =>
  `${rss.toFixed(0)} MiB (heap ${heap.toFixed(0)})`

async function run(program: WatchedProgram): Promise<boolean> {
  const gateway = await startFileGateway(sizeBytes)
  try {
    const ground = await connect(program, gateway.url, gateway.webhook)
    const get = <Reply>(path: string) =>
      read<Reply>(`${program.url}${path}`, { method: 'GET', token: ground.token })
    await ground.hook(textMessage('FIRST'))
    const { id } = await until(async () => (await get<Conversation[]>('/api/conversations'))[0])
    const numbers = Array.from({ length: files * 2 + together }, (_, n) => 1000 + n)
    for (const number of numbers) await ground.hook(fileMessage(`FILE${number}`))
    const came = await until(async () => {
      const all = await get<Message[]>(`/api/conversations/${id}/messages`)
      const withFile = all.filter(({ messageType }) => messageType === 'document')
      return withFile.length === numbers.length ? withFile : undefined
    })
    const faults: string[] = []
    const up = async (count: number, atOnce: number) => {
      const first = gateway.taken.length
      await inTurns(count, atOnce, (n) => sendUp(ground, id, 10 + n))
      await until(async () => (gateway.taken.length === first + count ? true : undefined))
      const wanted = Array.from({ length: count }, (_, n) => sumOf(fileOf(10 + n, sizeBytes)))
      if (gateway.taken.slice(first).toSorted().join() !== wanted.toSorted().join())
        faults.push('um arquivo chegou diferente ao gateway')
    }
    const down = (first: number, count: number, atOnce: number) =>
      inTurns(count, atOnce, async (n) => {
        const message = came[first + n]
        const sum = await bringDown(ground, message?.id ?? 0)
        if (sum !== sumOf(fileOf(Number(message?.whatsappMessageId?.slice(4)), sizeBytes)))
          faults.push(`o arquivo ${first + n} veio diferente`)
      })

    // What a first file makes the process hold (pools, arenas) does not grow with the second.
    await up(together, together)
    await down(files * 2, together, together)
    const warm = await program.memory()
    const phase = async (name: string, work: () => Promise<void>) => {
      const watch = watchMemory(program.pid)
      const startedAt = performance.now()
      await work()
      const highest = watch.stop()
      const rate = (files * megabytes * 1000) / (performance.now() - startedAt)
      say(
        `  ${name}: ${rate.toFixed(0)} MB/s, memória até ${highest.toFixed(0)} MiB (+${(highest - warm.rss).toFixed(0)})`,
      )
      if (highest - warm.rss > most) faults.push(`${name}: +${(highest - warm.rss).toFixed(0)} MiB`)
    }
    say(`${files} arquivos de ${megabytes} MB, memória ${told(warm)}`)
    await phase('para cima, um a um', () => up(files, 1))
    await phase(`para cima, ${together} juntos`, () => up(files, together))
    await phase('para baixo, um a um', () => down(0, files, 1))
    await phase(`para baixo, ${together} juntos`, () => down(files, files, together))
    say(
      `no fim: ${told(await program.memory())}; sem tratamento: ${program.seen.unhandled}; saídas: ${program.seen.exits}`,
    )
    for (const fault of faults) say(`FALHA ${fault}`)
    for (const [message, n] of program.seen.errors) say(`  registro: ${message} × ${n}`)
    return faults.length === 0 && program.seen.unhandled === 0 && program.seen.exits === 0
  } finally {
    await gateway.close()
  }
}

try {
  const program = await startWatched({
    env: {
      DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
      GATEWAY_ALLOWED_HOSTS: '127.0.0.1',
      ADMIN_USERNAME: 'admin',
      ADMIN_EMAIL: 'admin@exemplo.com.br',
      ADMIN_PASSWORD: password,
    },
  })
  try {
    process.exitCode = (await run(program)) ? 0 : 1
  } finally {
    await program.stop()
  }
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}
