import {
  type AuditAction,
  auditSentences,
  type DetailsOf,
  isAuditAction,
  type PersonalOf,
  resourceTexts,
} from '#shared/audit/audit-actions.ts'
import type { AuditLog } from '#shared/audit/audit-logs.ts'
import { errorTexts } from '#shared/text/error-texts.ts'
import type { Facts, Piece } from './telling.ts'

export type { Piece } from './telling.ts'

/** What somebody did, without the subject: `mudou o perfil de`, { Bruno }, ` de Operador para Supervisor`. */
export function predicateOf(row: AuditLog, nameOf: (userId: unknown) => string): Piece[] {
  const { action, resource } = row
  const about = resource.name === null ? resourceTexts[resource.type].gone : { name: resource.name }
  return isAuditAction(action) ? tell(action, row, about, nameOf) : [action]
}

function tell<Action extends AuditAction>(
  action: Action,
  row: AuditLog,
  about: Piece,
  nameOf: (userId: unknown) => string,
): Piece[] {
  // What `record` stored for the action, which checks it.
  const details = row.details as Partial<DetailsOf<Action>>
  const personal = row.personal as Partial<PersonalOf<Action>>
  const say: (facts: Facts<DetailsOf<Action>, PersonalOf<Action>>) => Piece[] = auditSentences[action]
  const pieces = [...say({ row, details, personal, about, nameOf }), ...byMacro(row)]
  return row.repeats > 1 && row.outcome === 'refused' ? [...pieces, `, ${row.repeats} vezes`] : pieces
}

/** Of an act of a macro that somebody ran. */
const byMacro = ({ action, details: { macro } }: AuditLog): string[] =>
  typeof macro === 'string' && action !== 'conversation.macro' ? [`, pela macro ‘${macro}’`] : []

const kindNames = { stranger: 'Sem login', command: 'Linha de comando', system: 'Sistema' } as const

/** Who acted, by the name of that time. */
export function subjectOf({ actor, isErased }: AuditLog, nameOf: (userId: unknown) => string): string {
  if (actor.kind !== 'person') return kindNames[actor.kind]
  return actor.name ?? (isErased ? 'Nome apagado' : nameOf(actor.id))
}

/** The whole sentence: 'Marina mudou o perfil de Bruno de Operador para Supervisor'. */
export function sentenceOf(row: AuditLog, nameOf: (userId: unknown) => string): string {
  const predicate = predicateOf(row, nameOf)
    .map((piece) => (typeof piece === 'string' ? piece : piece.name))
    .join('')
  if (row.actor.kind !== 'stranger') return `${subjectOf(row, nameOf)} ${predicate}`
  const words = `${predicate.charAt(0).toUpperCase()}${predicate.slice(1)}`
  return row.address === null ? words : `${words} (${row.address})`
}

/** Why something was refused; undefined for what was done. */
export function reasonOf(row: AuditLog): string | undefined {
  const { reason } = row.details
  if (row.outcome === 'done' || typeof reason !== 'string') return undefined
  return Object.hasOwn(errorTexts, reason) ? errorTexts[reason as keyof typeof errorTexts] : reason
}
