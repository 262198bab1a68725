import type { Package } from './package.ts'
import { Unreadable } from './refusal.ts'
import { parseXml, type XmlHandlers } from './xml.ts'

/** What the sheets of a workbook need of its other parts. */
export interface WorkbookParts {
  /** Those that are shown, or all if none is. */
  sheets: { name: string; part: string }[]
  sharedTexts: string | undefined
  /** By the number of a cell's style, whether a number in it is a date. */
  dateStyles: ReadonlySet<number>
  /** Whether days are counted from 1904, as by old programs for the Mac. */
  isFrom1904: boolean
}

/** People have dozens, and a program some hundreds. */
const mostSheets = 256
const mostStyles = 65_536

/** @throws Unreadable when it is no workbook */
export async function readParts(file: Package): Promise<WorkbookParts> {
  const roots = await relationsOf(file, '_rels/.rels', '')
  const workbook = roots.find(({ type }) => type === 'officeDocument')?.target
  if (workbook === undefined) throw new Unreadable({ name: 'noWorkbook' })
  const folder = workbook.replace(/[^/]*$/, '')
  const relations = await relationsOf(file, `${folder}_rels/${workbook.slice(folder.length)}.rels`, folder)
  const found: { name: string; id: string; isShown: boolean }[] = []
  let isFrom1904 = false
  await read(file, workbook, {
    open(element, attributes) {
      if (element === 'workbookPr') isFrom1904 = isTrue(attributes['date1904'])
      if (element !== 'sheet') return
      const id = Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1] ?? ''
      const { name = '', state = 'visible' } = attributes
      found.push({ name, id, isShown: state === 'visible' })
      if (found.length > mostSheets) throw new Unreadable({ name: 'tooLarge' })
    },
  })
  const sheets = found.flatMap(({ name, id, isShown }) => {
    const target = relations.find((one) => one.id === id && one.type === 'worksheet')?.target
    return target === undefined ? [] : [{ name, part: target, isShown }]
  })
  if (sheets.length === 0) throw new Unreadable({ name: 'noWorkbook' })
  const shown = sheets.filter(({ isShown }) => isShown)
  const partOf = (type: string) => relations.find((one) => one.type === type)?.target
  return {
    sheets: shown.length > 0 ? shown : sheets,
    sharedTexts: partOf('sharedStrings'),
    dateStyles: await dateStylesOf(file, partOf('styles')),
    isFrom1904,
  }
}

export const isTrue = (value: string | undefined): boolean => value === '1' || value === 'true'

async function read(file: Package, part: string, handlers: XmlHandlers): Promise<void> {
  const bytes = file.read(part)
  if (!bytes) throw new Unreadable({ name: 'noWorkbook' })
  for await (const _piece of parseXml(bytes, handlers)) continue
}

interface Relation {
  id: string
  /** The last word of its type. */
  type: string
  /** The part that is meant. */
  target: string
}

async function relationsOf(file: Package, part: string, folder: string): Promise<Relation[]> {
  const relations: Relation[] = []
  await read(file, part, {
    open(name, { Id: id = '', Type: type = '', Target: target = '', TargetMode: mode }) {
      if (name !== 'Relationship' || mode === 'External') return
      relations.push({ id, type: type.replace(/^.*\//, ''), target: resolve(folder, target) })
      if (relations.length > mostSheets * 4) throw new Unreadable({ name: 'tooLarge' })
    },
  })
  return relations
}

const resolve = (folder: string, target: string) =>
  decodeURI(new URL(encodeURI(target), `zip:///${encodeURI(folder)}`).pathname).replace(/^\/+/, '')

/** Formats without a pattern in the file, by ECMA-376: dates and times, also of East Asia. */
const isKnownDate = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)

async function dateStylesOf(file: Package, part: string | undefined): Promise<Set<number>> {
  const dateFormats = new Set<string>()
  const styles = new Set<number>()
  const bytes = part && file.read(part)
  if (!bytes) return styles
  let isWithin = false
  let style = 0
  const parsed = parseXml(bytes, {
    open(name, { numFmtId = '', formatCode = '' }) {
      if (name === 'cellXfs') isWithin = true
      if (name === 'numFmt' && dateFormats.size < mostStyles && isDateFormat(formatCode))
        dateFormats.add(numFmtId)
      if (name !== 'xf' || !isWithin || style === mostStyles) return
      if (isKnownDate(Number(numFmtId)) || dateFormats.has(numFmtId)) styles.add(style)
      style++
    },
    close(name) {
      if (name === 'cellXfs') isWithin = false
    },
  })
  for await (const _piece of parsed) continue
  return styles
}

/** Whether a pattern has a part of a date outside of texts, colors and conditions. */
const isDateFormat = (pattern: string) =>
  /[dmyhs]/i.test(pattern.slice(0, 500).replaceAll(/"[^"]*"|\\.|\[(?!h+\]|m+\]|s+\])[^\]]*\]|_.|\*./gi, ''))
