import { pathToFileURL } from 'node:url'
import { plantSource, type SourceFault } from '../support/plant-source.ts'

// Faults that are planted to see that the proof finds them, in a source as the programs load it.

const faults: Readonly<Record<string, SourceFault>> = {
  /** Each statement is committed by itself. */
  apart: {
    file: 'server/conversations/macros/run.ts',
    from: 'inTransaction(database, (db) => runLocked(',
    to:
      'Promise.resolve(Object.assign(Object.create(database), { emit() {}, signal() {} }))' +
      '.then((db) => runLocked(',
  },
  /** A repeated call runs it again. */
  repeats: {
    file: 'server/conversations/macros/run.ts',
    from: 'if (!row) return undefined\n  if (row.userId',
    to: 'return undefined\n  if (row.userId',
  },
  /** What has happened since the person looked is not asked. */
  unseen: {
    file: 'server/conversations/macros/run.ts',
    from: 'const isOther = newest !== undefined && newest !== lastEntryId',
    to: 'const isOther = newest === null',
  },
}

/** The environment in which a program loads its sources with the fault. */
export function plantEnv(name: string): Record<string, string> {
  if (name === '') return {}
  if (!(name in faults)) throw new Error(`there is no fault '${name}': ${Object.keys(faults).join(', ')}`)
  return { NODE_OPTIONS: `--import ${pathToFileURL(import.meta.filename).href}`, PLANTED_FAULT: name }
}

const planted = faults[process.env['PLANTED_FAULT'] ?? '']
if (planted) plantSource(planted)
