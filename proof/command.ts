import { parseArgs } from 'node:util'

export const say = (line: string): void => void process.stdout.write(`${line}\n`)

type Options = Record<string, number | string | boolean>
type Widened<Option> = Option extends number ? number : Option extends string ? string : boolean

/**
 * What a proof is asked for: `{ sends: 10_000, copies: false }` takes `--sends 500 --copies`, and each is of the kind of its
 * default. The seed, by which a run is repeated, is any number when none is given.
 * @param args what stands behind the command's name
 * @throws TypeError for an option that is not known; RangeError for one that should be a number
 */
export function readOptions<Defaults extends Options>(
  defaults: Defaults,
  args: string[] = process.argv.slice(2),
): { [Name in keyof Defaults]: Widened<Defaults[Name]> } & { seed: number } {
  const all: Options = { ...defaults, seed: Date.now() % 1_000_000 }
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
      throw new RangeError(`--${name} pede um número, e não ${String(typed)}`)
    return [name, Number(typed)]
  })
  return Object.fromEntries(given) as ReturnType<typeof readOptions<Defaults>>
}
