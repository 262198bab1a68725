import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { projectFolder } from '../../../scripts/start-line.ts'

// Read from the file and not imported: the server's own copy is changed by the mutants, and the law must not
// change with it.

const roles = z.enum(['admin', 'supervisor', 'operator'])

const rowSchema = z.object({
  id: z.string(),
  method: z.string(),
  path: z.string(),
  ceiling: z.array(roles),
  /** Every group must hold, and one flag of a group is enough. */
  flags: z.array(z.array(z.string())),
  public: z.boolean(),
  /** What a call leaves in the audit log; null: nothing, except `sometimes`. */
  audit: z.nullable(z.string()),
  sometimes: z.optional(z.string()),
})

const flagValues = z.record(z.string(), z.boolean())

const tableSchema = z.object({
  flags: z.array(z.string()),
  defaults: z.object({
    supervisor: flagValues,
    operator: flagValues,
  }),
  endpoints: z.array(rowSchema),
})

export type Role = z.infer<typeof roles>
export type Row = z.infer<typeof rowSchema>
/** What is asked of a person: a role of the ceiling, and the flags. */
export type Condition = Pick<Row, 'ceiling' | 'flags'>

/** The permission table as it is in the repository. */
export const table = tableSchema.parse(
  JSON.parse(readFileSync(join(projectFolder, 'src/shared/permissions.json'), 'utf8')),
)

/** All flags: the 34 given ones, and those that rooms declare. */
export const flagNames = table.flags

export const tableRows: readonly Row[] = table.endpoints

/** @throws Error for an id that the table does not have */
export function rowOf(id: string): Row {
  const row = tableRows.find((one) => one.id === id)
  if (!row) throw new Error(`permissions.json has no row '${id}'`)
  return row
}

/** The rows of the same method and path, including this one. */
export function rowsOfCall({ method, path }: Row): readonly Row[] {
  return tableRows.filter((row) => row.method === method && formOf(row.path) === formOf(path))
}

/** Without the names of its parameters. */
const formOf = (path: string) => path.replaceAll(/\{\w+\}/g, '{}')
