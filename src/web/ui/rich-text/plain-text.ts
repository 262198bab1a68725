/**
 * WhatsApp formatting left out, for single lines. Pure, and small: every list loads it, unlike the whole
 * parser of `whatsapp-format.ts`, whose rules it follows as far as a line needs them.
 */

type Range = readonly [from: number, to: number]

/** An address, in which no sign has a meaning, a fenced part, or one between two equal signs. */
const part = new RegExp(
  [
    String.raw`https?:\/\/\S+`,
    '```(?<fenced>[^]+?)```',
    String.raw`(?<![\p{L}\p{N}])(?<sign>[*_~\u0060])(?=\S)(?<words>[^\n]*?\S)\k<sign>(?![\p{L}\p{N}])`,
  ].join('|'),
  'gu',
)

/** What is read of a text. */
export const plainText = (text: string): string => plainWithMarks(text, []).text

/** The same with places in it that are marked. */
export function plainWithMarks(text: string, marks: readonly Range[]): { text: string; marks: Range[] } {
  const signs = signsIn(text)
  const before = (at: number) =>
    signs.reduce((sum, [from, to]) => sum + Math.max(0, Math.min(at, to) - from), 0)
  const kept = [...signs, [text.length, text.length] as const].map(([from], at) =>
    text.slice(signs[at - 1]?.[1] ?? 0, from),
  )
  return {
    text: kept.join(''),
    marks: marks
      .map(([from, to]): Range => [from - before(from), to - before(to)])
      .filter(([from, to]) => from < to),
  }
}

/** Where the signs are, in their order. */
function signsIn(text: string, offset = 0): Range[] {
  return [...text.matchAll(part)].flatMap(({ index, 0: whole, groups }): Range[] => {
    const { fenced, sign, words } = groups ?? {}
    const inner = fenced ?? words
    if (inner === undefined) return []
    const length = sign?.length ?? 3
    const [from, to] = [offset + index, offset + index + whole.length]
    // Code is shown as it is written.
    const inside = sign === undefined || sign === '`' ? [] : signsIn(inner, from + length)
    return [[from, from + length], ...inside, [to - length, to]]
  })
}
