/** WhatsApp formatting left out, for single lines. Pure. */
import { sourceRuns } from './source-runs.ts'

type Range = readonly [from: number, to: number]
const fence = '```'

/** What is read of a text, for its beginning. */
export const plainText = (text: string): string => plainWithMarks(text, []).text

/** The same with places in it that are marked. */
export function plainWithMarks(text: string, marks: readonly Range[]): { text: string; marks: Range[] } {
  const kept = keptOf(text)
  const placeOf = (at: number) =>
    kept.reduce((length, [from, to]) => length + Math.max(0, Math.min(at, to) - from), 0)
  return {
    text: kept.map(([from, to]) => text.slice(from, to)).join(''),
    marks: marks.map(([from, to]): Range => [placeOf(from), placeOf(to)]).filter(([from, to]) => from < to),
  }
}

/** The stretches of a text that are no signs of formatting. */
function keptOf(text: string): Range[] {
  let at = 0
  return sourceRuns(text).flatMap((run): Range[] => {
    const [from, to] = [at, at + run.text.length]
    at = to
    if (run.styles.includes('sign')) return []
    const isFenced = run.styles.includes('code') && run.text.startsWith(fence) && run.text.length > 6
    return [isFenced ? [from + fence.length, to - fence.length] : [from, to]]
  })
}
