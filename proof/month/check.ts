import { keptRuns } from '#server/platform/jobs/job-runs.ts'
import type { Result } from '../support/scenario.ts'
import { growthOf, hurry, kindOf, seriesOf, settledFrom, termOf, type Tolerance } from './judge.ts'
import type { Measured, Month } from './measure.ts'

const fewRows: Tolerance = { share: 0.2, least: 10 }
const fewBytes: Tolerance = { share: 0.3, least: 256 * 1024 }
/** Of what grows with the messages, in the second half of the days beside the first. */
const mostHurry = 1.4
/** Below that a ratio is chance: a table grows by pages, and a few pictures come sooner or later. */
const leastRows = 100
/** Tables that fill until each job has as many runs as are kept, for longer than a month. */
const filling = ['job_runs', 'maintenance_runs']
const mostDead = (rows: number) => 1000 + rows
/** What nights without a message leave: what was done, and pictures of contacts that were still to come. */
const leftByNights = (table: string, { tables }: Measured): number =>
  table.startsWith('audit_') ? 100 : table === 'files' ? (tables['contacts']?.rows ?? 0) : 0

/** What holds after a month of a company, and a quiet time. */
export function check({ name, hasRetention, days, quiet, errors }: Month): Result[] {
  const from = settledFrom(days.length)
  const late = days.slice(from)
  const tables = Object.keys(days.at(-1)?.tables ?? {})
  const settled = tables.filter((table) => {
    const kind = kindOf(table)
    return kind === 'bounded' || (kind === 'trimmed' && termOf(table) < from)
  })
  const kept = tables.filter((table) => kindOf(table) === 'kept')
  const messages = seriesOf(late, 'messages', 'rows')
  const grows = (what: string, series: readonly number[], tolerance: Tolerance): string[] => {
    const grown = growthOf(series, tolerance)
    return grown === undefined ? [] : [`${what}: + ${grown.toFixed(0)} from ${series[0]} to ${series.at(-1)}`]
  }
  const hurries = (what: string, series: readonly number[], least: number): string[] => {
    const { times, more } = hurry(series, messages)
    return times > mostHurry && more > least
      ? [`${what}: × ${times.toFixed(2)}, ${more.toFixed(0)} more`]
      : []
  }
  const folder = (which: string, figure: 'files' | 'bytes') => (day: Measured) =>
    day.folders[which]?.[figure] ?? 0
  const results: Result[] = [
    {
      property: 'no row outlives its time',
      checked: days.length * Object.keys(quiet.overdue).length,
      faults: [...days, quiet].flatMap((day, n) =>
        Object.entries(day.overdue).flatMap(([table, count]) =>
          count > 0 ? [`day ${n + 1}: ${count} of ${table}`] : [],
        ),
      ),
    },
    {
      property: 'what is bounded or soon trimmed does not grow',
      checked: settled.length,
      faults: [
        ...settled.flatMap((table) => [
          ...(filling.includes(table)
            ? []
            : grows(`rows of ${table}`, seriesOf(late, table, 'rows'), fewRows)),
          ...grows(`bytes of ${table}`, seriesOf(late, table, 'bytes'), fewBytes),
        ]),
        ...days.flatMap(({ runsOfJob, tables: { maintenance_runs: ours } }, n) =>
          Math.max(runsOfJob, ours?.rows ?? 0) > keptRuns ? [`day ${n + 1}: ${runsOfJob} runs of a job`] : [],
        ),
      ],
    },
    {
      property: 'what is kept grows with the messages',
      checked: kept.length,
      faults: kept.flatMap((table) => {
        const rows = seriesOf(late, table, 'rows')
        if ((rows.at(-1) ?? 0) - (rows[0] ?? 0) < leastRows) return []
        return [
          ...hurries(`rows of ${table}`, rows, leastRows),
          ...hurries(`bytes of ${table}`, seriesOf(late, table, 'bytes'), fewBytes.least),
        ]
      }),
    },
    {
      property: 'dead rows are taken away',
      checked: tables.length,
      faults: tables.flatMap((table) =>
        late.flatMap((day) => {
          const { rows, dead } = day.tables[table] ?? { rows: 0, dead: 0 }
          return dead > mostDead(rows) ? [`${table}: ${dead} beside ${rows}`] : []
        }),
      ),
    },
    {
      property: 'every stored file has its row',
      checked: days.length,
      faults: days.flatMap((day, n) => {
        const files = folder('uploads', 'files')(day)
        return files === day.named ? [] : [`day ${n + 1}: ${files} files, ${day.named} names`]
      }),
    },
    {
      property: 'there are as many backups as are kept, and nothing else is left on the disk',
      checked: days.length,
      faults: [
        ...grows('rows of maintenance_backups', seriesOf(late, 'maintenance_backups', 'rows'), {
          share: 0,
          least: 0,
        }),
        ...grows('files in uploads/cache', late.map(folder('uploads/cache', 'files')), {
          share: 0,
          least: 0,
        }),
        ...grows('files beside', late.map(folder('.', 'files')), { share: 0, least: 0 }),
        // With periods too: pictures of contacts stay.
        ...hurries('files of backups', late.map(folder('backups', 'files')), leastRows),
      ],
    },
    {
      property: 'the memory does not grow',
      checked: late.length,
      faults: [
        ...grows(
          'MiB',
          late.map(({ rss }) => rss),
          { share: 0.1, least: 15 },
        ),
        ...grows(
          'MiB of heap',
          late.map(({ heap }) => heap),
          { share: 0.1, least: 4 },
        ),
      ],
    },
    {
      property: 'after a quiet time nothing is left of what is trimmed, and nothing more of what is kept',
      checked: tables.length,
      faults: tables.flatMap((table) => {
        const [before, after] = [days.at(-1)?.tables[table]?.rows ?? 0, quiet.tables[table]?.rows ?? 0]
        const most =
          kindOf(table) === 'trimmed' ? Math.max(20, before * 0.05) : before + leftByNights(table, quiet)
        return kindOf(table) !== 'bounded' && after > most ? [`${table}: ${after}, before ${before}`] : []
      }),
    },
    { property: 'the program logs no error', checked: 1, faults: errors },
  ]
  if (hasRetention)
    results.push({
      property: 'what the periods cover does not grow',
      checked: 5,
      faults: [
        ...grows('webhooks', seriesOf(late, 'webhook_inbox', 'rows'), fewRows),
        ...grows('bytes of webhooks', seriesOf(late, 'webhook_inbox', 'bytes'), fewBytes),
        ...grows(
          'files of messages',
          late.map(({ messageFiles }) => messageFiles),
          fewRows,
        ),
        // Of a person or an import there is one at most.
        ...late.flatMap(({ named, messageFiles, tables }) => {
          const most = ['contacts', 'users', 'contact_imports'].reduce(
            (sum, table) => sum + (tables[table]?.rows ?? 0),
            0,
          )
          return named - messageFiles > most
            ? [`${named - messageFiles} other files, of ${most} at most`]
            : []
        }),
        ...grows(
          'bytes of texts',
          late.map(({ texts }) => texts),
          { share: 0.2, least: 10_000 },
        ),
      ],
    })
  return results.map((result) => ({ ...result, property: `${name}: ${result.property}` }))
}
