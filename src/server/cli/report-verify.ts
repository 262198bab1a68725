import type { Database } from '#server/platform/database/db.ts'
import { type Difference, verifyReports } from '#server/reports/reports.ts'
import { CommandError } from './command-error.ts'
import type { Terminal } from './terminal.ts'

const number = (count: number) => count.toLocaleString('pt-BR')

/** More differences than these are only counted. */
const mostShown = 100

/**
 * Computes the figures of the reports once more and prints what differs.
 * @throws CommandError when something does
 */
export async function verifyReport(
  database: Database,
  days: { startDate: string; endDate: string },
  terminal: Terminal,
): Promise<void> {
  let shown = 0
  const { conversations, figures, differences } = await verifyReports(database, days, (difference) => {
    shown += 1
    if (shown <= mostShown) terminal.print(lineOf(difference))
  })
  const compared = `${number(figures)} números de ${number(conversations)} conversas`
  if (differences > 0) throw new CommandError(`${number(differences)} de ${compared} diferem.`)
  terminal.print(`nenhuma diferença (${compared})`)
}

const lineOf = ({ figure, reported, recounted }: Difference) =>
  `${figure}: relatório ${shownValue(reported)}, recontagem ${shownValue(recounted)}`

const shownValue = (value: unknown) => (value === undefined ? 'nada' : JSON.stringify(value))
