import { JobInterrupted } from '#server/platform/jobs/job-definition.ts'
import { pgCode } from '#server/platform/database/db.ts'
import { BackupError } from '#server/maintenance/archive/backup-error.ts'

/** Why a run did not end well, in words for the screen. */
export function failureText(error: unknown): string {
  if (error instanceof BackupError) return error.message
  if (error instanceof JobInterrupted)
    return error.reason === 'cancelled' ? 'Parado antes do fim' : 'O servidor parou antes do fim'
  if (isDiskFull(error)) return 'O disco está cheio'
  return 'Erro inesperado: o log do servidor diz mais'
}

/** Whether the disk has no room, here or at the database. */
/** Nothing that is tried again ends before somebody makes room: the run fails. */
export function isDiskFull(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ENOSPC' || code === 'EDQUOT' || pgCode(error) === '53100'
}
