import { scaleBand, scaleLinear } from 'd3-scale'
import { chartHeight, chartPad, Drawing, MeanLine, PlaceLabels, ValueLines } from './axis.tsx'
import { useWidth } from './use-width.ts'

export interface Bar {
  label: string
  /** In words, for the tooltip: '2/11: 58 finalizadas no dia, 6 ficaram abertas'. */
  title: string
  lower: number
  upper: number
}

/** Bars in two parts, and their mean dotted. A press on a part opens it; keyboards have the table. */
export function StackedBars({
  bars,
  mean,
  label,
  onOpen,
}: {
  bars: readonly Bar[]
  mean: { value: number; text: string } | undefined
  label: string
  onOpen: (at: number, part: 'lower' | 'upper') => void
}) {
  const { place, width } = useWidth()
  const x = scaleBand<number>()
    .domain(bars.map((_, at) => at))
    .range([chartPad.left, Math.max(chartPad.left + 1, width - chartPad.right)])
    .paddingInner(0.4)
    .paddingOuter(0.25)
  const y = scaleLinear()
    .domain([0, Math.max(4, ...bars.map(({ lower, upper }) => lower + upper))])
    .nice(4)
    .range([chartHeight - chartPad.bottom, chartPad.top])
  const thickness = Math.min(x.bandwidth(), 22)
  const left = (at: number) => (x(at) ?? 0) + (x.bandwidth() - thickness) / 2
  return (
    <div ref={place} className="px-0 pt-1">
      {width > 0 && (
        <Drawing label={label} width={width}>
          <ValueLines scale={y} width={width} format={(value) => String(value)} />
          {bars.map(({ lower, upper, title }, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- bars differ by their place
            <g key={at}>
              {lower > 0 && (
                <rect
                  x={left(at)}
                  width={thickness}
                  y={y(lower)}
                  height={Math.max(1, y(0) - y(lower))}
                  rx={upper > 0 ? 0 : 2}
                  className="cursor-pointer fill-chart-1 hover:opacity-80"
                  onClick={() => onOpen(at, 'lower')}
                >
                  <title>{title}</title>
                </rect>
              )}
              {upper > 0 && (
                <rect
                  x={left(at)}
                  width={thickness}
                  y={y(lower + upper)}
                  height={Math.max(1, y(lower) - y(lower + upper) - 1)}
                  rx={2}
                  className="cursor-pointer fill-chart-3 hover:opacity-80"
                  onClick={() => onOpen(at, 'upper')}
                >
                  <title>{title}</title>
                </rect>
              )}
            </g>
          ))}
          {mean && <MeanLine y={y(mean.value)} width={width} text={mean.text} />}
          <PlaceLabels
            labels={bars.map((bar) => bar.label)}
            x={(at) => (x(at) ?? 0) + x.bandwidth() / 2}
            width={width}
          />
        </Drawing>
      )}
    </div>
  )
}
