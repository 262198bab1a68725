const units = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const

/** '1,3 GB' */
export function inBytes(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(1024)))
  const value = bytes / 1024 ** power
  const shown = value.toLocaleString('pt-BR', { maximumFractionDigits: value < 10 ? 1 : 0 })
  return `${shown} ${units[power] ?? ''}`
}

/** '0,6' */
export const inSeconds = (ms: number): string =>
  (ms / 1000).toLocaleString('pt-BR', { maximumFractionDigits: 1 })
