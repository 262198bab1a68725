import { flagsOf } from '../access/law/expected.ts'
import type { Reader } from './people.ts'
import { canary, type Talk } from './talks.ts'
import type { Found } from './grouped.ts'
import type { ReachWorld } from './world.ts'

export interface Row {
  id: number
  isCard?: boolean
}

/** What one person's lists and counts are compared with. */
export class Lists {
  checked = 0
  readonly faults: Found[] = []
  readonly #at: ReachWorld
  readonly #n: number
  readonly #reader: Reader

  constructor(at: ReachWorld, n: number, reader: Reader) {
    this.#at = at
    this.#n = n
    this.#reader = reader
  }

  has = (flag: string): boolean => flagsOf(this.#reader).has(flag)

  /** @returns undefined unless it is answered with 200 */
  async text(path: string, status = 200): Promise<string | undefined> {
    const { world } = this.#at
    const answer = await world.send(this.#n, { method: 'GET', path, token: world.callers[this.#n]?.token })
    if (answer.status === status) return status === 200 ? answer.text : undefined
    this.fault(path, `${answer.status} ${answer.text.slice(0, 120)}`)
    return undefined
  }

  async get<Body>(path: string): Promise<Body | undefined> {
    const text = await this.text(path)
    return text === undefined ? undefined : (JSON.parse(text) as Body)
  }

  fault(what: string, example: string): void {
    this.faults.push({ what: what.replaceAll(/\d{2,}/g, 'N'), example: `'${this.#reader.name}': ${example}` })
  }

  same(what: string, found: unknown, wanted: unknown): void {
    this.checked++
    if (JSON.stringify(found) !== JSON.stringify(wanted))
      this.fault(
        what,
        `${JSON.stringify(found)?.slice(0, 100)} instead of ${JSON.stringify(wanted)?.slice(0, 100)}`,
      )
  }

  /** Compares ids, whatever their order. */
  ids(what: string, found: readonly number[], wanted: readonly Talk[]): void {
    this.checked++
    const got = new Set(found)
    const expected = new Set(wanted.map(({ id }) => id))
    const more = [...got].filter((id) => !expected.has(id))
    const fewer = [...expected].filter((id) => !got.has(id))
    const twice = found.length - got.size
    if (more.length + fewer.length + twice > 0)
      this.fault(
        what,
        `${more.length} too many (${more[0]}), ${fewer.length} missing (${fewer[0]}), ${twice} twice`,
      )
  }
}

/** All pages of a list, of a hundred rows each. */
export const byPages = async <Page>(
  read: (page: number) => Promise<Page | undefined>,
  rowsOf: (page: Page) => readonly Row[],
): Promise<Row[]> => {
  const all: Row[] = []
  for (let page = 1; ; page++) {
    const found = await read(page)
    const rows = found ? rowsOf(found) : []
    all.push(...rows)
    if (rows.length < 100) return all
  }
}

export const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => id)

/** Whether a card tells what nobody learns before they take the conversation. */
export function tells(row: Row): boolean {
  const text = JSON.stringify(row)
  return (
    text.includes(canary) ||
    text.includes('Empresa de prova') ||
    /"phone":"\d/.test(text) ||
    /"notes":"/.test(text)
  )
}
