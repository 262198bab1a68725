import type { Random } from '#simulator/random.ts'
import type { GivenOptions, OptionValues } from './options.ts'

/** What every scenario is given to work with. */
export interface Context<Options extends OptionValues> {
  options: GivenOptions<Options>
  /** Draws from the seed; a scenario that draws in a fixed order repeats itself with the same seed. */
  random: Random
  print(this: void, line: string): void
  /** Registers what is closed when the proof ends or is interrupted, the last one first. */
  defer(this: void, close: () => unknown): void
  /** Whole seconds since `act` began. */
  seconds(this: void): number
}

/** A property that was checked: how many things it was checked on, and each of them that breaks it. */
export interface Result {
  held: string
  checked: number
  faults: readonly string[]
}

/** A proof: arranges an environment, acts in it, and checks what became of it. */
export interface Scenario<
  Options extends OptionValues = OptionValues,
  Environment = unknown,
  Observed = unknown,
> {
  /** Each option with its default; the seed is added to them. */
  options: Options
  /** The options of the short form that `npm run nightly` runs. */
  nightly: Partial<Record<keyof Options, number | string | boolean>>
  arrange(context: Context<Options>): Promise<Environment>
  act(environment: Environment, context: Context<Options>): Promise<Observed>
  check(observed: Observed, environment: Environment, context: Context<Options>): Promise<Result[]> | Result[]
}

/** Infers the types of a scenario from its parts. */
export function defineScenario<Options extends OptionValues, Environment, Observed>(
  scenario: Scenario<Options, Environment, Observed>,
): Scenario<Options, Environment, Observed> {
  return scenario
}
