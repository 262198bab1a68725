import type { Random } from '#simulator/random.ts'
import type { GivenOptions, OptionValues } from './options.ts'

/** The context of a scenario's run. */
export interface Context<Options extends OptionValues> {
  options: GivenOptions<Options>
  /** Random numbers from the seed. A scenario that draws in a fixed order is repeated by the same seed. */
  random: Random
  print(this: void, line: string): void
  /** Registers a function to call when the proof ends or is interrupted, last one first. */
  defer(this: void, close: () => unknown): void
  /** Whole seconds since `act` began. */
  seconds(this: void): number
}

/** A checked property, the number of checks, and the faults. */
export interface Result {
  property: string
  checked: number
  faults: readonly string[]
}

/** A proof: arranges an environment, acts in it, and checks the result. */
export interface Scenario<
  Options extends OptionValues = OptionValues,
  Environment = unknown,
  Observed = unknown,
> {
  /** The options with their defaults, without the seed. */
  options: Options
  /** The options that differ in the run of `npm run nightly`, mostly a shorter one. */
  nightly: Partial<Record<keyof Options, number | string | boolean>>
  arrange(context: Context<Options>): Promise<Environment>
  act(environment: Environment, context: Context<Options>): Promise<Observed>
  check(observed: Observed, environment: Environment, context: Context<Options>): Promise<Result[]> | Result[]
}

/** A program that the proof needs is not installed on this machine. It has shown nothing, and ends with 2. */
export class MissingProgram extends Error {}

/** Infers the types of a scenario from its parts. */
export function defineScenario<Options extends OptionValues, Environment, Observed>(
  scenario: Scenario<Options, Environment, Observed>,
): Scenario<Options, Environment, Observed> {
  return scenario
}
