import { KeyRound, type LucideIcon, Server } from 'lucide-react'
import type { ReactNode } from 'react'
import type { RestorePlan } from '#shared/maintenance/restore-plan.ts'
import type { ZonedDates } from '#shared/text/time/zoned-dates.ts'
import { counted, figure, listed, sizeText } from '#web/maintenance/words.ts'
import { cn } from '#web/ui/cn.ts'
import { linksText } from './links-text.ts'

const columns = [
  ['added', 'Novos'],
  ['changed', 'Mudam'],
  ['kept', 'Ficam'],
  ['erased', 'De fora'],
] as const

const headLook = [
  'h-8 px-1.5 text-right text-xs font-medium whitespace-nowrap text-ink-2',
  'first:pl-3 first:text-left last:pr-3',
].join(' ')

/** What a restore would change, of each kind of data that the backup has. */
export function PlanTable({ plan, dates }: { plan: RestorePlan; dates: ZonedDates }) {
  const { isOwn, madeAt, files, keysToType, links = [] } = plan
  const tables = plan.tables.filter(({ rows }) => rows > 0)
  const isChange = files.added > 0 || tables.some(({ added, changed }) => added + changed > 0)
  const hasErased = tables.some(({ erased }) => erased > 0)
  return (
    <>
      {!isOwn && (
        <Notice icon={Server}>
          Este backup é de outra instalação: pessoas e empresas são reconhecidas pelo telefone e pelo nome.
        </Notice>
      )}
      {keysToType.length > 0 && (
        <Notice icon={KeyRound}>Depois, digite de novo a chave de {listed(keysToType)}.</Notice>
      )}
      <p className="text-sm">
        {isChange
          ? `Nada mudou ainda. Os dados são de ${dates.dateTime(madeAt)}.`
          : 'Nada muda: tudo o que há no backup já está aqui.'}
      </p>
      {links.length > 0 && (
        <ul className="grid gap-1 text-sm">
          {links.map((link) => (
            <li key={link.table}>{linksText(link, isOwn)}</li>
          ))}
        </ul>
      )}
      {tables.length > 0 && (
        // Hidden instead of clipped, it would shrink where the dialog is low.
        <div className="overflow-clip rounded-card border border-line">
          <table aria-label="O que muda" className="w-full border-collapse text-sm">
            <thead className="bg-sunken">
              <tr>
                <th scope="col" className={headLook}>
                  Dados
                </th>
                {columns.map(([field, name]) => (
                  <th key={field} scope="col" className={headLook}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {tables.map((row) => (
                <tr key={row.table} className="border-t border-line">
                  <th
                    scope="row"
                    className="py-1.5 pr-1.5 pl-3 text-left font-normal [overflow-wrap:anywhere]"
                  >
                    {row.label}
                  </th>
                  {columns.map(([field]) => (
                    <td
                      key={field}
                      className={cn(
                        'px-1.5 py-1.5 text-right tabular-nums last:pr-3',
                        row[field] === 0 ? 'text-ink-3' : field !== 'kept' && 'font-medium',
                      )}
                    >
                      {figure(row[field])}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <p className="text-xs text-ink-2 tabular-nums">
        {filesText(files)}
        {hasErased && ' De fora: de pessoas anonimizadas, ou apagado de vez depois do backup.'}
      </p>
    </>
  )
}

function filesText({ rows, added, sizeBytes }: RestorePlan['files']): string {
  if (rows === 0) return 'Nenhum arquivo.'
  const all = counted(rows, 'arquivo no backup', 'arquivos no backup')
  return added === 0
    ? `${all}, nenhum a copiar.`
    : `${all}, ${figure(added)} a copiar (${sizeText(sizeBytes)}).`
}

function Notice({ icon: Icon, children }: { icon: LucideIcon; children: ReactNode }) {
  return (
    <p
      className={[
        'flex gap-2 rounded-control border border-amber-line bg-amber-soft px-3 py-2',
        'text-sm text-amber-text',
      ].join(' ')}
    >
      <Icon size={16} aria-hidden className="mt-px flex-none" />
      <span className="min-w-0 [overflow-wrap:anywhere]">{children}</span>
    </p>
  )
}
