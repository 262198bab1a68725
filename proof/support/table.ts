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

/** A table of the properties with the numbers of checks and faults, followed by the faults. */
export function formatResults(results: readonly Result[]): string[] {
  const rows = results.map(({ property, checked, faults }) => [
    property,
    String(checked),
    String(faults.length),
    faults.length > 0 ? 'FAILED' : checked === 0 ? 'NOT CHECKED' : 'passed',
  ])
  const faults = results.flatMap(({ property, faults: found }) => [
    ...found.slice(0, shownFaults).map((fault) => `  FAULT ${property}: ${fault.slice(0, shownLength)}`),
    ...(found.length > shownFaults ? [`  … and ${found.length - shownFaults} more`] : []),
  ])
  return [...alignColumns([['property', 'checked', 'faults', 'verdict'], ...rows]), ...faults]
}

/** Whether every property was checked and has no fault. */
export const allPassed = (results: readonly Result[]): boolean =>
  results.length > 0 && results.every(({ checked, faults }) => checked > 0 && faults.length === 0)
