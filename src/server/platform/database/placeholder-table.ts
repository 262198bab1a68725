import { sql, type SQL } from 'drizzle-orm'

/**
 * Rows given as parameters, as a table for the FROM of a `statement`: each column is a placeholder of the
 * same name that takes an array. The statement then has one text however many rows there are.
 *
 * @example
 * placeholderTable('a', { id: 'int', text: 'text' }) // executed with { id: [1, 2], text: ['x', 'y'] }
 */
export function placeholderTable(alias: string, types: Readonly<Record<string, string>>): SQL {
  const columns = Object.entries(types)
  // In a sub-select the planner takes an array for ten rows, whatever its length, and keeps one plan.
  const arrays = columns.map(([name, type]) => sql`(select ${sql.placeholder(name)}::${sql.raw(type)}[])`)
  const names = columns.map(([name]) => sql.identifier(name))
  return sql`unnest(${sql.join(arrays, sql`, `)}) ${sql.identifier(alias)}(${sql.join(names, sql`, `)})`
}

/** Rows turned into the arrays that `placeholderTable` takes. */
export function toColumns<Row extends object>(rows: readonly Row[], names: readonly (keyof Row & string)[]) {
  return Object.fromEntries(names.map((name) => [name, rows.map((row) => row[name])]))
}
