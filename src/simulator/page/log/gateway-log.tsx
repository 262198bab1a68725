import { useQuery } from '@tanstack/react-query'
import type { Counters, LogLine } from '#simulator/control-views.ts'
import { simulatorApi } from '#simulator/page/data/api.ts'
import { exactTime } from '#simulator/page/dates.ts'
import { useAction } from '#simulator/page/data/mutations.ts'
import { simulatorQueries } from '#simulator/page/data/queries.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { cn } from '#web/ui/cn.ts'
import { CountersLine } from './counters-line.tsx'

const shownLines = 200

/** The gateway's log, newest first, and whether every message was accepted. */
export function GatewayLog({ counters, isInDialog = false }: { counters: Counters; isInDialog?: boolean }) {
  const { data: lines = [] } = useQuery(simulatorQueries.log())
  const { run, isRunning } = useAction()
  return (
    <section
      aria-label="Registro do gateway"
      className={cn('flex min-h-0 flex-col bg-surface', isInDialog ? 'h-full' : 'border-t border-line')}
    >
      <div
        className={cn(
          'flex min-h-9 shrink-0 items-center gap-x-3 border-b border-line px-4 text-xs text-ink-2',
          isInDialog && 'flex-wrap pb-1',
        )}
      >
        {!isInDialog && <h2 className="font-semibold text-ink">Registro do gateway</h2>}
        <CountersLine counters={counters} />
        <Button
          variant="ghost"
          size="sm"
          className="max-md:ml-auto"
          isBusy={isRunning}
          onClick={() => run(simulatorApi.clearLog)}
        >
          Limpar
        </Button>
      </div>
      <div
        role="group"
        aria-label="Linhas do registro"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region
        tabIndex={0}
        className="thin-scroll min-h-0 flex-1 overflow-y-auto -outline-offset-2"
      >
        {lines.length === 0 ? (
          <p className="px-4 py-2 text-xs text-ink-3">
            Nada passou pelo gateway desde que o registro foi limpo.
          </p>
        ) : (
          <ul className="py-[3px]">
            {lines
              .slice(-shownLines)
              .toReversed()
              .map((line) => (
                <Line key={line.n} line={line} />
              ))}
          </ul>
        )}
      </div>
    </section>
  )
}

function Line({ line: { at, kind, name, detail, result } }: { line: LogLine }) {
  return (
    <li
      className={cn(
        'grid min-h-[23px] grid-cols-[92px_118px_168px_minmax(0,1fr)_auto] items-center gap-x-3 px-4',
        'text-xs whitespace-nowrap text-ink-2 tabular-nums',
        'max-lg:grid-cols-[92px_72px_140px_minmax(0,1fr)_auto]',
        'max-md:grid-cols-[84px_56px_minmax(0,1fr)_auto] max-md:border-b max-md:border-line max-md:py-1.5',
      )}
    >
      <time dateTime={at} className="text-ink-3">
        {exactTime(at)}
      </time>
      <span className={cn(kind === 'falha' && 'font-medium text-amber-text')}>{kind}</span>
      <span title={name} className="truncate font-medium text-ink">
        {name}
      </span>
      <span dir="auto" title={detail} className="truncate text-left max-md:order-last max-md:col-span-4">
        {detail}
      </span>
      <span title={result} className="max-w-64 truncate text-right max-md:max-w-32 text-ink-3">
        {result}
      </span>
    </li>
  )
}
