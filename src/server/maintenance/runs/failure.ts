import { JobInterrupted, type ThreadDeath } from '#server/platform/jobs/job-definition.ts'
import { BucketError } from '#server/platform/file-store/bucket-client.ts'
import { isDiskFull } from '#server/platform/file-store/disk-room.ts'
import { BackupError } from '#server/maintenance/archive/backup-error.ts'
import { MemberMissing } from '#server/maintenance/archive/store.ts'

const unexpected = 'Erro inesperado: o log do servidor diz mais'

/** Why a run did not end well, as a text for the screen. */
export function failureText(error: unknown): string {
  if (error instanceof BackupError) return error.message
  if (error instanceof JobInterrupted)
    return error.reason === 'cancelled' ? 'Parado antes do fim' : 'O servidor parou antes do fim'
  if (isDiskFull(error)) return 'O disco está cheio'
  if (error instanceof MemberMissing) return 'Falta uma parte do backup'
  if (error instanceof BucketError)
    return error.status === undefined
      ? 'O bucket S3 não responde: tente de novo mais tarde'
      : `O bucket S3 recusou um pedido (${error.status}): confira o bucket e as suas chaves`
  return unexpected
}

/** Why nobody does a run any more. @param death of its thread; undefined: the server itself has ended */
export function deathText(death: ThreadDeath | undefined): string {
  if (death === 'memory') return 'Faltou memória para chegar ao fim'
  return death === 'crash' ? unexpected : 'O servidor parou antes do fim'
}
