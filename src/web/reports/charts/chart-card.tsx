import { ChartColumn, Table2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'

export interface ChartTable {
  head: readonly string[]
  /** The first cell of a row is its heading. */
  rows: readonly { key: string; cells: readonly ReactNode[] }[]
}

/** A chart, and the same as a table: for whoever does not see it, and to read numbers from. */
export function ChartCard({
  title,
  legend,
  controls,
  isLoading = false,
  isEmpty = false,
  emptyText = 'Nada no período',
  table,
  className,
  children,
}: {
  title: string
  legend?: ReactNode
  /** Below the header: what is shown. */
  controls?: ReactNode
  isLoading?: boolean
  isEmpty?: boolean
  emptyText?: string
  table: ChartTable
  className?: string
  children: ReactNode
}) {
  const [isTable, setTable] = useState(false)
  return (
    <Card
      title={title}
      className={`min-w-0 break-inside-avoid ${className ?? ''}`}
      actions={
        <>
          {legend}
          <IconButton
            icon={isTable ? ChartColumn : Table2}
            label={isTable ? `Ver ${title} como gráfico` : `Ver ${title} como tabela`}
            size="sm"
            className="print:hidden"
            onClick={() => setTable(!isTable)}
          />
        </>
      }
    >
      {controls && <div className="overflow-x-auto px-4 pt-2 print:hidden">{controls}</div>}
      {isLoading ? (
        <div aria-busy className="flex h-56 items-end gap-3 px-4 pb-6">
          {[40, 70, 55, 90, 65, 80, 30].map((height, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- placeholders
            <span key={at} className="flex-1" style={{ height: `${height}%` }}>
              <Skeleton className="h-full" />
            </span>
          ))}
        </div>
      ) : isEmpty ? (
        <EmptyState title={emptyText} className="min-h-56" />
      ) : isTable ? (
        <DataTable caption={title} table={table} />
      ) : (
        children
      )}
    </Card>
  )
}

const cellLook = 'h-8 px-2 text-right tabular-nums first:pl-4 first:text-left last:pr-4'

function DataTable({ caption, table: { head, rows } }: { caption: string; table: ChartTable }) {
  return (
    <div
      role="region"
      aria-label={caption}
      className="thin-scroll max-h-[320px] overflow-auto"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region needs focus
      tabIndex={0}
    >
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">{caption}</caption>
        <thead className="sticky top-0 bg-sunken print:static text-xs text-ink-2">
          <tr>
            {head.map((name) => (
              <th key={name} scope="col" className={`${cellLook} font-medium`}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells: [first, ...cells] }) => (
            <tr key={key} className="border-t border-line">
              <th scope="row" className={`${cellLook} font-normal`}>
                {first}
              </th>
              {cells.map((cell, at) => (
                // oxlint-disable-next-line react/no-array-index-key -- the columns do not change
                <td key={at} className={cellLook}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** A number that opens the conversations that it counts; plain without any. */
export function CountButton({
  value,
  what,
  onOpen,
}: {
  value: number
  /** What it counts, for its name: 'segunda, 10 h'. */
  what: string
  onOpen: () => void
}) {
  const text = value.toLocaleString('pt-BR')
  if (value === 0) return <span className="text-ink-3">0</span>
  return (
    <button
      type="button"
      aria-label={`${what}: ${text}. Ver as conversas`}
      onClick={onOpen}
      className="rounded-[3px] underline decoration-line-strong underline-offset-3 hover:decoration-ink"
    >
      {text}
    </button>
  )
}

/** A square and a word, for the legend. */
export function LegendMark({ colour, children }: { colour: string; children: string }) {
  return (
    <span className="flex items-center gap-1.5 text-xs whitespace-nowrap text-ink-2">
      <i aria-hidden className={`size-2 flex-none rounded-[2px] ${colour}`} />
      {children}
    </span>
  )
}
