import type { ReactNode } from 'react'
import { Card } from '#web/ui/layout/card.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { type PersonSheets, productive, type Sums } from './sums.ts'
import { anHour, spanText } from './words.ts'

/** The figures of a period, of everybody who is shown. */
export function TimesheetFigures({
  people,
  sums,
}: {
  people: readonly PersonSheets[] | undefined
  sums: Sums | undefined
}) {
  const late = people?.filter((person) => person.sums.over > 0).length ?? 0
  const figures =
    sums && people
      ? [
          { name: 'Logado', value: spanText(sums.logged), note: peopleText(people.length) },
          {
            name: 'Disponível',
            value: spanText(sums.available),
            note: sums.logged > 0 && `${Math.round((100 * sums.available) / sums.logged)} % do logado`,
          },
          {
            name: 'Em pausa',
            value: spanText(sums.paused),
            note: [
              sums.pauses === 1 ? '1 pausa' : `${sums.pauses} pausas`,
              ...(sums.counted > 0 ? [`mais ${spanText(sums.counted)} que contam`] : []),
            ].join(', '),
          },
          {
            name: 'Além do limite',
            value: String(sums.over),
            note: sums.over > 0 && (
              <span className="font-medium text-red-text">
                {spanText(sums.overSeconds)}, {peopleText(late)}
              </span>
            ),
          },
          {
            name: 'Por hora produtiva',
            value: anHour(sums.finished, productive(sums)),
            note: 'conversas finalizadas',
          },
        ]
      : undefined
  return (
    <Card className="mb-4 grid grid-cols-2 overflow-hidden md:grid-cols-5">
      {(figures ?? emptyFigures).map(({ name, value, note }) => (
        <div key={name} className="-mt-px -ml-px border-t border-l border-line px-5 py-4 max-md:px-4">
          <p className="text-sm text-ink-2">{name}</p>
          {value === undefined ? (
            <Skeleton className="mt-2 mb-9 h-7 w-20" />
          ) : (
            <>
              <p className="mt-1 text-[26px]/8 font-semibold tracking-[-0.022em] tabular-nums">{value}</p>
              {/* Two lines for all of them: what comes moves nothing. */}
              <p className="min-h-8 text-xs text-ink-2 tabular-nums">{note}</p>
            </>
          )}
        </div>
      ))}
    </Card>
  )
}

interface FigureFacts {
  name: string
  value?: string
  note?: ReactNode
}

const emptyFigures: readonly FigureFacts[] = [
  { name: 'Logado' },
  { name: 'Disponível' },
  { name: 'Em pausa' },
  { name: 'Além do limite' },
  { name: 'Por hora produtiva' },
]

const peopleText = (n: number) => (n === 1 ? '1 pessoa' : `${n} pessoas`)
