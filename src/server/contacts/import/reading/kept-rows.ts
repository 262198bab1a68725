import { setImmediate as otherWork } from 'node:timers/promises'

/** Opens the bytes of a file from the beginning. */
export type OpenFile = () => Promise<AsyncIterable<Uint8Array>> | AsyncIterable<Uint8Array>

/** A row of a file that was read. */
export interface KeptRow {
  /** Which of the file's sheets it is on, from 0. */
  sheet: number
  /** As a spreadsheet counts, from 1. Rows without a value are not kept, so numbers may be missing. */
  line: number
  /** Whether the spreadsheet does not show it. */
  isHidden: boolean
  cells: string[]
}

/** The last row that a spreadsheet can have. */
export const lastRow = 1_048_576
/** More columns than any directory has; further ones are ignored. */
export const mostColumns = 100
/** What a cell of a spreadsheet can have at most; the rest of a longer one is dropped. In UTF-16 units. */
export const longestCell = 32_767

/** A row as a line of JSON: the form in which files of all kinds are kept. */
export const keptLine = ({ sheet, line, isHidden, cells }: KeptRow): string =>
  `${JSON.stringify([sheet, line, isHidden ? 1 : 0, ...cells])}\n`

/** How long rows are read before other work of the process has its turn, in milliseconds. */
const turnMs = 4

/** The rows of a kept file in their order. Reading many holds up nothing else. */
export async function* keptRows(open: OpenFile): AsyncGenerator<KeptRow> {
  const decoder = new TextDecoder()
  let rest = ''
  let turnBegan = performance.now()
  for await (const chunk of await open()) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const text of lines) {
      const [sheet, line, hidden, ...cells] = JSON.parse(text) as [number, number, 0 | 1, ...string[]]
      yield { sheet, line, isHidden: hidden === 1, cells }
      if (performance.now() - turnBegan < turnMs) continue
      await otherWork()
      turnBegan = performance.now()
    }
  }
}
