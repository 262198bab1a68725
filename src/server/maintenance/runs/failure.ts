import { JobInterrupted } from '#server/platform/jobs/job-definition.ts'
import { isDiskFull } from '#server/platform/file-store/disk-room.ts'
import { BackupError } from '#server/maintenance/archive/backup-error.ts'

/** Why a run did not end well, in words for the screen. */
export function failureText(error: unknown): string {
  if (error instanceof BackupError) return error.message
  if (error instanceof JobInterrupted)
    return error.reason === 'cancelled' ? 'Parado antes do fim' : 'O servidor parou antes do fim'
  if (isDiskFull(error)) return 'O disco está cheio'
  return 'Erro inesperado: o log do servidor diz mais'
}
