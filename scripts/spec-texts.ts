import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { shownStrings } from './shown-strings.ts'

/** A literal text of the specification; `pattern` finds it if it contains values. */
interface SpecText {
  text: string
  section: string
  pattern?: string
}

/** The content of `e2e/spec-texts.json`: all texts, and those whose screens do not exist yet. */
export interface SpecTexts {
  texts: SpecText[]
  notYet: string[]
}

/** Differences between the specification's texts, the product and its browser tests. */
interface SpecTextFaults {
  /** Texts that no file of the product shows. */
  notShown: SpecText[]
  /** Texts that no browser test looks for. */
  notAsserted: SpecText[]
  /** Entries of `notYet` that are both shown and asserted, and must be removed from it. */
  doneAlready: string[]
  /** Entries of `notYet` that are not in the specification, and duplicate texts. */
  unknown: string[]
}

function appearsIn(strings: Set<string>, { text, pattern }: SpecText): boolean {
  if (!pattern) return strings.has(text)
  const regex = new RegExp(pattern, 'u')
  return strings.has(text) || strings.values().some((string) => regex.test(string))
}

/** Compares the specification's texts with those that the product shows and its browser tests look for. */
export function findSpecTextFaults(
  spec: SpecTexts,
  shown: Set<string>,
  asserted: Set<string>,
): SpecTextFaults {
  const notYet = new Set(spec.notYet)
  const due = spec.texts.filter(({ text }) => !notYet.has(text))
  const waiting = spec.texts.filter(({ text }) => notYet.has(text))
  const known = new Set(spec.texts.map(({ text }) => text))
  return {
    notShown: due.filter((entry) => !appearsIn(shown, entry)),
    notAsserted: due.filter((entry) => !appearsIn(asserted, entry)),
    doneAlready: waiting
      .filter((entry) => appearsIn(shown, entry) && appearsIn(asserted, entry))
      .map(({ text }) => text),
    unknown: [
      ...spec.notYet.filter((text) => !known.has(text)),
      ...spec.texts.map(({ text }) => text).filter((text, index, all) => all.indexOf(text) !== index),
    ],
  }
}

function stringsOf(root: string, patterns: string[], isWanted: (path: string) => boolean): Set<string> {
  const paths = globSync(patterns, { cwd: root }).filter(isWanted)
  return new Set(paths.flatMap((path) => [...shownStrings(path, readFileSync(join(root, path), 'utf8'))]))
}

/** Reads the specification's texts, the sources and the browser tests under `root`, and compares them. */
function checkSpecTexts(root: string): SpecTextFaults & { count: number; waiting: number } {
  const spec = JSON.parse(readFileSync(join(root, 'e2e/spec-texts.json'), 'utf8')) as SpecTexts
  // The texts of the simulator and of the demonstration are not those of the specification.
  const isProduct = (path: string) =>
    !/\.test\.tsx?$|\.d\.ts$|^src\/simulator\/|^src\/server\/demo/.test(path)
  const shown = stringsOf(root, ['src/**/*.{ts,tsx}'], isProduct)
  const asserted = stringsOf(root, ['e2e/**/*.test.ts'], (path) => !path.includes('simulador'))
  const faults = findSpecTextFaults(spec, shown, asserted)
  return { ...faults, count: spec.texts.length, waiting: spec.notYet.length }
}

function printList(title: string, lines: string[]): void {
  if (lines.length > 0)
    console.log(`\n${title} (${lines.length})\n${lines.map((line) => `  ${line}`).join('\n')}`)
}

if (import.meta.main) {
  const { count, waiting, ...faults } = checkSpecTexts(join(import.meta.dirname, '..'))
  const withSection = ({ text, section }: SpecText) => `§${section}: ${text}`
  printList('Shown by no file under src/', faults.notShown.map(withSection))
  printList('Asserted by no browser test under e2e/', faults.notAsserted.map(withSection))
  printList('Shown and asserted, so no longer notYet in e2e/spec-texts.json', faults.doneAlready)
  printList('No single text of the list', faults.unknown)
  const total = Object.values(faults).reduce((sum, list) => sum + list.length, 0)
  console.log(`\n${count} texts, ${waiting} of them not yet due: ${total} faults`)
  process.exitCode = total > 0 ? 1 : 0
}
