import type { ScaleLinear } from 'd3-scale'
import type { ReactNode } from 'react'

export const chartHeight = 220
export const chartPad = { top: 20, right: 14, bottom: 26, left: 44 }

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

const meanLook = {
  className: 'stroke-ink-2',
  strokeDasharray: '1 4',
  strokeLinecap: 'round',
  strokeWidth: 1.5,
} as const

/** The mean across the chart. Its value stands above, where it covers no bar and no line. */
export function MeanLine({ y, width, text }: { y: number; width: number; text: string }) {
  const right = width - chartPad.right
  return (
    <g>
      <line x1={chartPad.left} x2={right} y1={y} y2={y} {...meanLook} />
      <line x1={right - 16} x2={right} y1={chartPad.top / 2} y2={chartPad.top / 2} {...meanLook} />
      <text
        x={right - 22}
        y={chartPad.top / 2}
        dy="0.32em"
        textAnchor="end"
        className="fill-ink-2 text-xs tabular-nums"
      >
        {text}
      </text>
    </g>
  )
}

/** A drawing that keeps its proportions when paper has another width than the screen. */
export function Drawing({ label, width, children }: { label: string; width: number; children: ReactNode }) {
  return (
    <svg
      role="img"
      aria-label={label}
      width={width}
      height={chartHeight}
      viewBox={`0 0 ${width} ${chartHeight}`}
      className="block print:h-auto print:w-full"
    >
      {children}
    </svg>
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
