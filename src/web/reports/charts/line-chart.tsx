import { scaleLinear, scalePoint } from 'd3-scale'
import { line } from 'd3-shape'
import { chartHeight, chartPad, Drawing, MeanLine, PlaceLabels, ValueLines } from './axis.tsx'
import { useWidth } from './use-width.ts'

/** Values at the same places, with gaps where there is none; the second ones dashed; their mean dotted. */
export function LineChart({
  labels,
  values,
  before,
  mean,
  titles,
  label,
  format,
  onOpen,
}: {
  labels: readonly string[]
  values: readonly (number | null)[]
  before: readonly (number | null)[] | undefined
  mean: { value: number; text: string } | undefined
  /** The tooltips of the points. */
  titles: readonly string[]
  label: string
  format: (value: number) => string
  onOpen: (at: number) => void
}) {
  const { place, width } = useWidth()
  const x = scalePoint<number>()
    .domain(labels.map((_, at) => at))
    .range([chartPad.left + 8, Math.max(chartPad.left + 9, width - chartPad.right - 8)])
  const known = [...values, ...(before ?? [])].filter((value) => value !== null)
  const y = scaleLinear()
    .domain([0, Math.max(1, ...known)])
    .nice(3)
    .range([chartHeight - chartPad.bottom, chartPad.top])
  const path = line<number | null>()
    .defined((value) => value !== null)
    .x((_, at) => x(at) ?? 0)
    .y((value) => y(value ?? 0))
  return (
    <div ref={place} className="pt-1">
      {width > 0 && (
        <Drawing label={label} width={width}>
          <ValueLines scale={y} width={width} format={format} ticks={3} />
          {before && (
            <path
              d={path(before.slice(0, labels.length)) ?? ''}
              className="fill-none stroke-ink-3"
              strokeDasharray="4 4"
              // A value between two gaps is a dot.
              strokeLinecap="round"
              strokeWidth={1.5}
            />
          )}
          <path d={path(values) ?? ''} className="fill-none stroke-chart-1" strokeWidth={2} />
          {mean && <MeanLine y={y(mean.value)} width={width} text={mean.text} />}
          {values.map(
            (value, at) =>
              value !== null && (
                <circle
                  // oxlint-disable-next-line react/no-array-index-key -- points differ by their place
                  key={at}
                  cx={x(at) ?? 0}
                  cy={y(value)}
                  r={labels.length > 40 ? 2.5 : 3.5}
                  className="cursor-pointer fill-surface stroke-chart-1 stroke-2 hover:fill-chart-1"
                  onClick={() => onOpen(at)}
                >
                  <title>{titles[at]}</title>
                </circle>
              ),
          )}
          <PlaceLabels labels={labels} x={(at) => x(at) ?? 0} width={width} />
        </Drawing>
      )}
    </div>
  )
}
