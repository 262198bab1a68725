import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'

/** What V8 writes with --cpu-prof, as far as it is read here. */
interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[]
  samples: number[]
  /** Microseconds. */
  timeDeltas: number[]
}

const shown = 20

/** The costliest statements of a database, planning apart. */
export async function costliestStatements({ db }: { db: pg.Pool }): Promise<string[]> {
  const { rows } = await db.query<{ calls: string; plan: number; exec: number; query: string }>(
    `select calls, total_plan_time as plan, total_exec_time as exec, query from pg_stat_statements
      where dbid = (select oid from pg_database where datname = current_database()) and query !~ 'pg_stat_statements'
      order by total_plan_time + total_exec_time desc limit ${shown}`,
  )
  return rows.map(
    ({ calls, plan, exec, query }) =>
      `${calls.padStart(8)} × ${plan.toFixed(0).padStart(6)} ms plano ${exec.toFixed(0).padStart(6)} ms execução  ${query
        .replaceAll(/\s+/g, ' ')
        .slice(0, 110)}`,
  )
}

/** Where the processor of a process went that ran with --cpu-prof: its functions by their own time. */
export function costliestFunctions(folder: string): string[] {
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.cpuprofile')) : []
  const newest = files.toSorted().at(-1)
  if (!newest) return ['nenhum perfil foi escrito']
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
  return `${functionName || '(anônima)'} ${file}:${lineNumber + 1}`
}
