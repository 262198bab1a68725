import { WebSocket } from 'ws'
import type { LiveFrame } from '#shared/live-events.ts'
import { startSimulator } from '#simulator/simulator.ts'
import { read } from './http.ts'
import { connectNumber } from './installation.ts'

const perSecond = 20
const phoneCount = 60

/** What an open console received while messages came in. */
export interface Arrivals {
  sent: number
  /** From the phone to the console, in milliseconds, one for each message. */
  latenciesMs: number[]
  /** Frames out of order, and ended sessions. */
  faults: string[]
}

/** Clients who write to a program, and a console that is open on it. */
export interface Traffic {
  /** Begins to write `perSecond` messages a second. @returns ends it, once everything has arrived or 10 s */
  begin(): () => Promise<Arrivals>
  close(): Promise<void>
}

/** Each message's text ends with the time of writing. */
const writtenAt = (content: string) => Number(/ às (\d+)$/.exec(content)?.[1] ?? Number.NaN)

/** A console that is open: it takes the time of each message, and the number of every frame. */
function openConsole(url: string, { userId, token }: { userId: number; token: string }) {
  const seen = { isReady: false, latenciesMs: [] as number[], faults: [] as string[] }
  const socket = new WebSocket(`${url.replace('http:', 'ws:')}/ws`, ['bearer', token])
  let last = 0
  socket.on('open', () => socket.send(JSON.stringify({ type: 'authenticate', data: { userId } })))
  socket.on('message', (bytes: Buffer) => {
    const frame = JSON.parse(bytes.toString('utf8')) as LiveFrame & { n: number }
    if (frame.n !== ++last) seen.faults.push(`frame ${frame.n} instead of ${last}`)
    if (frame.type === 'hello') seen.isReady = true
    if (frame.type !== 'message_received') return
    seen.latenciesMs.push(Date.now() - writtenAt(frame.data.message.content))
  })
  socket.on('error', () => undefined)
  socket.on('close', (code) => seen.faults.push(`the console was closed: ${code}`))
  return { seen, close: () => socket.terminate() }
}

/** Connects a program that has no gateway yet to a simulated one, with phones, and opens a console. */
export async function openTraffic({ url, token }: { url: string; token: string }): Promise<Traffic> {
  const simulator = await startSimulator({ apiKey: 'chave-de-prova-longa', instanceName: 'loja1' })
  await connectNumber(url, token, simulator)
  const { id: userId } = await read<{ id: number }>(`${url}/api/auth/me`, { method: 'GET', token })
  const { seen, close } = openConsole(url, { userId, token })

  const { control } = simulator
  const phones = Array.from({ length: phoneCount }, (_, n) =>
    control.createPhone({ id: `p${n}`, name: `Cliente ${n}`, number: `55419${String(80_000_000 + n)}` }),
  )
  const until = async (isSo: () => boolean, withinMs: number) => {
    const deadline = performance.now() + withinMs
    while (!isSo() && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20))
    return isSo()
  }
  if (!(await until(() => seen.isReady, 10_000))) throw new Error('the console did not connect')
  // The first message of each opens a conversation, and fetches a picture.
  for (const { id } of phones) control.sendText(id, `bom dia às ${Date.now()}`)
  if (!(await until(() => seen.latenciesMs.length === phones.length, 60_000)))
    throw new Error(`of ${phones.length} first messages ${seen.latenciesMs.length} arrived`)

  return {
    begin() {
      seen.latenciesMs = []
      let sent = 0
      const startedAt = performance.now()
      const timer = setInterval(() => {
        // What a late timer has missed is made up for, so that the pace holds.
        const due = Math.floor(((performance.now() - startedAt) / 1000) * perSecond)
        for (; sent < due; sent++) {
          const { id } = phones[sent % phones.length] ?? { id: '' }
          control.sendText(id, `pedido ${sent} às ${Date.now()}`)
        }
      }, 10)
      return async () => {
        clearInterval(timer)
        await until(() => seen.latenciesMs.length >= sent, 10_000)
        return { sent, latenciesMs: seen.latenciesMs, faults: [...seen.faults] }
      }
    },
    async close() {
      close()
      await simulator.close()
    },
  }
}
