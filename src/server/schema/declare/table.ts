import { type BuildColumns, type BuildExtraConfigColumns, is, type SQL } from 'drizzle-orm'
import {
  type PgColumnBuilderBase,
  pgTable,
  PgTable,
  type PgTableExtraConfigValue,
  type PgTableWithColumns,
} from 'drizzle-orm/pg-core'
import type { Backup, WholeCopy } from './backup.ts'
import type { Ends } from './ends.ts'
import type { Personal } from './person.ts'
import type { Resource } from './resource.ts'
import type { Waits } from './waits.ts'

/** What the product knows of a table besides its columns. The rooms that need it read it from here. */
export interface Declaration {
  /** What a backup has of it. */
  backup: Backup
  /** Absent: a copy of the whole installation takes all rows. */
  wholeCopy?: WholeCopy
  /** Whether it grows, and what ends its rows. */
  ends: Ends
  /** What of it tells of a contact; absent: nothing. */
  personal?: Personal
  /** Absent: the audit log has no name for its rows. */
  resource?: Resource
  /** Absent: nothing waits for a time of it. */
  waits?: Waits
}

/** Where a table keeps its declaration. */
export const declaration = Symbol('declaration')

export interface Declared<OwnBackup extends Backup = Backup> {
  readonly [declaration]: Declaration & { backup: OwnBackup }
}

/** The words of a text, between blanks and line ends. */
type Words<Text extends string, Found extends string = never> = Text extends `${infer Line}\n${infer Rest}`
  ? Words<`${Line} ${Rest}`, Found>
  : Text extends `${infer Word} ${infer Rest}`
    ? Words<Rest, Found | Word>
    : Exclude<Found | Text, ''>

/** `unknown`, unless there are such words: then a type that shows them in the compiler's message. */
type None<Faults extends string, Message extends string> = [Faults] extends [never]
  ? unknown
  : { [Fault in Faults as `${Fault} ${Message}`]: never }

/** Demands of a text that its words are columns. */
type OnlyColumns<Column extends string, Text extends string> = None<
  Exclude<Words<Text>, Column>,
  'is not a column'
>

/** Demands of a text that its words are all columns but those that are personal. */
type AllBut<Column extends string, Personal extends string, Text extends string> = None<
  Exclude<Column, Personal | Words<Text>>,
  'is neither personal nor other'
> &
  None<Extract<Words<Text>, Personal>, 'is personal'> &
  OnlyColumns<Column, Text>

/**
 * A table with its declaration. Names of columns are those of the code, separated by blanks.
 * @param declared.personal.columns what tells of a contact, with what takes its place
 * @param declared.other all other columns: ids, counts, times, and what is the team's. A column that is named
 *   in neither does not compile.
 */
export function table<
  Name extends string,
  Columns extends Record<string, PgColumnBuilderBase>,
  OwnBackup extends Backup,
  Other extends string,
  PersonalColumn extends keyof Columns & string = never,
  Without extends string = never,
>(
  name: Name,
  columns: Columns,
  // One type for each: the compiler infers none from an object that lacks a property of the same type.
  declared: Declaration & {
    backup: OwnBackup & { without?: Without & OnlyColumns<keyof Columns & string, Without> }
  } & { personal?: { columns: Record<PersonalColumn, SQL> } } & { waits?: Waits<keyof Columns & string> } & {
    other: Other & AllBut<keyof Columns & string, PersonalColumn, Other>
  },
  extras?: (self: BuildExtraConfigColumns<Name, Columns, 'pg'>) => PgTableExtraConfigValue[],
): PgTableWithColumns<{
  name: Name
  schema: undefined
  columns: BuildColumns<Name, Columns, 'pg'>
  dialect: 'pg'
}> &
  Declared<OwnBackup> {
  const { backup, wholeCopy, ends, personal, resource, waits } = declared
  return Object.assign(pgTable(name, columns, extras), {
    [declaration]: {
      backup,
      ends,
      ...(wholeCopy && { wholeCopy }),
      ...(personal && { personal }),
      ...(resource && { resource }),
      ...(waits && { waits }),
    },
  })
}

type TablesOf<Exports> = {
  [Name in keyof Exports as Exports[Name] extends PgTable ? Name : never]: Exports[Name]
}

/** The tables among the exports of files. One that was not made by `table` does not compile. */
export function tablesOf<Exports extends Record<string, unknown>>(exports: {
  [Name in keyof Exports]: Exports[Name] extends PgTable
    ? Exports[Name] extends Declared
      ? Exports[Name]
      : never
    : Exports[Name]
}): TablesOf<Exports> {
  const tables = Object.entries(exports).filter(([, one]) => is(one, PgTable))
  return Object.fromEntries(tables) as TablesOf<Exports>
}
