import { ChevronDown } from 'lucide-react'
import { Fragment, type ReactNode, useState } from 'react'
import type { ZonedDates } from '#shared/text/time/zoned-dates.ts'
import type { Timesheet } from '#shared/workday/timesheets.ts'
import { useMediaQuery } from '#web/platform/browser/media-query.ts'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { cn } from '#web/ui/cn.ts'
import { DayBar, type Hours, hoursOf, marksOf } from './day-bar.tsx'
import { type Behind, DayRows } from './day-rows.tsx'
import { type PersonSheets, productive, type Sums } from './sums.ts'
import { anHour, shortDay, spanText, weekdayOf } from './words.ts'

const headLook = 'px-2 text-right text-xs font-medium text-ink-2 whitespace-nowrap'

/** Each person's working days, each figure of which opens its rows. */
export function PeopleTable({
  people,
  isOneDay,
  dates,
  mayCorrect,
}: {
  people: readonly PersonSheets[]
  isOneDay: boolean
  dates: ZonedDates
  /** Whether the working days of a person may be corrected. */
  mayCorrect: (userId: number) => boolean
}) {
  const isWide = useMediaQuery('(min-width: 64rem)')
  const [opened, setOpened] = useState<{ userId: number; day: string | undefined; behind: Behind }>()
  const hourOf = (instant: string) => {
    const [hour = 0, minute = 0, second = 0] = dates.time(instant).split(':').map(Number)
    return hour + minute / 60 + second / 3600
  }
  const hours = hoursOf(
    people.flatMap(({ sheets }) => sheets),
    hourOf,
  )
  const isOpened = (userId: number, day: string | undefined, behind: Behind) =>
    opened?.userId === userId && opened.day === day && opened.behind === behind
  const open = (userId: number, day: string | undefined, behind: Behind) =>
    setOpened(isOpened(userId, day, behind) ? undefined : { userId, day, behind })
  const row = (person: PersonSheets, sheet: Timesheet, label: ReactNode) => {
    const { userId, name } = person
    const shown = opened?.userId === userId && opened.day === sheet.day ? opened.behind : undefined
    return (
      <Fragment key={`${userId} ${sheet.day}`}>
        <SheetRow
          label={label}
          name={`${name}, ${shortDay(sheet.day)}`}
          sums={sheet}
          sheet={sheet}
          hours={hours}
          hourOf={hourOf}
          dates={dates}
          isWide={isWide}
          shown={shown}
          onOpen={(behind) => open(userId, sheet.day, behind)}
        />
        {shown && (
          <tr>
            <td colSpan={isWide ? 10 : 4} className="border-t border-line bg-sunken px-4 py-3">
              <DayRows
                behind={shown}
                userId={userId}
                name={name}
                day={sheet.day}
                dates={dates}
                mayCorrect={mayCorrect(userId)}
              />
            </td>
          </tr>
        )}
      </Fragment>
    )
  }
  return (
    <div className="overflow-x-auto">
      <table className="w-full border-collapse text-sm tabular-nums">
        <thead>
          <tr className="h-[34px] bg-sunken">
            <th scope="col" className={cn(headLook, 'pl-4 text-left')}>
              Pessoa
            </th>
            {isWide && (
              <>
                <th scope="col" className={cn(headLook, 'text-left')}>
                  Entrou
                </th>
                <th scope="col" className={cn(headLook, 'text-left')}>
                  Saiu
                </th>
                <th scope="col" className={cn(headLook, 'w-56 text-left xl:w-72')}>
                  {isOneDay ? <Scale hours={hours} /> : 'Dias'}
                </th>
              </>
            )}
            <th scope="col" className={headLook}>
              Disponível
            </th>
            <th scope="col" className={headLook}>
              Pausas
            </th>
            <th scope="col" className={cn(headLook, !isWide && 'pr-4')}>
              Limite
            </th>
            {isWide && (
              <>
                <th scope="col" className={headLook} title="Assumidas por hora produtiva">
                  Assum./h
                </th>
                <th scope="col" className={headLook} title="Respondidas por hora produtiva">
                  Resp./h
                </th>
                <th scope="col" className={cn(headLook, 'pr-4')} title="Finalizadas por hora produtiva">
                  Final./h
                </th>
              </>
            )}
          </tr>
        </thead>
        <tbody>
          {people.map((person) => {
            const { userId, name, pictureUrl, sheets, sums } = person
            const who = (
              <span className="flex min-w-0 items-center gap-2">
                {isWide && <Avatar name={name} src={pictureUrl} size={24} />}
                <span className="min-w-0 truncate" title={name} dir="auto">
                  {name}
                </span>
              </span>
            )
            const [only] = sheets
            if (isOneDay) return only && row(person, only, who)
            const areDaysShown = opened?.userId === userId
            return (
              <Fragment key={userId}>
                <SheetRow
                  label={who}
                  name={name}
                  sums={sums}
                  days={sheets.length}
                  hours={hours}
                  hourOf={hourOf}
                  dates={dates}
                  isWide={isWide}
                  shown={areDaysShown && opened.day === undefined ? opened.behind : undefined}
                  onOpen={() => open(userId, undefined, 'all')}
                />
                {areDaysShown &&
                  sheets.map((sheet) =>
                    row(
                      person,
                      sheet,
                      <span className="text-ink-2 lg:pl-8">
                        {weekdayOf(sheet.day).slice(0, 3)}., {shortDay(sheet.day)}
                      </span>,
                    ),
                  )}
              </Fragment>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

/** The hours above the bars. */
function Scale({ hours }: { hours: Hours }) {
  return (
    <span aria-hidden className="relative block h-4">
      {marksOf(hours).map((hour) => (
        <span
          key={hour}
          className="absolute -translate-x-1/2"
          style={{ left: `${(100 * (hour - hours.from)) / (hours.to - hours.from)}%` }}
        >
          {hour} h
        </span>
      ))}
    </span>
  )
}

function SheetRow({
  label,
  name,
  sums,
  sheet,
  days,
  hours,
  hourOf,
  dates,
  isWide,
  shown,
  onOpen,
}: {
  label: ReactNode
  /** Of whom and when, for a reader. */
  name: string
  sums: Sums
  /** Absent: the sums of several days. */
  sheet?: Timesheet
  days?: number
  hours: Hours
  hourOf: (instant: string) => number
  dates: ZonedDates
  isWide: boolean
  shown: Behind | undefined
  onOpen: (behind: Behind) => void
}) {
  const minute = (instant: string) => dates.time(instant).slice(0, 5)
  const figure = (behind: Behind, value: string, what: string) => (
    <button
      type="button"
      aria-label={`${what} de ${name}: ${value}. Ver ${sheet ? 'os registros' : 'os dias'}`}
      aria-expanded={shown === behind}
      onClick={() => onOpen(behind)}
      className={[
        'rounded-[3px] underline decoration-line-strong underline-offset-3 hover:decoration-ink',
        'max-md:min-h-11',
      ].join(' ')}
    >
      {value}
    </button>
  )
  const hour = productive(sums)
  return (
    <tr className={cn('h-10 border-t border-line', shown && 'bg-selected')}>
      <th scope="row" className="max-w-36 pl-2 text-left font-medium lg:max-w-56">
        <span className="flex min-w-0 items-center gap-1">
          <IconButton
            size="sm"
            icon={ChevronDown}
            label={`${sheet ? 'Registros' : 'Dias'} de ${name}`}
            aria-expanded={shown === 'all'}
            className={cn('print:hidden', shown === 'all' && '[&_svg]:rotate-180')}
            onClick={() => onOpen('all')}
          />
          {label}
        </span>
      </th>
      {isWide && (
        <>
          <td className="px-2">{sheet && minute(sheet.firstAt)}</td>
          <td className="px-2">{sheet && (sheet.isOpen ? 'agora' : minute(sheet.lastAt))}</td>
          <td className="px-2">
            {sheet ? (
              <DayBar sheet={sheet} hours={hours} hourOf={hourOf} />
            ) : (
              <span className="text-ink-2">{days === 1 ? '1 dia' : `${days} dias`}</span>
            )}
          </td>
        </>
      )}
      <td className="px-2 text-right whitespace-nowrap">
        {figure('available', spanText(sums.available), 'Disponível')}
      </td>
      <td className="px-2 text-right whitespace-nowrap">
        {figure('paused', spanText(sums.paused), 'Pausas')}{' '}
        {isWide && <span className="text-ink-2">({sums.pauses})</span>}
      </td>
      <td
        className={cn('px-2 text-right', !isWide && 'pr-4', sums.over > 0 && 'font-semibold text-red-text')}
      >
        {sums.over === 0 ? (
          <span className="text-ink-2">0</span>
        ) : (
          figure('over', String(sums.over), 'Além do limite')
        )}
      </td>
      {isWide && (
        <>
          <td className="px-2 text-right">
            {figure('taken', anHour(sums.taken, hour), 'Assumidas por hora')}
          </td>
          <td className="px-2 text-right">
            {figure('answered', anHour(sums.answered, hour), 'Respondidas por hora')}
          </td>
          <td className="px-2 pr-4 text-right">
            {figure('finished', anHour(sums.finished, hour), 'Finalizadas por hora')}
          </td>
        </>
      )}
    </tr>
  )
}
