/** '0:41'; undefined when the length is not known. */
export function duration(seconds: number | undefined): string | undefined {
  if (seconds === undefined) return undefined
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

const units = ['Bytes', 'KB', 'MB', 'GB']

/** '184,22 KB': step 1024, two decimals. @see specification §9 Size units */
export function fileSize(bytes: number | null): string | undefined {
  if (bytes === null) return undefined
  const step = bytes > 0 ? Math.min(Math.floor(Math.log(bytes) / Math.log(1024)), units.length - 1) : 0
  const value = (bytes / 1024 ** step).toLocaleString('pt-BR', { maximumFractionDigits: 2 })
  return `${value} ${units[step]}`
}
