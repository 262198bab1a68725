import { Check, Clock } from 'lucide-react'
import type { ReactNode } from 'react'
import { changesIn } from '#shared/audit/audit-changes.ts'
import type { AuditFilter, AuditLog, AuditPage } from '#shared/audit/audit-logs.ts'
import { fieldName, valueText } from '#shared/text/audit/field-texts.ts'
import { resourceTexts } from '#shared/audit/audit-actions.ts'
import { reasonOf, subjectOf } from '#shared/text/audit/sentences.ts'
import { longDevice } from '#shared/text/device-name.ts'
import { roleLabels } from '#shared/text/text.ts'
import type { ZonedDates } from '#shared/text/time/zoned-dates.ts'

interface DetailsProps {
  row: AuditLog
  chain: AuditPage['chain']
  dates: ZonedDates
  nameOf: (userId: unknown) => string
  onFilter: (filter: AuditFilter) => void
}

/** An opened row: what it was before and after, from where, and its place in the chain. */
export function AuditDetails({ row, chain, dates, nameOf, onFilter }: DetailsProps) {
  return (
    <div className="grid md:grid-cols-[minmax(0,1fr)_344px]">
      <div className="min-w-0 px-4 py-3 md:pl-26">
        <ChangeTable row={row} />
      </div>
      <Facts {...{ row, chain, dates, nameOf, onFilter }} />
    </div>
  )
}

const headLook = 'h-[30px] pr-3 text-left text-xs font-medium text-ink-2'
const cellLook = 'border-t border-line py-1.5 pr-3 align-top [overflow-wrap:anywhere] whitespace-pre-line'

const markLook = 'rounded-[4px] box-decoration-clone px-1.5 py-px'

function ChangeTable({ row }: { row: AuditLog }) {
  const changes = changesIn(row)
  if (row.isErased)
    return <p className="text-sm text-ink-2">Os dados pessoais deste registro foram apagados.</p>
  if (changes.length === 0) return <p className="text-sm text-ink-3">Sem valores de antes e depois.</p>
  return (
    <table className="w-full table-fixed border-collapse text-sm">
      <thead>
        <tr>
          <th scope="col" className={`${headLook} w-[34%]`}>
            {row.action.startsWith('permissions.') ? 'Permissão' : 'Campo'}
          </th>
          <th scope="col" className={headLook}>
            Antes
          </th>
          <th scope="col" className={headLook}>
            Depois
          </th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ field, before, after }) => (
          <tr key={field}>
            <th scope="row" className={`${cellLook} text-left font-normal`}>
              {fieldName(field)}
            </th>
            <td className={cellLook}>
              <del className={`${markLook} bg-red-soft text-red-text`}>{valueText(field, before)}</del>
            </td>
            <td className={cellLook}>
              <ins className={`${markLook} bg-green-soft text-green-text no-underline`}>
                {valueText(field, after)}
              </ins>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Facts({ row, chain, dates, nameOf, onFilter }: DetailsProps) {
  const { actor, address, device, sessionSince, resource } = row
  const reason = reasonOf(row)
  const call = row.details['call']
  return (
    <dl
      className={[
        'grid grid-cols-[84px_minmax(0,1fr)] content-start gap-x-2 gap-y-1.5',
        'border-line px-4 py-3 text-sm max-md:border-t md:border-l',
      ].join(' ')}
    >
      <Fact name="Pessoa">
        {subjectOf(row, nameOf)}
        {actor.role && `, ${roleLabels[actor.role]}`}
      </Fact>
      <Fact name="Endereço">
        {address === null ? (
          missing(row)
        ) : (
          <FilterLink onClick={() => onFilter({ address })} label={`Só deste endereço: ${address}`}>
            {address}
          </FilterLink>
        )}
      </Fact>
      <Fact name="Aparelho">
        <span title={device ?? undefined}>{device === null ? missing(row) : longDevice(device)}</span>
      </Fact>
      {sessionSince !== null && <Fact name="Sessão">desde {dates.dateTime(sessionSince)}</Fact>}
      {typeof call === 'string' ? (
        <Fact name="Chamada">
          <code className="font-mono text-xs">{call}</code>
        </Fact>
      ) : (
        <Fact name="Objeto">
          <ObjectLink resource={resource} onFilter={onFilter} />
        </Fact>
      )}
      {reason !== undefined && <Fact name="Motivo">{reason}</Fact>}
      {row.repeats > 1 && <Fact name="Vezes">{row.repeats.toLocaleString('pt-BR')} em um minuto</Fact>}
      <Fact name="Elo">
        <ChainLink row={row} chain={chain} dates={dates} />
      </Fact>
    </dl>
  )
}

const missing = (row: AuditLog) => <span className="text-ink-3">{row.isErased ? 'apagado' : 'não há'}</span>

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-3">{name}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere] tabular-nums">{children}</dd>
    </>
  )
}

function FilterLink({
  label,
  onClick,
  children,
}: {
  label: string
  onClick: () => void
  children: ReactNode
}) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={onClick}
      className="text-left font-medium text-accent-text hover:underline"
    >
      {children}
    </button>
  )
}

function ObjectLink({
  resource: { type, id, name },
  onFilter,
}: {
  resource: AuditLog['resource']
  onFilter: (filter: AuditFilter) => void
}) {
  const words = [resourceTexts[type].name, name ?? id].filter((word) => word !== null).join(': ')
  if (id === null) return words
  return (
    <FilterLink
      onClick={() => onFilter({ resourceType: type, resourceId: id })}
      label={`Só deste objeto: ${words}`}
    >
      {words}
    </FilterLink>
  )
}

function ChainLink({
  row: { position, hash },
  chain: { check },
  dates,
}: {
  row: AuditLog
  chain: AuditPage['chain']
  dates: ZonedDates
}) {
  if (position === null || hash === null)
    return (
      <span className="flex items-center gap-1 text-ink-2">
        <Clock size={12} aria-hidden className="flex-none" />
        Ainda fora da corrente
      </span>
    )
  const isChecked = check !== null && check.breaks === 0 && position <= check.position
  return (
    <>
      <code className="font-mono text-xs" title={hash}>
        {hash.slice(0, 4)} {hash.slice(4, 8)} … {hash.slice(-4)}
      </code>
      <span className="block text-xs text-ink-2">lugar {position.toLocaleString('pt-BR')} da corrente</span>
      {isChecked && (
        <span className="flex items-center gap-1 text-xs text-green-text">
          <Check size={12} aria-hidden className="flex-none" />
          conferido em {dates.dateTime(check.checkedAt)}
        </span>
      )}
    </>
  )
}
