import { pathToFileURL } from 'node:url'
import { plantSource, type SourceFault } from '../support/plant-source.ts'

// Faults that are planted to see that the proof finds them, in a source as the programs load it.

const faults: Readonly<Record<string, SourceFault>> = {
  /** A client's answer cancels nothing. */
  answers: {
    file: 'server/conversations/incoming/facts.ts',
    from: 'hasScheduled: exists(withScheduled(sql`a."contactId"`, sql`a."instanceId"`)),',
    to: 'hasScheduled: sql<boolean>`false`,',
  },
  /** What is due is sent whatever the hour. */
  hours: {
    file: 'server/conversations/scheduled-sending/send.ts',
    from: 'if (opening <= now) return true',
    to: 'return true',
  },
  /** The schedule ends in a transaction of its own, after that of the message. */
  apart: {
    file: 'server/conversations/scheduled-sending/send.ts',
    from: 'await endScheduled(db, row, {',
    to: 'if (row.id % 3 > 0) await endScheduled(db, row, {',
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
