import { formatPhone } from '#shared/text/phone.ts'
import {
  listWrongCompanyPhones,
  mendCompanyPhone,
  undoCompanyMending,
  type WrongCompanyPhone,
} from '#server/companies/companies.ts'
import { mendPhone, undoMending, type WrongPhone, wrongPhones } from '#server/contacts/contacts.ts'
import { notifyContactsChanged } from '#server/conversations/conversations.ts'
import type { Database } from '#server/platform/database/db.ts'
import { tableOf } from './account-table.ts'
import { cancelled, CommandError } from './command-error.ts'
import { count } from './maintenance/long-work.ts'
import type { Terminal } from './terminal.ts'

/** What is asked of the stored telephones. */
export interface PhonesRequest {
  isApplying: boolean
  isUndoing: boolean
}

interface Watching {
  terminal: Terminal
  stopRequested: () => boolean
}

/** A finding as it is shown. */
interface Line {
  whose: string
  name: string
  phone: string
  to?: string | undefined
  problem?: string | undefined
}

/**
 * Prints the stored telephones that nobody could enter now, or only in another form; mends those that can be
 * mended, or takes that back.
 * @throws CommandError when some are left for a person
 */
export async function mendPhones(
  database: Database,
  { isApplying, isUndoing }: PhonesRequest,
  { terminal, stopRequested }: Watching,
): Promise<void> {
  if (isUndoing) return undo(database, terminal)
  const lines: Line[] = []
  const counts = { mended: 0, left: 0 }
  const note = (line: Line) => {
    counts[line.to !== undefined && line.problem === undefined ? 'mended' : 'left'] += 1
    lines.push(line)
  }
  for await (const found of wrongPhones(database)) {
    if (stopRequested()) throw cancelledAfter(isApplying ? counts.mended : 0)
    note(lineOf(found, isApplying ? await mended(database, found) : found.problem))
  }
  for (const found of await listWrongCompanyPhones(database))
    note(lineOfCompany(found, isApplying ? await mendedCompany(database, found) : found.problem))
  if (lines.length > 0) terminal.print(tableOf([head, ...lines.map((line) => cellsOf(line, isApplying))]))
  terminal.print(summaryOf(counts, isApplying))
  if (counts.left > 0 || (counts.mended > 0 && !isApplying))
    throw new CommandError(
      isApplying
        ? `${count(counts.left, 'telefone ficou', 'telefones ficaram')} para alguém ver.`
        : `${count(lines.length, 'telefone', 'telefones')} a ver. Nada foi mudado.`,
    )
}

const head = ['De quem', 'Nome', 'Guardado', 'Vira', 'Situação']

const cellsOf = ({ whose, name, phone, to, problem }: Line, isApplying: boolean): string[] => [
  whose,
  name,
  phone,
  to ?? '-',
  problem ?? (isApplying ? 'corrigido' : 'pode ser corrigido'),
]

function summaryOf({ mended: done, left }: { mended: number; left: number }, isApplying: boolean): string {
  if (done + left === 0) return 'Nenhum telefone a corrigir.'
  const rest = `${count(left, 'fica', 'ficam')} para alguém ver`
  const mendable = count(done, 'telefone pode ser corrigido', 'telefones podem ser corrigidos')
  if (!isApplying) return `${mendable} com --apply; ${rest}.`
  const corrected = count(done, 'telefone corrigido', 'telefones corrigidos')
  return `${corrected}; ${rest}. Até um dia depois, npm run admin -- phones --undo desfaz.`
}

const lineOf = ({ stored, to }: WrongPhone, problem: string | undefined): Line => ({
  whose: `contato ${stored.contactId}`,
  name: stored.name,
  phone: stored.phone,
  to: to === undefined ? undefined : formatPhone(to),
  problem,
})

const lineOfCompany = ({ id, name, phone, to }: WrongCompanyPhone, problem: string | undefined): Line => ({
  whose: `empresa ${id}`,
  name,
  phone,
  to: to === undefined || to.includes('-') ? to : formatPhone(to),
  problem,
})

/** @returns why not */
async function mended(database: Database, { stored, to, problem }: WrongPhone): Promise<string | undefined> {
  return to === undefined || problem !== undefined
    ? problem
    : mendPhone(database, { stored, to }, notifyContactsChanged)
}

async function mendedCompany(database: Database, found: WrongCompanyPhone): Promise<string | undefined> {
  const { id, phone, to, problem } = found
  return to === undefined ? problem : mendCompanyPhone(database, { id, phone, to })
}

const cancelledAfter = (done: number) =>
  done === 0
    ? cancelled()
    : new CommandError(`Parado depois de ${count(done, 'telefone', 'telefones')}: o resto ficou.`, 130)

async function undo(database: Database, terminal: Terminal): Promise<void> {
  const [ofContacts, ofCompanies] = [
    await undoMending(database, notifyContactsChanged),
    await undoCompanyMending(database),
  ]
  const undone = ofContacts.undone + ofCompanies.undone
  const left = ofContacts.left + ofCompanies.left
  terminal.print(
    undone + left === 0
      ? 'Nada a desfazer: nenhum telefone foi corrigido no último dia.'
      : `${count(undone, 'telefone voltou', 'telefones voltaram')} ao que era antes` +
          (left > 0 ? `; ${count(left, 'mudou depois e ficou', 'mudaram depois e ficaram')}.` : '.'),
  )
}
