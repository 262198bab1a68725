/** What stops a command: one clear line in Portuguese, and how the program ends. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exitCode: number

  /** @param exitCode 1: it could not be done; 2: it was asked for in a wrong way; 130: interrupted */
  constructor(message: string, exitCode: 1 | 2 | 130 = 1) {
    super(message)
    this.exitCode = exitCode
  }
}

export const wronglyAsked = (message: string) =>
  new CommandError(`${message} Veja npm run admin -- --help.`, 2)

/** Somebody pressed Ctrl+C before anything was done. */
export const cancelled = () => new CommandError('Cancelado: nada foi mudado.', 130)
