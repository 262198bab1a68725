import { Link2, TriangleAlert } from 'lucide-react'
import type { AuditPage } from '#shared/audit/audit-logs.ts'
import { faultText, isFaultKind } from '#shared/text/audit/fault-texts.ts'
import type { ZonedDates } from '#shared/text/time/zoned-dates.ts'

type Chain = AuditPage['chain']

const counted = (rows: number, one: string, many: string) =>
  `${rows.toLocaleString('pt-BR')} ${rows === 1 ? one : many}`

/** How many rows the chain has, and whether the last check found them as they were. */
export function ChainState({ chain, dates }: { chain: Chain; dates: ZonedDates }) {
  const { position, check } = chain
  if (check && check.breaks > 0) return null
  return (
    <p
      title="Cada registro guarda o resumo do anterior"
      className={[
        'flex items-center gap-1.5 text-sm tabular-nums max-md:w-full max-md:items-start',
        check ? 'text-green-text' : 'text-ink-2',
      ].join(' ')}
    >
      <Link2 size={16} aria-hidden className="flex-none" />
      <span>
        {check
          ? counted(check.position, 'registro íntegro', 'registros íntegros')
          : counted(position, 'registro na corrente', 'registros na corrente')}
        ,{' '}
        <span className="max-md:block">
          {check ? `conferidos em ${dates.dateTime(check.checkedAt)}` : 'ainda não conferidos'}
        </span>
      </span>
    </p>
  )
}

/** As much room as its words take, until they are known: two lines of their own on a narrow screen. */
export const ChainStatePlace = () => (
  <p
    aria-hidden
    className={[
      'pl-[22px] text-sm tabular-nums before:invisible max-md:h-[2lh] max-md:w-full max-md:overflow-hidden',
      "before:content-['000_registros_na_corrente,_ainda_não_conferidos']",
    ].join(' ')}
  />
)

/** Says where the chain is broken, and what to do. */
export function BrokenChain({ check, dates }: { check: NonNullable<Chain['check']>; dates: ZonedDates }) {
  const { firstPosition, firstFault, breaks } = check
  const kind = firstFault !== null && isFaultKind(firstFault) ? firstFault : 'changed'
  return (
    <div
      role="alert"
      className={[
        'mb-3 flex gap-2.5 rounded-control border border-red-line bg-red-soft',
        'px-3 py-2.5 text-sm text-red-text',
      ].join(' ')}
    >
      <TriangleAlert size={16} aria-hidden className="mt-px flex-none" />
      <div>
        <p className="font-semibold">{faultText(kind, firstPosition ?? 0)}.</p>
        <p>
          Alguém mexeu na tabela fora do Balcão
          {breaks > 1 && `, em ${breaks.toLocaleString('pt-BR')} lugares`}. Visto em{' '}
          {dates.dateTime(check.checkedAt)}. Guarde um backup antes de mexer e rode{' '}
          <code className="font-mono text-xs">npm run admin -- audit-verify</code>.
        </p>
      </div>
    </div>
  )
}
