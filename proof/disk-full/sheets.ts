import { setTimeout as sleep } from 'node:timers/promises'
import { writeXlsx } from 'hucre/xlsx'
import type { ContactImport } from '#shared/contacts/contact-imports.ts'
import type { Random } from '#simulator/random.ts'
import { type Directory, makeDirectory } from '../import/people.ts'
import { ask, insist, type Place } from './place.ts'

const rowCount = 400

/** A file of contacts with numbers that no other one has, and its rows that are contacts. */
export interface Sheet {
  name: string
  bytes: Uint8Array
  contacts: number
}

/** @param n by which its numbers and its form are told: an odd one is a spreadsheet, an even one is CSV */
export async function makeSheet(random: Random, n: number): Promise<Sheet> {
  // Each area code has room for several files of its own.
  const { csv, expected }: Directory = makeDirectory(random, rowCount, 11 + n)
  const contacts = expected.length
  if (n % 2 === 0) return { name: `contatos ${n}.csv`, bytes: csv, contacts }
  const rows = csv
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split(';'))
  return {
    name: `contatos ${n}.xlsx`,
    bytes: await writeXlsx({ sheets: [{ name: 'Contatos', rows }] }),
    contacts,
  }
}

const path = (id: number, act = '') => `/api/contacts/imports/${id}${act}`

/** Uploads a file and begins its import. @returns its id; undefined when one of both is refused */
export async function beginSheet(place: Place, { name, bytes }: Sheet): Promise<number | undefined> {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(bytes)]), name)
  const uploaded = await ask<ContactImport>(place, 'POST', '/api/contacts/import', form)
  if (!uploaded.isOk) return undefined
  const { id, mapping } = uploaded.body
  const started = await ask(place, 'POST', path(id, '/start'), { mapping, known: 'update' })
  return started.isOk ? id : undefined
}

/** Brings an import to its end, now that there is space. @returns what is wrong with it */
export async function finishSheet(place: Place, sheet: Sheet, begun: number | undefined): Promise<string[]> {
  const id = begun ?? (await beginSheet(place, sheet))
  if (id === undefined) return [`${sheet.name} is refused though there is space`]
  const deadline = performance.now() + 60_000
  while (performance.now() < deadline) {
    const job = await insist<ContactImport>(place, 'GET', path(id))
    if (job.state === 'failed') await ask(place, 'POST', path(id, '/continue'))
    if (job.state === 'done')
      return job.created === sheet.contacts
        ? []
        : [`of ${sheet.contacts} contacts of ${sheet.name} ${job.created} were created`]
    await sleep(100)
  }
  return [`${sheet.name} does not come to its end`]
}
