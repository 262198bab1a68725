/** Ends a command with one line in Portuguese and an exit code. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exitCode: number

  /** @param exitCode 1: the command failed; 2: wrong usage; 130: interrupted */
  constructor(message: string, exitCode: 1 | 2 | 130 = 1) {
    super(message)
    this.exitCode = exitCode
  }
}

export const wronglyAsked = (message: string) =>
  new CommandError(`${message} Veja npm run admin -- --help.`, 2)

/** Ctrl+C before anything was changed. */
export const cancelled = () => new CommandError('Cancelado: nada foi mudado.', 130)
