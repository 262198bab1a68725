/**
 * The notation in which the talks of the demonstration are written. A line begins with who says it: `c` the client, `o` the
 * operator, `n` a note on finishing. ` | ` parts the ways to say it. A mark after it: `?` not in every talk, `+` when the line
 * above is, `=` as `+`, and the way that stands in the same place as the one that was chosen there. `{slot}` is filled
 * with the talk's facts (demo-facts.ts). A way that begins with `@kind` is no text: see demo-media.ts.
 */
export interface Step {
  by: 'contact' | 'operator'
  mark: '' | '?' | '+' | '='
  ways: readonly string[]
}

export interface Scenario {
  name: string
  /** Whose talks these are: categories of contacts, or 'iniciada' for what an operator begins. */
  groups: readonly string[]
  weight: number
  steps: readonly Step[]
  notes: readonly string[]
  /** What it does to the client's rating. */
  mood: number
}

const marks = ['?', '+', '='] as const

/** Reads a script. */
export function script(
  name: string,
  groups: readonly string[],
  weight: number,
  lines: string,
  mood = 0,
): Scenario {
  const steps: Step[] = []
  const notes: string[] = []
  for (const line of lines.trim().split('\n')) {
    const [, who, mark, said] = /^([con])([?+=]?) (.+)$/.exec(line.trim()) ?? []
    if (!said) throw new Error(`${name}: cannot read "${line}"`)
    const ways = said.split(' | ').map((way) => way.trim())
    if (who === 'n') notes.push(...ways)
    else
      steps.push({
        by: who === 'c' ? 'contact' : 'operator',
        mark: marks.find((one) => one === mark) ?? '',
        ways,
      })
  }
  return { name, groups, weight, steps, notes, mood }
}
