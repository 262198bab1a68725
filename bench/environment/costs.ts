import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import type { Figure } from '../rounds.ts'

/** The fields used here of a CPU profile that V8 writes with --cpu-prof. */
interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[]
  samples: number[]
  /** Microseconds. */
  timeDeltas: number[]
}

/** What PostgreSQL spent on the product's statements, in milliseconds. */
export interface StatementTimes {
  statements: number
  planMs: number
  executeMs: number
}

export const planningAim: Figure & { most: number } = {
  key: 'planning',
  title: 'planning ÷ executing, all statements',
  unit: '',
  better: 'lower',
  most: 0.15,
}

const shown = 20

/** For the benchmark's own connections, whose statements must not count as the product's. */
export const untracked = '-c pg_stat_statements.track=none'

const ofThisDatabase = `dbid = (select oid from pg_database where datname = current_database())`

/**
 * Resets the statistics of statements.
 * @returns false if the server keeps none, or does not measure planning
 */
export async function trackStatements(db: pg.Pool): Promise<boolean> {
  const { rows } = await db.query<{ isTracked: boolean }>(
    `select current_setting('pg_stat_statements.track_planning', true) = 'on'
        and exists (select from pg_available_extensions where name = 'pg_stat_statements') as "isTracked"`,
  )
  if (!rows[0]?.isTracked) return false
  await db.query('create extension if not exists pg_stat_statements; select pg_stat_statements_reset()')
  return true
}

export async function statementTimes(db: pg.Pool): Promise<StatementTimes> {
  const { rows } = await db.query<StatementTimes>(
    `select sum(calls)::int as statements, sum(total_plan_time) as "planMs",
        sum(total_exec_time) as "executeMs"
       from pg_stat_statements where ${ofThisDatabase}`,
  )
  return rows[0] as StatementTimes
}

/** The costliest statements of a database, with planning shown separately. */
export async function costliestStatements(db: pg.Pool): Promise<string[]> {
  const { rows } = await db.query<{ calls: string; plan: number; exec: number; query: string }>(
    `select calls, total_plan_time as plan, total_exec_time as exec, query from pg_stat_statements
      where ${ofThisDatabase} order by total_plan_time + total_exec_time desc limit ${shown}`,
  )
  return rows.map(({ calls, plan, exec, query }) => {
    const text = query.replaceAll(/\s+/g, ' ').slice(0, 110)
    const times = `${plan.toFixed(0).padStart(6)} ms planning ${exec.toFixed(0).padStart(6)} ms executing`
    return `${calls.padStart(8)} × ${times}  ${text}`
  })
}

/** The functions with the most processor time in the newest profile of a folder. */
export function costliestFunctions(folder: string): string[] {
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.cpuprofile')) : []
  const newest = files.toSorted().at(-1)
  if (!newest) return ['no CPU profile was written']
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(join(folder, newest), 'utf8')) as Profile
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]))
  const spent = new Map<string, number>()
  for (const [n, id] of samples.entries()) {
    const name = names.get(id) ?? ''
    if (!name.startsWith('(idle)')) spent.set(name, (spent.get(name) ?? 0) + (timeDeltas[n] ?? 0))
  }
  const busy = [...spent.values()].reduce((sum, each) => sum + each, 0)
  return [...spent]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, shown)
    .map(([name, us]) => `${((us / busy) * 100).toFixed(1).padStart(6)} %  ${name}`)
}

function nameOf({ functionName, url, lineNumber }: Profile['nodes'][0]['callFrame']): string {
  const file = url.replace(/^.*\/(node_modules|src)\//, '$1/')
  return `${functionName || '(anonymous)'} ${file}:${lineNumber + 1}`
}
