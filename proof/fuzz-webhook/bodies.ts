import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from '#simulator/random.ts'

/** A call of the webhook. */
export interface FuzzedRequest {
  path: string
  /** undefined for no content type. */
  type: string | undefined
  body: string
}

type Bag = Record<string, unknown>

const folder = join(import.meta.dirname, '../../src/simulator/payloads')
const readRecorded = () =>
  readdirSync(folder).map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Bag)

const strangeTexts = [
  '',
  ' ',
  '\0',
  '\ud83d',
  '\udc00x',
  '😀'.repeat(50),
  'ﷺ'.repeat(300),
  '\u202eabc\u200b',
  '__proto__',
  'constructor',
  "'; drop table messages; --",
  '<img src=x onerror=alert(1)>',
  '$&{{constructor}}',
  'a\nb\r\nc\u2028d',
  '9'.repeat(400),
  'BEGIN:VCARD\nFN:=\nTEL;waid=1:\nitem1.TEL:\nEND:VCARD',
  'x'.repeat(70_000),
  '182736455463728@lid',
  '120363042345678901@g.us',
  'status@broadcast',
  'e\u0301'.repeat(1000),
]
const strangeNumbers = [
  0,
  -0,
  -1,
  1.5,
  1e308,
  -1e308,
  5e-324,
  2 ** 31,
  2 ** 53,
  2 ** 63,
  1_795_204_493,
  1_795_204_493_000,
  253_402_300_800_000,
]
const wrappers = [
  'ephemeralMessage',
  'viewOnceMessageV2',
  'editedMessage',
  'deviceSentMessage',
  'novoMessage',
]

/** Generates webhook calls: half of them damaged recordings, half arbitrary values, some of them not JSON. */
export function createFuzzer(random: Random, instance: string): () => FuzzedRequest {
  const recorded = readRecorded()
  const events = [...new Set(recorded.map((body) => body['event']))]
  const keys = [...new Set(recorded.flatMap(keysIn))]
  const below = (n: number) => Math.floor(random() * n)
  const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T
  let shots = 0

  /** The number of one of some hundred people. */
  const someone = () => `55119${String(80_000_000 + below(400))}`

  function anything(depth: number): unknown {
    const dice = below(depth > 0 ? 12 : 8)
    if (dice < 2) return pick(strangeTexts)
    if (dice < 4) return pick(strangeNumbers)
    if (dice === 4) return pick([null, true, false])
    if (dice === 5) return String.fromCharCode(...Array.from({ length: below(20) }, () => below(65_536)))
    if (dice === 6) return { low: below(2 ** 32) - 2 ** 31, high: below(2000), unsigned: random() < 0.5 }
    if (dice === 7)
      return pick([{}, [], `${someone()}@s.whatsapp.net`, `${someone()}:7@s.whatsapp.net`, below(1e6)])
    if (dice < 10) return Array.from({ length: below(6) }, () => anything(depth - 1))
    return make(Array.from({ length: below(7) }, () => [keyName(), anything(depth - 1)]))
  }

  const keyName = () =>
    random() < 0.7 ? pick(keys) : pick([...strangeTexts.slice(0, 12), 'a', '0', 'toString'])

  /** Changes the value in one place. */
  function damage(value: unknown): unknown {
    const isNode = typeof value === 'object' && value !== null
    const entries = isNode ? Object.entries(value) : []
    if (entries.length === 0 || random() < 0.08) return retyped(value)
    const at = below(entries.length)
    const [name, inner] = entries[at] ?? ['', undefined]
    if (random() < 0.65) return put(value, entries, at, [[name, damage(inner)]])
    switch (below(7)) {
      case 0:
        return put(value, entries, at, [])
      case 1:
        return put(value, entries, at, [[name, anything(3)]])
      case 2:
        return put(value, entries, at, [[name, [inner, inner]]])
      case 3:
        return put(value, entries, at, [[name, make([[pick(keys), inner]])]])
      case 4:
        return put(value, entries, at, [[name, pick(entries)[1]]])
      case 5:
        return put(value, entries, at, [
          [name, inner],
          [keyName(), anything(3)],
        ])
      default:
        return put(value, entries, at, [[pick(keys), inner]])
    }
  }

  function retyped(value: unknown): unknown {
    if (typeof value === 'number')
      return pick([String(value), { low: value | 0, high: 0, unsigned: true }, -value])
    if (typeof value === 'string') return pick([pick(strangeTexts), value + value, Number(value), [value]])
    return anything(2)
  }

  /**
   * Gives the body a new id and person, since a known message would be ignored. Sometimes the LID stays, so
   * that several people claim the same one.
   */
  function renewed(body: Bag): string {
    const id = `F${shots.toString(36)}`
    const person = someone()
    const lid = random() < 0.9 ? `1827${person.slice(-11)}` : '182736455463728'
    const text = JSON.stringify({ ...body, instance })
    const renewIds = random() < 0.85
    return text
      .replaceAll('5511987654321', person)
      .replaceAll('182736455463728', lid)
      .replaceAll(/"(?:id|keyId)":"(?:AC|3EB0|3A|BC|CALL|HIST)[0-9A-F]*"/g, (all) =>
        renewIds ? all.replace(/:".*"/, `:"${id}${below(3) === 0 ? 'x' : ''}"`) : all,
      )
  }

  function mutation(): string {
    let body: unknown = JSON.parse(renewed(pick(recorded)))
    if (random() < 0.1) body = { ...(body as Bag), data: pick(recorded)['data'] }
    if (random() < 0.1) body = wrapped(body as Bag, 1 + below(6))
    if (random() < 0.03) body = wrapped(body as Bag, 60)
    const changes = below(4)
    const data = (body as Bag)['data']
    let damagedData = data
    for (let n = 0; n < changes; n++) damagedData = damage(damagedData)
    body = { ...(body as Bag), data: random() < 0.05 ? [damagedData, data, damagedData] : damagedData }
    return JSON.stringify(random() < 0.1 ? damage(body) : body)
  }

  function wrapped(body: Bag, depth: number): Bag {
    const data = body['data']
    if (typeof data !== 'object' || data === null || !('message' in data)) return body
    let { message } = data
    for (let n = 0; n < depth; n++) message = make([[pick(wrappers), { message }]])
    return { ...body, data: { ...data, message } }
  }

  const arbitrary = () =>
    JSON.stringify(
      random() < 0.5
        ? anything(5)
        : { event: pick(events), instance, sender: anything(0), data: anything(6) },
    ) ?? 'null'

  const broken = () => {
    const text = mutation()
    return pick([text.slice(0, below(text.length)), `${text}}`, 'undefined', '', `\ufeff${text}`, "{'a':1}"])
  }

  return () => {
    shots++
    const dice = random()
    const body = dice < 0.5 ? mutation() : dice < 0.97 ? arbitrary() : broken()
    const type =
      random() < 0.97
        ? 'application/json'
        : pick([
            undefined,
            'text/plain',
            'application/x-www-form-urlencoded',
            'application/json; charset=utf-16',
            'multipart/form-data',
            'x',
          ])
    const tail = random() < 0.8 ? '' : pick(['/', '/messages-upsert', '/call/', '/%00', '/x%2Fy'])
    return { path: `/api/webhook/evolution${tail}`, type, body }
  }
}

/** An object of these entries, where `__proto__` is an ordinary key. */
function make(entries: (readonly [string, unknown])[]): Bag {
  const made: Bag = {}
  for (const [name, value] of entries)
    Object.defineProperty(made, name, { value, enumerable: true, configurable: true, writable: true })
  return made
}

function put(
  value: unknown,
  entries: [string, unknown][],
  at: number,
  instead: [string, unknown][],
): unknown {
  const changed = [...entries.slice(0, at), ...instead, ...entries.slice(at + 1)]
  return Array.isArray(value) ? changed.map(([, item]) => item) : make(changed)
}

function keysIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = Object.entries(value).filter(([name]) => !/^\d+$/.test(name))
  return own.flatMap(([name, inner]) => [name, ...keysIn(inner)])
}
