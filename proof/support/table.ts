import type { Result } from './scenario.ts'

/** Rows of cells as lines, each column as wide as its widest cell. */
export function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

const shownFaults = 20
const shownLength = 700

/** What was held, how often it was checked and how often it failed; the faults follow. */
export function formatResults(results: readonly Result[]): string[] {
  const rows = results.map(({ held, checked, faults }) => [
    held,
    String(checked),
    String(faults.length),
    faults.length > 0 ? 'FAILED' : checked === 0 ? 'NOT CHECKED' : 'held',
  ])
  const faults = results.flatMap(({ held, faults: found }) => [
    ...found.slice(0, shownFaults).map((fault) => `  FAULT ${held}: ${fault.slice(0, shownLength)}`),
    ...(found.length > shownFaults ? [`  … and ${found.length - shownFaults} more`] : []),
  ])
  return [...alignColumns([['held', 'checked', 'faults', 'verdict'], ...rows]), ...faults]
}

/** Whether everything was checked, and held. */
export const isHeld = (results: readonly Result[]): boolean =>
  results.length > 0 && results.every(({ checked, faults }) => checked > 0 && faults.length === 0)
