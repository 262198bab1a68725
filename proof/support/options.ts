import { parseArgs } from 'node:util'

export type OptionValues = Record<string, number | string | boolean>
type Widened<Value> = Value extends number ? number : Value extends string ? string : boolean

/** The options of a run, each with the type of its default. */
export type GivenOptions<Defaults extends OptionValues> = {
  [Name in keyof Defaults]: Widened<Defaults[Name]>
} & { seed: number }

/**
 * Parses `--sends 500 --copies` with the defaults `{ sends: 10_000, copies: false }`. Without `--seed`, the
 * seed is random.
 * @param args the command line after the name of the proof
 * @throws TypeError for an unknown option; RangeError for a value that should be a number
 */
export function readOptions<Defaults extends OptionValues>(
  defaults: Defaults,
  args: string[],
): GivenOptions<Defaults> {
  const all: OptionValues = { ...defaults, seed: Date.now() % 1_000_000 }
  const { values } = parseArgs({
    args,
    options: Object.fromEntries(
      Object.entries(all).map(([name, value]) => [
        name,
        { type: typeof value === 'boolean' ? ('boolean' as const) : ('string' as const) },
      ]),
    ),
  })
  const given = Object.entries(all).map(([name, value]) => {
    const typed = values[name] ?? value
    if (typeof value !== 'number') return [name, typed]
    if (!Number.isFinite(Number(typed)))
      throw new RangeError(`--${name} takes a number, not ${String(typed)}`)
    return [name, Number(typed)]
  })
  return Object.fromEntries(given) as GivenOptions<Defaults>
}

const quote = (value: string) => (/^[\w./:-]+$/.test(value) ? value : `'${value}'`)

/** The command line for these options, without those that equal their defaults. */
export function formatOptions(given: OptionValues, defaults: OptionValues): string {
  return Object.entries(given)
    .filter(([name, value]) => value !== defaults[name])
    .map(([name, value]) => (value === true ? `--${name}` : `--${name} ${quote(String(value))}`))
    .join(' ')
}
