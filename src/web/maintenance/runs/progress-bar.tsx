/** How much of something long is done; undefined while that is unknown. */
export function ProgressBar({ label, percent }: { label: string; percent: number | undefined }) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className="h-1.5 overflow-hidden rounded-full bg-line"
    >
      {percent === undefined ? (
        <div className="h-full w-full animate-skeleton rounded-full bg-accent-line" />
      ) : (
        <div className="h-full rounded-full bg-accent" style={{ width: `${percent}%` }} />
      )}
    </div>
  )
}
