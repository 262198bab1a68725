import { roleLabels } from '#shared/text/text.ts'
import type { AccountRow } from '#server/users/users.ts'

const head = ['Nome', 'Username', 'E-mail', 'Perfil', 'Situação', 'Último login', 'Sessões']

/**
 * Formats users as a table for the terminal.
 * @param timezone IANA name; times are formatted as in the console
 */
export function accountTable(accounts: readonly AccountRow[], timezone: string): string {
  const at = timesOf(timezone)
  return tableOf([head, ...accounts.map((account) => cellsOf(account, at))])
}

/** Formats times as in the console. @param timezone IANA name */
export function timesOf(timezone: string): (instant: Date) => string {
  const format = new Intl.DateTimeFormat('pt-BR', {
    dateStyle: 'short',
    timeStyle: 'short',
    timeZone: timezone,
  })
  return (instant) => format.format(instant).replace(', ', ' ')
}

/** Formats lines of cells, which are as many in each, as a table for the terminal. */
export function tableOf(lines: readonly string[][]): string {
  // Control characters in a name must not reach the terminal.
  const shown = lines.map((cells) => cells.map((cell) => cell.replace(/\p{Cc}/gu, '?')))
  const widths = shown[0]?.map((_, column) => Math.max(...shown.map((cells) => widthOf(cells[column] ?? ''))))
  return shown
    .map((cells) =>
      cells
        .map((cell, column) => cell + ' '.repeat((widths?.[column] ?? 0) - widthOf(cell)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const widthOf = (cell: string) => Array.from(cell).length

function cellsOf(account: AccountRow, at: (instant: Date) => string): string[] {
  return [
    account.name,
    account.username,
    account.email,
    roleLabels[account.role],
    stateOf(account, at),
    account.lastLoginAt ? at(account.lastLoginAt) : 'nunca',
    String(account.openSessions),
  ]
}

function stateOf(account: AccountRow, at: (instant: Date) => string): string {
  if (!account.isActive) return account.isBlocked ? 'inativo, bloqueado' : 'inativo'
  if (account.isBlocked) return 'bloqueado'
  if (account.loginLockedAt) return 'bloqueado por senhas erradas'
  return account.lockedUntil ? `bloqueado até ${at(account.lockedUntil)}` : 'ativo'
}
