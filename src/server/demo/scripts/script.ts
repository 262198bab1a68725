/**
 * The notation of scripted conversations. A line begins with its author: `c` client, `o` operator, `n` a note
 * written on completion; a line indented by two spaces continues the one above. ` | ` separates the variants
 * of a line. A mark after the author: `?` the line is optional, `+` it is present when the line above is,
 * `=` like `+`, with the variant at the same index as the one chosen above. `{slot}` is replaced by a value
 * (history/facts.ts). A variant that begins with `@kind` is media or another special message
 * (history/media.ts).
 */
export interface Step {
  by: 'contact' | 'operator'
  mark: '' | '?' | '+' | '='
  ways: readonly string[]
}

export interface Scenario {
  name: string
  /** Categories of contacts, or 'iniciada' for conversations an operator starts. */
  groups: readonly string[]
  weight: number
  steps: readonly Step[]
  notes: readonly string[]
  /** Shift of the client's rating, -1 to 1. */
  mood: number
}

const marks = ['?', '+', '='] as const

/** Parses a script. */
export function script(
  name: string,
  groups: readonly string[],
  weight: number,
  lines: string,
  mood = 0,
): Scenario {
  const steps: Step[] = []
  const notes: string[] = []
  const joined = lines.trim().replaceAll(/\n {2}/g, ' ')
  for (const line of joined.split('\n')) {
    const [, author, mark, text] = /^([con])([?+=]?) (.+)$/.exec(line.trim()) ?? []
    if (!text) throw new Error(`${name}: cannot read "${line}"`)
    const ways = text.split(' | ').map((way) => way.trim())
    if (author === 'n') notes.push(...ways)
    else
      steps.push({
        by: author === 'c' ? 'contact' : 'operator',
        mark: marks.find((one) => one === mark) ?? '',
        ways,
      })
  }
  return { name, groups, weight, steps, notes, mood }
}
