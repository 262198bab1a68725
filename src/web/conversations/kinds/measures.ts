import type { Message } from '#shared/messages/messages.ts'

/** '0:41'; undefined if the duration is unknown. */
export function duration(seconds: number | undefined): string | undefined {
  if (seconds === undefined) return undefined
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

/** '35 min', '1 h 12 min', '2 d 3 h'. */
export function elapsed(minutes: number): string {
  if (minutes < 1) return 'menos de 1 min'
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  const [large, small] =
    hours < 24 ? [`${hours} h`, `${minutes % 60} min`] : [`${Math.floor(hours / 24)} d`, `${hours % 24} h`]
  return small.startsWith('0 ') ? large : `${large} ${small}`
}

const units = ['Bytes', 'KB', 'MB', 'GB']

/** '184,22 KB': step 1024, two decimals. @see specification §9 Size units */
export function fileSize(bytes: number | null): string | undefined {
  if (bytes === null) return undefined
  const step = bytes > 0 ? Math.min(Math.floor(Math.log(bytes) / Math.log(1024)), units.length - 1) : 0
  const value = (bytes / 1024 ** step).toLocaleString('pt-BR', { maximumFractionDigits: 2 })
  return `${value} ${units[step]}`
}

/** 'PDF · 3 páginas · 184,22 KB', as far as each is known. */
export function documentFacts({ fileName, fileMimeType, fileSize: bytes, metadata }: DocumentRow): string {
  const pages = metadata.pages === 1 ? '1 página' : metadata.pages ? `${metadata.pages} páginas` : undefined
  return [fileType(fileName, fileMimeType), pages, fileSize(bytes)].filter(Boolean).join(' · ')
}

type DocumentRow = Pick<Message, 'fileName' | 'fileMimeType' | 'fileSize' | 'metadata'>

/** By the extension of the name, or else by a media type of similar length. */
function fileType(name: string | null, mimeType: string | null): string | undefined {
  const ending = /\.([a-z0-9]{1,5})$/i.exec(name ?? '')?.[1]
  const known = ending ?? /^[a-z]+\/([a-z0-9]{2,4})(?:;|$)/i.exec(mimeType ?? '')?.[1]
  return known?.toUpperCase()
}
