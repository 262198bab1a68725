import { useState } from 'react'
import type { ReportStats } from '#shared/reports/reports.ts'
import { meanTimeText, outsideHours, outsideHoursText } from '#shared/text/time/mean-time.ts'
import { Segmented } from '#web/ui/fields/segmented.tsx'
import { ChartCard, CountButton } from '#web/reports/charts/chart-card.tsx'
import { wholeRow } from './looks.ts'
import { HeatMap } from '#web/reports/charts/heat-map.tsx'
import type { Restriction } from '#web/reports/asked/use-report.ts'
import { count, weekdays } from '#web/reports/asked/words.ts'

type Hour = ReportStats['hours'][number]
const shownAs = [
  { value: 'total', label: 'Conversas' },
  { value: 'reply', label: 'Primeira resposta' },
] as const

/** When clients write, and when they wait: by weekday and hour. */
export function HoursCard({
  stats,
  isByClock,
  restriction,
  onList,
}: {
  stats: ReportStats | undefined
  isByClock: boolean
  restriction: Restriction
  onList: (restriction: Restriction) => void
}) {
  const [what, setWhat] = useState<'total' | 'reply'>('total')
  const isReply = what === 'reply'
  const hours = stats?.hours ?? []
  const meanOf = (one: Hour) => (isByClock ? one.clock : one.open)
  const isOutside = (one: Hour) => one.replied > 0 && meanOf(one) === null
  const describeReply = (one: Hour) => {
    if (one.replied === 0) return undefined
    if (isOutside(one)) return outsideHoursText(one.clock)
    return `${meanTimeText(meanOf(one))}, média de ${count(one.replied - (isByClock ? 0 : one.outside))}`
  }
  const open = (weekday: number, hour: number) =>
    onList({
      figure: isReply ? 'first_reply' : 'total',
      weekday: String(weekday) as Restriction['weekday'],
      hour,
    })
  const { weekday, hour } = restriction
  return (
    <ChartCard
      title="Quando os clientes escrevem"
      className={wholeRow}
      isLoading={!stats}
      isEmpty={hours.length === 0}
      controls={<Segmented label="Mostrar" size="sm" value={what} options={shownAs} onChange={setWhat} />}
      table={{
        head: ['Dia e hora', 'Conversas', 'Primeira resposta'],
        rows: hours.map((one) => {
          const when = `${weekdays[one.weekday]}, ${one.hour} h`
          return {
            key: when,
            cells: [
              when,
              <CountButton
                key="total"
                value={one.total}
                what={when}
                onOpen={() =>
                  onList({
                    figure: 'total',
                    weekday: String(one.weekday) as Restriction['weekday'],
                    hour: one.hour,
                  })
                }
              />,
              isOutside(one) ? outsideHours : meanTimeText(meanOf(one)),
            ],
          }
        }),
      }}
    >
      <HeatMap
        hours={hours}
        valueOf={(one) => (isReply ? meanOf(one) : one.total)}
        isCounted={!isReply}
        format={(value) => (isReply ? meanTimeText(value) : count(value))}
        describe={(one) =>
          isReply ? describeReply(one) : `${count(one.total)} ${one.total === 1 ? 'conversa' : 'conversas'}`
        }
        shown={weekday === undefined || hour === undefined ? undefined : { weekday: Number(weekday), hour }}
        onOpen={open}
      />
    </ChartCard>
  )
}
