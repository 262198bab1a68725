/** The stored key was restored from a backup that this installation cannot decrypt. */
export const keyIsForeign = 'Digite a chave de novo: ela veio de outra instalação.'

/** The error of an address, and the most usual reason for it: 'evolution:8080'. */
export function addressError(message: string | undefined, typed: string): string | undefined {
  const lacksScheme = /^[^\s/:]+(:\d+)?(\/\S*)?$/.test(typed.trim())
  return message !== undefined && lacksScheme ? `${message}. Falta o começo: http:// ou https://` : message
}
