import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '#simulator/random.ts'
import type { PhoneMessage } from '#simulator/control-api.ts'
import type { Control } from '#simulator/control/control.ts'
import type { Console, Person } from './console.ts'

/** The calls made and their answers. */
export interface Answers {
  acknowledged: Map<string, { conversationId: number; content: string }>
  refused: string[]
}

export interface Load {
  /** Starts no more calls, and resolves when all calls are answered. */
  stop(): Promise<Answers>
}

const listEveryMs = 1000
/** The number of people for each message a second: each writes about every three seconds. */
const peoplePerRate = 3

/** One message in this many is a picture. */
const pictureEvery = 8
/** The beginning of a PNG of one pixel: a picture of unknown size is not shown, only downloaded. */
const headOfPicture = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex')

function messageOf(n: number, phone: string): PhoneMessage {
  const [text, id] = [`mensagem ${n} de ${phone}`, `${phone}-${n}`]
  if (n % pictureEvery !== 0) return { kind: 'text', text, id }
  const bytes = Buffer.concat([headOfPicture, Buffer.alloc(2000, text)])
  return { kind: 'image', base64: bytes.toString('base64'), mimetype: 'image/png', caption: text, id }
}

/**
 * Lets phones write and operators answer, `rate` messages a second each way, whatever happens to the program.
 * Each person waits for an answer before sending again.
 * @param phones ids of the phones
 */
export function startLoad(options: {
  at: Console
  control: Control
  operators: Person[]
  phones: string[]
  rate: number
  random: Random
}): Load {
  const { at, control, operators, phones, rate, random } = options
  const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)]
  const answers: Answers = { acknowledged: new Map(), refused: [] }
  const underWay = new Set<Promise<void>>()
  let open: number[] = []
  let isOver = false

  const reply = async (n: number) => {
    const [conversationId, who] = [pick(open), pick(operators)]
    if (conversationId === undefined || !who) return
    const body = { content: `resposta ${n}`, clientMessageId: `resposta-${n}` }
    const status = await at.reply(who, conversationId, body)
    if (status === 201) answers.acknowledged.set(body.clientMessageId, { conversationId, ...body })
    else answers.refused.push(`${status} «${body.content}»`)
  }
  const begin = (work: Promise<void>) => {
    const tracked: Promise<void> = work
      .catch((error: unknown) => void answers.refused.push(String(error)))
      .finally(() => underWay.delete(tracked))
    underWay.add(tracked)
  }
  const atRate = async (work: (n: number) => void) => {
    const everyMs = 1000 / rate
    let next = performance.now()
    for (let n = 1; !isOver; n++, next += everyMs) {
      await sleep(Math.max(0, next - performance.now()))
      work(n)
    }
  }
  const refreshList = async () => {
    while (!isOver) {
      const [who] = operators
      // Without an answer, the last list stays on the screen.
      const list = who && (await at.conversations(who).catch(() => undefined))
      if (list) open = list.map(({ id }) => id)
      await sleep(listEveryMs)
    }
  }
  const running = Promise.all([
    atRate((n) => {
      const phone = pick(phones)
      if (phone) control.send(phone, messageOf(n, phone))
    }),
    atRate((n) => {
      if (underWay.size < rate * peoplePerRate) begin(reply(n))
    }),
    refreshList(),
  ])
  // Rethrown by stop(), since this process must stop its servers before it exits.
  running.catch(() => undefined)
  return {
    async stop() {
      isOver = true
      await running
      await Promise.all(underWay)
      return answers
    },
  }
}
