import { BackupError, failureText, type Progress } from '#server/maintenance/maintenance.ts'
import type { Config } from '#server/platform/config.ts'
import { BucketError } from '#server/platform/file-store/bucket-client.ts'
import { isDiskFull } from '#server/platform/file-store/disk-room.ts'
import { JobInterrupted } from '#server/platform/jobs/job-definition.ts'
import { cancelled, CommandError } from '#server/cli/command-error.ts'
import type { Terminal } from '#server/cli/terminal.ts'

/** What a command that takes long is given. */
export interface Watched {
  config: Config
  terminal: Terminal
  stopRequested: () => boolean
}

/**
 * Prints each step as it begins, and ends the work when somebody presses Ctrl+C.
 * @param words of the steps that are shown
 */
export function watch(
  { terminal, stopRequested }: Watched,
  words: Partial<Record<Parameters<Progress['begin']>[0], string>>,
): Progress {
  const goOn = () => (stopRequested() ? Promise.reject(new JobInterrupted('cancelled')) : Promise.resolve())
  return {
    begin(step) {
      const line = words[step]
      if (line !== undefined) terminal.warn(line)
      return goOn()
    },
    add: goOn,
  }
}

/** @throws CommandError for what is reported with a message */
export async function inWords<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof BackupError || error instanceof BucketError)
      throw new CommandError(`${failureText(error)}.`)
    if (error instanceof JobInterrupted) throw cancelled()
    if (isDiskFull(error)) throw new CommandError('O disco está cheio.')
    throw error
  }
}

/** `1.204 conversas` */
export const count = (n: number, one: string, many: string): string =>
  `${n.toLocaleString('pt-BR')} ${n === 1 ? one : many}`

const oneDecimal = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
/** '1,3 MB' */
export const megabytes = (bytes: number): string => `${oneDecimal.format(bytes / 1024 / 1024)} MB`
