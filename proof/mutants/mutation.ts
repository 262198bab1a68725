import type { Row as Declared } from '#shared/endpoint.ts'
import type { Flag } from '#shared/permissions.ts'
import { allRows } from '#server/testing/calls.ts'
import { givenRows } from '../access/law/given-rows.ts'
import { tableRows, type Condition, type Role, type Row, rowOf, rowsOfCall } from '../access/law/table.ts'

/** The declarations as the server of this process has loaded them: what is changed here, it does at once. */
const serverRows: ReadonlyMap<string, Declared> = new Map((await allRows()).map(({ row }) => [row.id, row]))

export type Kind = 'flag of a given row' | "flag of the project's row" | 'one of several flags' | 'ceiling'

/** One check that a server leaves out, or one flag that it no longer accepts instead of another. */
export interface Mutant {
  kind: Kind
  row: Row
  what: string
  change(condition: Condition): Condition
  /**
   * What must be changed with it to see it, since the same is also asked elsewhere; and why.
   */
  together: { rows: readonly string[]; why: string } | undefined
}

export const allRoles: Role[] = ['admin', 'supervisor', 'operator']

/** What a row's condition is also asked by, besides the other rows of its call. */
const askedByToo: Readonly<Record<string, readonly string[]>> = {
  'WS recv stats_update': ['GET /api/stats (queue block)', 'GET /api/stats (statistics block)'],
}

function companions(row: Row): Mutant['together'] {
  const others = rowsOfCall(row).filter((one) => one !== row)
  const rows = [...others.map(({ id }) => id), ...(askedByToo[row.id] ?? [])]
  return rows.length === 0 ? undefined : { rows, why: `also asked by ${rows.join(', ')}` }
}

const without = (flag: string) => (group: string[]) => group.filter((one) => one !== flag)

/** Leaves out one group of flags, which is known by its flags: other rows have it at another place. */
const leaveOut =
  (group: readonly string[]) =>
  (condition: Condition): Condition => ({
    ...condition,
    flags: condition.flags.filter((one) => !one.some((flag) => group.includes(flag))),
  })

/** All mutants of the rows that are built. */
function mutantsOf(row: Row): Mutant[] {
  const kind = row.id in givenRows ? 'flag of a given row' : "flag of the project's row"
  const together = companions(row)
  return [
    ...row.flags.map((group): Mutant => ({
      kind,
      row,
      what: `without ${group.join(' or ')}`,
      change: leaveOut(group),
      together,
    })),
    ...row.flags
      .filter((group) => group.length > 1)
      .flatMap((group) =>
        group.map((flag): Mutant => ({
          kind: 'one of several flags',
          row,
          what: `${flag} no longer enough`,
          change: (condition) => ({ ...condition, flags: condition.flags.map(without(flag)) }),
          together: undefined,
        })),
      ),
    ...(row.method === 'POST' && row.path === '/api/webhook/evolution' ? [] : allRoles)
      .filter((role) => !row.ceiling.includes(role))
      .map((role): Mutant => ({
        kind: 'ceiling',
        row,
        what: `open to ${role}s`,
        change: (condition) => ({ ...condition, ceiling: [...condition.ceiling, role] }),
        together: undefined,
      })),
  ]
}

export const allMutants = (only: string): Mutant[] =>
  tableRows.filter(({ id }) => id.includes(only)).flatMap((row) => mutantsOf(row))

/** Changes rows of the server's table while the work is done. */
export async function withServer<Result>(
  changes: Readonly<Record<string, (condition: Condition) => Condition>>,
  work: () => Promise<Result>,
): Promise<Result> {
  const before = Object.keys(changes).map((id) => {
    const row = serverRows.get(id)
    if (!row) throw new Error(`the server has no row '${id}'`)
    return { row, declared: { ...row } }
  })
  for (const { row } of before) {
    const { ceiling, flags } = changes[row.id]?.(rowOf(row.id)) ?? rowOf(row.id)
    Object.assign(row, { act: undefined, isPublic: undefined, needs: flags as Flag[][], roles: ceiling })
  }
  try {
    return await work()
  } finally {
    for (const { row, declared } of before)
      Object.assign(row, { needs: undefined, roles: undefined, ...declared })
  }
}
