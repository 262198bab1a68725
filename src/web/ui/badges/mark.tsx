/** The product's mark: a speech balloon over a counter. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden className={className}>
      <rect width="24" height="24" rx="6.5" className="fill-accent" />
      <path
        d={
          'M8.2 5.2h7.6a2.4 2.4 0 0 1 2.4 2.4v3.6a2.4 2.4 0 0 1-2.4 2.4h-3.5' +
          'l-2.5 2.1v-2.1H8.2a2.4 2.4 0 0 1-2.4-2.4V7.6a2.4 2.4 0 0 1 2.4-2.4Z'
        }
        className="fill-accent-ink"
      />
      <path d="M4.8 18.3h14.4" className="stroke-accent-ink" strokeWidth="1.9" strokeLinecap="round" />
    </svg>
  )
}
