import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { MissingProgram } from '../support/scenario.ts'

const executables = ['/usr/bin/soffice', '/usr/bin/libreoffice', '/usr/lib/libreoffice/program/soffice']

/** LibreOffice without a screen, with a profile of its own. */
export interface Office {
  /** Opens a file and saves it as `to`, such as `fods` or `csv:filter:options`. @returns the bytes of that */
  convert(file: { name: string; bytes: Buffer }, to: string, infilter?: string): Buffer
}

/** @throws MissingProgram if LibreOffice is not installed */
export function openOffice(folder: string): Office {
  const soffice = executables.find((path) => existsSync(path))
  if (soffice === undefined)
    throw new MissingProgram('LibreOffice is not installed (Debian: apt install libreoffice-calc-nogui)')
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`
  return {
    convert({ name, bytes }, to, infilter) {
      const source = join(folder, name)
      const converted = join(folder, 'converted')
      writeFileSync(source, bytes)
      const reading = infilter === undefined ? [] : [`--infilter=${infilter}`]
      const args = [profile, '--headless', ...reading, '--convert-to', to, '--outdir', converted, source]
      const { status, stdout, stderr } = spawnSync(soffice, args, { encoding: 'utf8', timeout: 120_000 })
      if (status !== 0) throw new Error(`soffice ${args.join(' ')}: ${status} ${stdout}${stderr}`)
      const [extension = ''] = to.split(':')
      return readFileSync(join(converted, `${basename(name, extname(name))}.${extension}`))
    },
  }
}

/** The formulas of a spreadsheet in flat XML. */
export const formulasIn = (sheet: Buffer): string[] =>
  [...sheet.toString('utf8').matchAll(/ table:formula="([^"]*)"/g)].map(([, formula = '']) => formula)

/** How many cells of a spreadsheet in flat XML have a content. */
export const cellsIn = (sheet: Buffer): number =>
  [...sheet.toString('utf8').matchAll(/<table:table-cell[^>]* office:value-type=/g)].length

/**
 * The filter by which LibreOffice reads or writes CSV: separator, quotation mark, character set, first line.
 * @see https://help.libreoffice.org/latest/en-US/text/shared/guide/csv_params.html
 */
export function csvFilter(separator: ';' | ',', encoding: 'utf-8' | 'windows-1252'): string {
  const characterSet = encoding === 'utf-8' ? 76 : 1
  return `Text - txt - csv (StarCalc):${separator.charCodeAt(0)},34,${characterSet},1`
}
