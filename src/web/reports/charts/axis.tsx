import type { ScaleLinear } from 'd3-scale'

export const chartHeight = 220
export const chartPad = { top: 14, right: 14, bottom: 26, left: 44 }

/** Lines across the chart with their values. */
export function ValueLines({
  scale,
  width,
  format,
  ticks = 4,
}: {
  scale: ScaleLinear<number, number>
  width: number
  format: (value: number) => string
  ticks?: number
}) {
  return (
    <g aria-hidden>
      {scale.ticks(ticks).map((value) => (
        <g key={value} transform={`translate(0,${scale(value)})`}>
          <line x1={chartPad.left} x2={width - chartPad.right} className="stroke-line" />
          <text x={chartPad.left - 8} dy="0.32em" textAnchor="end" className="fill-ink-3 text-xs">
            {format(value)}
          </text>
        </g>
      ))}
    </g>
  )
}

/** As many of the labels below the chart as have room. */
export function PlaceLabels({
  labels,
  x,
  width,
}: {
  labels: readonly string[]
  x: (at: number) => number
  width: number
}) {
  const longest = Math.max(1, ...labels.map((label) => label.length))
  const room = Math.max(1, Math.floor((width - chartPad.left - chartPad.right) / (longest * 7 + 12)))
  const every = Math.max(1, Math.ceil(labels.length / room))
  return (
    <g aria-hidden>
      {labels.map(
        (label, at) =>
          at % every === 0 && (
            <text
              // oxlint-disable-next-line react/no-array-index-key -- labels may be the same
              key={at}
              x={x(at)}
              y={chartHeight - 8}
              textAnchor="middle"
              className="fill-ink-3 text-xs tabular-nums"
            >
              {label}
            </text>
          ),
      )}
    </g>
  )
}
