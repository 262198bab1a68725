import { alignColumns } from '../support/table.ts'
import { kindOf, seriesOf, settledFrom, slopeOf } from './judge.ts'
import type { Month } from './measure.ts'

const kib = (bytes: number) => (bytes / 1024).toFixed(0)
const perDay = (series: readonly number[]) => slopeOf(series).toFixed(1)

/** Every table that ever had rows, every folder and the memory, on a few days. */
export function printSizes({ name, hasRetention, days, quiet }: Month, print: (line: string) => void): void {
  const from = settledFrom(days.length)
  const last = days.length - 1
  const shown = [0, Math.min(from, last), last]
  print('')
  const onDays = shown.map((n) => n + 1).join(', ')
  print(`${name}, ${hasRetention ? 'with' : 'without'} periods; rows and KiB on day ${onDays}`)
  const head = ['table', 'kind', 'rows', '', '', '+ a day', 'quiet', 'KiB', '', '', '+ a day', 'dead at most']
  const tables = Object.keys(days[last]?.tables ?? {}).toSorted()
  const lines = tables.flatMap((table) => {
    const [rows, bytes, dead] = (['rows', 'bytes', 'dead'] as const).map((figure) =>
      seriesOf(days, table, figure),
    )
    if (!rows || !bytes || !dead || rows.every((count) => count === 0)) return []
    const at = (series: number[], format: (value: number) => string) =>
      shown.map((n) => format(series[n] ?? 0))
    return [
      [
        table,
        kindOf(table),
        ...at(rows, String),
        perDay(rows.slice(from)),
        String(quiet.tables[table]?.rows ?? 0),
        ...at(bytes, kib),
        perDay(bytes.slice(from).map((one) => one / 1024)),
        String(Math.max(...dead.slice(from))),
      ],
    ]
  })
  for (const line of alignColumns([head, ...lines])) print(line)
  const folders = [...new Set(days.flatMap((day) => Object.keys(day.folders)))].toSorted()
  for (const folder of folders) {
    const [files, bytes] = (['files', 'bytes'] as const).map((figure) =>
      days.map((day) => day.folders[folder]?.[figure] ?? 0),
    )
    print(
      `${folder}/: ${shown.map((n) => `${files?.[n]} files, ${kib(bytes?.[n] ?? 0)} KiB`).join('; ')}; ` +
        `+ ${perDay(files?.slice(from) ?? [])} files a day; quiet ${quiet.folders[folder]?.files ?? 0}`,
    )
  }
  const memory = (figure: 'rss' | 'heap') => {
    const series = days.map((day) => day[figure])
    const figures = shown.map((n) => series[n]?.toFixed(1)).join(', ')
    return `${figures} MiB, + ${slopeOf(series.slice(from)).toFixed(2)} a day`
  }
  print(`memory ${memory('rss')}; heap ${memory('heap')}`)
}
