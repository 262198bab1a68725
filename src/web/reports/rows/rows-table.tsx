import { Link } from 'wouter'
import { defaultCategoryColor } from '#shared/contacts/contact-categories.ts'
import { type Figure, isTimeFigure } from '#shared/reports/figures.ts'
import type { ReportRow, RowOrder } from '#shared/reports/report-parts.ts'
import { situation } from '#shared/text/reports/report-texts.ts'
import { categoryLabel, unknownContact } from '#shared/text/text.ts'
import type { ZonedDates } from '#shared/text/time/zoned-dates.ts'
import { meanTimeText, outsideHours } from '#shared/text/time/mean-time.ts'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { Badge } from '#web/ui/badges/badge.tsx'
import { CategoryBadge } from '#web/ui/badges/category-badge.tsx'
import { Stars } from '#web/ui/badges/stars.tsx'
import { cn } from '#web/ui/cn.ts'
import { RichText } from '#web/ui/rich-text/rich-text.tsx'
import { count } from '#web/reports/asked/words.ts'
import { wholeOnPaper } from '#web/reports/cards/looks.ts'
import { SortButton } from '#web/reports/cards/sort-button.tsx'

const headLook =
  'h-[34px] px-2 text-left text-xs font-medium whitespace-nowrap text-ink-2 first:pl-4 last:pr-4'
const cellLook = 'px-2 first:pl-4 last:pr-4'
/** On a small screen this stands below the name. */
const onlyWide = 'max-md:hidden'

const timeFields = {
  first_reply: ['openFirstReplyMs', 'firstReplyMs'],
  queue: ['openQueueMs', 'queueMs'],
  handling: ['openHandlingMs', 'handlingMs'],
} as const

/** Conversations of a report, with what the listed figure says of each. */
export function RowsTable({
  rows,
  figure,
  order,
  dates,
  onSort,
}: {
  rows: readonly ReportRow[]
  figure: Figure
  order: RowOrder
  dates: ZonedDates
  onSort: (order: RowOrder) => void
}) {
  const head = (name: string, by: RowOrder | undefined, look = '') => (
    <th
      scope="col"
      className={cn(headLook, look)}
      aria-sort={by === undefined ? undefined : by === order ? 'descending' : 'none'}
    >
      {by === undefined ? (
        name
      ) : (
        <SortButton title={name} sorted={by === order ? 'descending' : undefined} onSort={() => onSort(by)} />
      )}
    </th>
  )
  const isRated = figure === 'rated' || figure === 'commented'
  const isTime = isTimeFigure(figure)
  return (
    <table className="w-full border-collapse text-sm">
      <thead className="bg-sunken">
        <tr>
          {head('Contato', undefined)}
          {head('Operador', undefined, onlyWide)}
          {head('Categoria', undefined, onlyWide)}
          {head('Chegou', 'recent', onlyWide)}
          {isTime ? (
            <>
              {head('No expediente', 'open', 'text-right')}
              {head('No relógio', 'clock', 'text-right')}
            </>
          ) : isRated ? (
            <>
              {head('Nota', 'stars')}
              {head('Comentário', undefined)}
            </>
          ) : (
            <>
              {head('Situação', undefined)}
              {head('Mensagens', undefined, 'text-right')}
            </>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const name = row.contactName || unknownContact
          return (
            <tr key={row.id} className="relative h-11 border-t border-line hover:bg-hover">
              <th scope="row" className={`${cellLook} text-left font-medium`}>
                <Link
                  href={addressOf(row)}
                  className={[
                    'flex items-center gap-2 after:absolute after:inset-0',
                    'focus-visible:after:outline-2',
                  ].join(' ')}
                >
                  <Avatar name={name} src={row.avatarUrl} size={24} className="max-md:hidden" />
                  <span className="grid min-w-0 py-1">
                    <span className={`max-w-48 truncate ${wholeOnPaper}`} title={name} dir="auto">
                      {name}
                    </span>
                    <span className="text-xs font-normal text-ink-3 tabular-nums md:hidden">
                      {dates.dateTime(row.startedAt)}
                    </span>
                  </span>
                </Link>
              </th>
              <td className={cn(cellLook, onlyWide)}>
                <span
                  className={`block max-w-36 truncate ${wholeOnPaper}`}
                  title={row.operatorName ?? undefined}
                  dir="auto"
                >
                  {row.operatorName ?? <span className="text-ink-3">–</span>}
                </span>
              </td>
              <td className={cn(cellLook, onlyWide)}>
                <CategoryBadge
                  color={row.categoryColor ?? defaultCategoryColor}
                  className="max-w-32 align-middle"
                >
                  {categoryLabel(row.category)}
                </CategoryBadge>
              </td>
              <td className={cn(cellLook, onlyWide, 'whitespace-nowrap tabular-nums')}>
                {dates.dateTime(row.startedAt)}
              </td>
              {isTime ? (
                timeFields[figure].map((field, at) => (
                  <td
                    key={field}
                    className={cn(
                      cellLook,
                      'text-right whitespace-nowrap tabular-nums',
                      (order === 'clock') === (at === 1) ? 'font-semibold' : 'text-ink-2',
                    )}
                  >
                    {row[field] === null && row[timeFields[figure][1]] !== null ? (
                      <Outside />
                    ) : (
                      meanTimeText(row[field])
                    )}
                  </td>
                ))
              ) : isRated ? (
                <>
                  <td className={cellLook}>
                    {row.satisfaction !== null && <Stars value={row.satisfaction} />}
                  </td>
                  <td className={`${cellLook} max-w-80 py-1.5 text-ink-2`}>
                    {row.feedback ? <RichText text={row.feedback} /> : '–'}
                  </td>
                </>
              ) : (
                <>
                  <td className={cellLook}>
                    <Situation row={row} />
                  </td>
                  <td className={`${cellLook} text-right tabular-nums`}>{count(row.messageCount)}</td>
                </>
              )}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

/** In place of a time in hours of work. */
function Outside() {
  return (
    <span className="font-normal text-ink-3">
      <span aria-hidden className="md:hidden">
        --
      </span>
      <span className="max-md:sr-only">{outsideHours}</span>
    </span>
  )
}

function Situation({ row }: { row: ReportRow }) {
  const tone = row.status === 'completed' ? 'neutral' : row.isQueued ? 'orange' : 'amber'
  return (
    <Badge tone={row.status !== 'completed' && row.waitingFor === 'client' ? 'plain' : tone}>
      {row.endedBy === 'inactivity' ? 'Encerrada por inatividade' : situation(row)}
    </Badge>
  )
}

const addressOf = ({ id, status }: ReportRow) =>
  status === 'completed' ? `/conversas-arquivadas/${id}` : `/chat?conversation=${id}`
