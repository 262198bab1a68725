import { roleLabels } from '#shared/text/text.ts'
import type { AccountRow } from '#server/users/users.ts'

const head = ['Nome', 'Username', 'E-mail', 'Perfil', 'Situação', 'Último login', 'Sessões']

/**
 * Formats users as a table for the terminal.
 * @param timezone IANA name; times are formatted as in the console
 */
export function accountTable(accounts: readonly AccountRow[], timezone: string): string {
  const format = new Intl.DateTimeFormat('pt-BR', {
    dateStyle: 'short',
    timeStyle: 'short',
    timeZone: timezone,
  })
  const at = (instant: Date) => format.format(instant).replace(', ', ' ')
  const lines = [head, ...accounts.map((account) => cellsOf(account, at))]
  const widths = head.map((_, column) => Math.max(...lines.map((cells) => widthOf(cells[column] ?? ''))))
  return lines
    .map((cells) =>
      cells
        .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell)))
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
    // Control characters in a name must not reach the terminal.
  ].map((cell) => cell.replace(/\p{Cc}/gu, '?'))
}

function stateOf(account: AccountRow, at: (instant: Date) => string): string {
  if (!account.isActive) return account.isBlocked ? 'inativo, bloqueado' : 'inativo'
  if (account.isBlocked) return 'bloqueado'
  if (account.loginLockedAt) return 'bloqueado por senhas erradas'
  return account.lockedUntil ? `bloqueado até ${at(account.lockedUntil)}` : 'ativo'
}
