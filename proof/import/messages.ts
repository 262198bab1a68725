import type { Random } from '#simulator/random.ts'
import { startSimulator } from '#simulator/simulator.ts'
import { Tab } from '../sockets/tab.ts'
import { read } from '../support/http.ts'

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

/** Connects a program that has no gateway yet to a simulated one, with phones, and opens a console. */
export async function openTraffic({
  url,
  token,
  random,
}: {
  url: string
  token: string
  random: Random
}): Promise<Traffic> {
  const simulator = await startSimulator({ apiKey: 'chave-de-prova-longa', instanceName: 'loja1' })
  const { apiKey, instanceName } = simulator
  const webhookUrl = `${url}/api/webhook/evolution`
  const config = { instanceName, apiKey, baseUrl: simulator.url, webhookUrl, isActive: true }
  await read(`${url}/api/evolution-config`, { method: 'POST', token, body: config })
  await read(`${url}/api/evolution-config/setup-webhook`, { method: 'POST', token })
  const { id: userId } = await read<{ id: number }>(`${url}/api/auth/me`, { method: 'GET', token })

  let latenciesMs: number[] = []
  const faults: string[] = []
  const tab = new Tab({
    url,
    operator: { userId, token },
    random,
    isSampled: true,
    events: {
      onMessage: (latencyMs) => void latenciesMs.push(latencyMs),
      onFault: (line) => void faults.push(line),
    },
  })
  tab.connect()

  const { control } = simulator
  const phones = Array.from({ length: phoneCount }, (_, n) =>
    control.createPhone({ id: `p${n}`, name: `Cliente ${n}`, number: `55419${String(80_000_000 + n)}` }),
  )
  const until = async (isSo: () => boolean, withinMs: number) => {
    const deadline = performance.now() + withinMs
    while (!isSo() && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20))
    return isSo()
  }
  if (!(await until(() => tab.state === 'ready', 10_000))) throw new Error('the console did not connect')
  // The first message of each opens a conversation, and fetches a picture.
  for (const { id } of phones) control.sendText(id, `bom dia às ${Date.now()}`)
  if (!(await until(() => latenciesMs.length === phones.length, 60_000)))
    throw new Error(`of ${phones.length} first messages ${latenciesMs.length} arrived`)

  return {
    begin() {
      latenciesMs = []
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
        await until(() => latenciesMs.length >= sent, 10_000)
        return { sent, latenciesMs, faults: [...faults] }
      }
    },
    async close() {
      tab.close()
      await simulator.close()
    },
  }
}
