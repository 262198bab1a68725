import { roleLabels } from '#shared/text/text.ts'
import { fieldName } from './field-texts.ts'

// What a room needs for the sentences of its acts, in its `audit.ts`.

/** The value of a field before and after. */
export type Change = readonly [before: unknown, after: unknown]
/** What an act changed, by field. */
export type Changes<Field extends string = string> = Partial<Record<Field, Change>>

export interface Nothing {
  changes?: never
}

/** A piece of a sentence: a text, or what it is about. */
export type Piece = string | { name: string }

/** What a sentence needs of its row beside the details. */
export interface ToldRow {
  actor: { id: number | null }
  resource: { id: string | null }
  isErased: boolean
}

/** A row as its sentence sees it. Rows of earlier versions may lack any detail. */
export interface Facts<Details, Personal> {
  row: ToldRow
  details: Partial<Details>
  personal: Partial<Personal>
  /** What it is about, or words for what is gone. */
  about: Piece
  /** The name of a user. */
  nameOf: (userId: unknown) => string
}

/** What each act says, without its subject. */
export type Sentences<Details, Personal = object> = {
  [Action in keyof Details]: (
    facts: Facts<Details[Action], Action extends keyof Personal ? Personal[Action] : Nothing>,
  ) => Piece[]
}

// The rows come from a table in which somebody may have written by hand: nothing odd in them may throw.

export function plural(count: unknown, one: string, many: string): string {
  const number = typeof count === 'number' ? count : 0
  return number === 1 ? `1 ${one}` : `${number.toLocaleString('pt-BR')} ${many}`
}

export const roleOf = (role: unknown) => labelIn(roleLabels, role)
export function labelIn(labels: Readonly<Record<string, string>>, value: unknown): string {
  return typeof value === 'string' ? (labels[value] ?? value) : '?'
}

export const textsIn = (list: unknown): string[] =>
  Array.isArray(list) ? list.filter((one) => typeof one === 'string') : []

/** Before and after, of a field that may have another form. */
export const pairIn = (change: unknown): readonly unknown[] => (Array.isArray(change) ? change : [])

/** 'nome, telefone e email' */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} e ${words.at(-1)}`
}

export const fieldsIn = (...changes: (Changes | undefined)[]) =>
  listed(changes.flatMap((some) => Object.keys(some ?? {}).map((field) => fieldName(field).toLowerCase())))

export function freedText(freed: number | undefined): string {
  if (!freed) return ''
  return freed === 1 ? '; 1 conversa voltou para a fila' : `; ${freed} conversas voltaram para a fila`
}

/** ', atendida por Ana', unless it was the person who acted, or nobody. */
export function heldBy(
  { row, nameOf }: Pick<Facts<object, object>, 'row' | 'nameOf'>,
  holder: unknown,
  words: string,
): string {
  return holder === null || holder === undefined || holder === row.actor.id
    ? ''
    : `, ${words} ${nameOf(holder)}`
}
