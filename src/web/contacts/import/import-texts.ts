import type { ContactImport, ImportMapping, ImportState } from '#shared/contacts/contact-imports.ts'

const number = new Intl.NumberFormat('pt-BR')

/** '74.812' */
export const figure = (count: number): string => number.format(count)

/** '1 linha', '1.004 linhas' */
export const counted = (count: number, one: string, many: string): string =>
  `${figure(count)} ${count === 1 ? one : many}`

export const lines = (count: number): string => counted(count, 'linha', 'linhas')

const kilobytes = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 0 })
const megabytes = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 2 })

/** '812 KB', '7,42 MB' */
export function sizeText(bytes: number): string {
  return bytes < 1_048_576
    ? `${kilobytes.format(Math.max(1, bytes / 1024))} KB`
    : `${megabytes.format(bytes / 1_048_576)} MB`
}

const separators = { ';': 'separador “;”', ',': 'separador “,”', '\t': 'separado por tabulação' } as const

/** 'separador “;”, Windows-1252', 'vCard, UTF-8', or which sheet of a spreadsheet. */
export function formText(job: ContactImport): string {
  const { format, encoding, separator, hasBom, choice, sheets } = job
  if (format === 'xlsx') {
    const name = choice && sheets[choice.sheet]?.name
    return name ? `planilha “${name}”` : 'primeira planilha do XLSX'
  }
  const name = encoding === 'utf-8' ? 'UTF-8' : 'Windows-1252'
  return `${separator === null ? 'vCard' : separators[separator]}, ${name}${hasBom ? ' com BOM' : ''}`
}

/** '31 s', '1 min 21 s', '2 h 5 min' */
export function durationText(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** Whole percents, 100 only at the end. */
export const percentOf = (done: number, total: number): number =>
  total === 0 ? 0 : Math.floor((done / total) * 100)

/** Whether a run works on it now. */
export const isBusy = (state: ImportState): boolean => state === 'running' || state === 'undoing'

export const stateTexts: Readonly<Record<ImportState, string>> = {
  read: 'Arquivo lido, falta importar',
  running: 'Importando',
  stopped: 'Parada',
  failed: 'Interrompida por um erro',
  done: 'Pronta',
  undoing: 'Desfazendo',
  undone: 'Desfeita',
}

/** '1 já existe, 3 são novos, 2 com erro'; '' for other columns than those with which the file was read. */
export function foundText(
  { knownRows, totalRows, errors, mapping: read }: Pick<ContactImport, FoundKeys>,
  mapping: ImportMapping,
): string {
  if (knownRows === null || mapping.some((field, at) => field !== read[at])) return ''
  return [
    counted(knownRows, 'já existe', 'já existem'),
    counted(totalRows - knownRows - errors, 'é novo', 'são novos'),
    ...(errors > 0 ? [`${figure(errors)} com erro`] : []),
  ].join(', ')
}
type FoundKeys = 'knownRows' | 'totalRows' | 'errors' | 'mapping'
