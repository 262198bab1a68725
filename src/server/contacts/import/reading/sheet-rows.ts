import { type KeptRow, lastRow, longestCell, mostColumns } from './kept-rows.ts'
import type { Package } from './package.ts'
import { Unreadable } from './refusal.ts'
import { type SharedTexts, textOfItem, unescaped } from './shared-texts.ts'
import { isTrue, type WorkbookParts } from './workbook-parts.ts'
import { parseXml } from './xml.ts'

/** The last that a spreadsheet can have. */
const lastColumn = 16_384
/** Of all sheets together. */
const mostCells = 20_000_000

export interface SheetContext extends Pick<WorkbookParts, 'dateStyles' | 'isFrom1904'> {
  texts: SharedTexts
  /** How many cells may still be read. */
  cells: { left: number }
}

export const cellBudget = (): SheetContext['cells'] => ({ left: mostCells })

/**
 * The rows of a sheet that have a value, in their order.
 * @param sheet its number, which the rows get
 * @throws Unreadable
 */
export async function* rowsOfSheet(
  file: Package,
  part: string,
  sheet: number,
  context: SheetContext,
): AsyncGenerator<KeptRow> {
  const bytes = file.read(part)
  if (!bytes) throw new Unreadable({ name: 'noWorkbook' })
  let ready: KeptRow[] = []
  let row: KeptRow = { sheet, line: 0, isHidden: false, cells: [] }
  let column = 0
  let cell = { type: 'n', style: 0 }
  let value = ''
  let isValue = false
  const inline = textOfItem()
  const finish = () => {
    if (column > mostColumns) return inline.take()
    const text = cell.type === 'inlineStr' ? inline.take() : valueOf(value, cell, context)
    if (text.trim() === '') return text
    while (row.cells.length < column - 1) row.cells.push('')
    row.cells[column - 1] = text.replaceAll('\0', '').toWellFormed()
    return text
  }
  const parsed = parseXml(bytes, {
    open(name, { r: place, t: type = 'n', s: style = '0', hidden }) {
      if (name === 'row') {
        const line = place === undefined ? row.line + 1 : Number(place)
        if (!Number.isInteger(line) || line <= row.line || line > lastRow)
          throw new Unreadable({ name: 'rowsOutOfOrder' })
        row = { sheet, line, isHidden: isTrue(hidden), cells: [] }
        column = 0
      } else if (name === 'c') {
        if (context.cells.left-- === 0) throw new Unreadable({ name: 'tooLarge' })
        column = place === undefined ? column + 1 : columnOf(place)
        if (column < 1 || column > lastColumn) throw new Unreadable({ name: 'noWorkbook' })
        cell = { type, style: Number(style) }
        value = ''
      } else if (name === 'v') isValue = true
      else inline.open(name)
    },
    text(text) {
      if (isValue && value.length < longestCell) value += text
      else inline.text(text)
    },
    close(name) {
      if (name === 'v') isValue = false
      else if (name === 'c') finish()
      else if (name === 'row') {
        if (row.cells.length > 0) ready.push(row)
      } else inline.close(name)
    },
  })
  for await (const _piece of parsed) {
    yield* ready
    ready = []
  }
}

/** Of 'AB12' the 28; 0 for what is no place. */
function columnOf(place: string): number {
  let column = 0
  for (let at = 0; at < 4; at++) {
    const letter = place.charCodeAt(at) - 64
    if (!(letter >= 1 && letter <= 26)) break
    column = column * 26 + letter
  }
  return column
}

/** What a cell says. An error, such as `#DIV/0!`, says nothing. */
function valueOf(
  value: string,
  { type, style }: { type: string; style: number },
  { texts, dateStyles, isFrom1904 }: SheetContext,
): string {
  if (value === '' || type === 'e') return ''
  if (type === 's') return texts.get(Number(value))
  if (type === 'b') return isTrue(value) ? 'Sim' : 'Não'
  if (type === 'd') return value.slice(0, 10)
  const number = Number(value)
  if (type === 'str' || !Number.isFinite(number)) return unescaped(value).slice(0, longestCell)
  return dateStyles.has(style) ? dateOf(number, isFrom1904) : String(number)
}

const dayMs = 86_400_000
/** The day 0 of a spreadsheet, and that of one that counts from 1904. */
const dayZero = Date.UTC(1899, 11, 30)
const dayZero1904 = Date.UTC(1904, 0, 1)

/** A day as 2026-03-01, or of less than a day the time as 08:30. */
function dateOf(days: number, isFrom1904: boolean): string {
  const at = new Date((isFrom1904 ? dayZero1904 : dayZero) + Math.round(days * dayMs))
  if (Number.isNaN(at.getTime())) return String(days)
  const text = at.toISOString()
  return days > 0 && days < 1 ? text.slice(11, 16) : text.slice(0, 10)
}
