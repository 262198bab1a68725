import type { Outcome, Sight } from './law/expected.ts'
import type { Caller } from './world/people.ts'
import type { Person } from './law/principals.ts'
import type { Condition, Row } from './law/table.ts'
import type { Sent, World } from './world/world.ts'

/** A call with a valid body about something that exists. Method and token are added. */
export type Target = Omit<Sent, 'method'>

/** The same for the call of a row: by its path, with the id in it, if no path is given. */
export type RowTarget = Partial<Target> & { id?: number | string }

/** One kind of target of a row, such as the conversation of a colleague. */
export interface Case {
  what: string
  sees?: Sight
  needs?: Condition
  /** The answer to whoever may: a success, or the error of a state. */
  status: Outcome | ((person: Person) => Outcome)
  refused?: Outcome
  /**
   * The row is about a part of the answer; whether an answer has it. With `needs`, the part needs that
   * besides what the row asks for.
   */
  part?: (body: unknown) => boolean
  /**
   * A target for each of the callers, in order. Each is used by its caller alone, and is whole when they
   * come: a call that is refused for a person must not be refusable for any other reason.
   */
  targets(world: World, callers: readonly Caller[]): Promise<readonly RowTarget[]>
}

/** A row whose outcomes are seen on sockets. */
export interface Watch {
  what: string
  permitted: Outcome
  refused?: Outcome
  /** The outcome for each of the callers, in order. */
  observe(world: World, callers: readonly Caller[]): Promise<readonly Outcome[]>
}

/** A row of a call that changes something, with all that it may change. */
export interface Changing {
  cases: Case | readonly Case[]
  /** `table.column`, `+table` for new rows, `-table` for deleted ones. */
  changes: readonly string[]
}

/** How the cells of a row are executed. The first case is the row itself, the others are its variants. */
export type Recipe = Case | readonly Case[] | Changing | Watch

export const isWatch = (recipe: Recipe): recipe is Watch => 'observe' in recipe

/** @param changes what the call may change, in words */
export const changing = (cases: Changing['cases'], ...changes: string[]): Changing => ({
  cases,
  changes: changes.flatMap((text) => text.split(' ')),
})

/** The cases of a row whose outcomes are answers. */
export const casesOf = (recipe: Exclude<Recipe, Watch>): readonly Case[] =>
  [recipe].flatMap((given) => ('cases' in given ? given.cases : given))

/** Recipes by the ids of their rows in the permission table; of those that change something with what. */
export interface Recipes {
  readonly [changing: `${'POST' | 'PUT' | 'PATCH' | 'DELETE'} ${string}`]: Changing
  readonly [id: string]: Recipe
}

/** The targets of a case for each of the callers, in order. */
export async function targetsOf(
  world: World,
  { path: own }: Row,
  one: Case,
  callers: readonly Caller[],
): Promise<Target[]> {
  return (await one.targets(world, callers)).map(({ id, path, ...target }) => ({
    path: path ?? own.replace(/\{\w+\}/, String(id)),
    ...target,
  }))
}
