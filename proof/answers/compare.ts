import { unzip } from '#server/testing/files/unzip.ts'

// Two answers to one call, by an earlier version and by today's.

export interface Answered {
  status: number
  headers: Headers
  body: Buffer
}

/** Takes out of a text what is of the machine and of the moment. */
export type Plain = (text: string) => string

/** Those that say what an answer is; the others are of the moment. */
const comparedHeaders = ['content-type', 'content-disposition', 'cache-control', 'location']

/**
 * @param newFields gets the places of the fields that are new, such as '[].sectorId'
 * @returns how they differ; undefined where they do not
 */
export async function differenceOf(
  was: Answered,
  is: Answered,
  { plain, newFields }: { plain: Plain; newFields: Set<string> },
): Promise<string | undefined> {
  if (was.status !== is.status) return `${was.status} ${shown(was)}, and now ${is.status} ${shown(is)}`
  for (const name of comparedHeaders) {
    const [before, now] = [was.headers.get(name), is.headers.get(name)]
    if (before !== now) return `${name} was ${before} and is ${now}`
  }
  if (was.body.equals(is.body)) return undefined
  const type = was.headers.get('content-type') ?? ''
  if (type === 'application/zip') return differenceOfFiles(was.body, is.body, plain)
  const [text, now] = [plain(was.body.toString()), plain(is.body.toString())]
  if (!type.includes('json')) return text === now ? undefined : firstDifference(text, now, type)
  const before: unknown = JSON.parse(text)
  const without = withoutNew(before, JSON.parse(now), '', newFields)
  return JSON.stringify(without) === text ? undefined : firstDifference(before, without, '')
}

async function differenceOfFiles(was: Buffer, is: Buffer, plain: Plain): Promise<string | undefined> {
  const [files, now] = await Promise.all([unzip(was), unzip(is)])
  const names = [...new Set([...files.keys(), ...now.keys()])].toSorted()
  const text = (file: Buffer | undefined) => file && plain(file.toString())
  const other = names.find((name) => text(files.get(name)) !== text(now.get(name)))
  return other === undefined
    ? undefined
    : firstDifference(text(files.get(other)), text(now.get(other)), other)
}

const shown = ({ body }: Answered) => body.toString().slice(0, 120)

type Fields = Record<string, unknown>
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What it is now without the fields that it did not have, whose places are added to `added`. */
function withoutNew(was: unknown, is: unknown, place: string, added: Set<string>): unknown {
  if (Array.isArray(was) && Array.isArray(is))
    return is.map((item: unknown, n) => withoutNew(was[n], item, `${place}[]`, added))
  if (!isFields(was) || !isFields(is)) return is
  const known = Object.entries(is).filter(([name]) => {
    if (name in was) return true
    added.add(`${place}.${name}`)
    return false
  })
  return Object.fromEntries(
    known.map(([name, value]) => [name, withoutNew(was[name], value, `${place}.${name}`, added)]),
  )
}

function firstDifference(was: unknown, is: unknown, place: string): string {
  if (Array.isArray(was) && Array.isArray(is)) {
    if (was.length !== is.length) return `${place || '.'}: ${was.length} items, and now ${is.length}`
    const n = was.findIndex((item, at) => JSON.stringify(item) !== JSON.stringify(is[at]))
    return firstDifference(was[n], is[n], `${place}[${n}]`)
  }
  if (isFields(was) && isFields(is)) {
    const [names, namesNow] = [Object.keys(was), Object.keys(is)]
    if (names.join() !== namesNow.join())
      return `${place || '.'}: ${names.join()}, and now ${namesNow.join()}`
    const name = names.find((one) => JSON.stringify(was[one]) !== JSON.stringify(is[one])) ?? ''
    return firstDifference(was[name], is[name], `${place}.${name}`)
  }
  return `${place}: ${around(was, is)}, and now ${around(is, was)}`
}

/** Of a text, what stands around its first character that is another. */
function around(value: unknown, other: unknown): string {
  if (typeof value !== 'string' || typeof other !== 'string') return JSON.stringify(value) ?? 'nothing'
  let at = 0
  while (at < value.length && value[at] === other[at]) at += 1
  return JSON.stringify(value.slice(Math.max(0, at - 40), at + 60))
}
